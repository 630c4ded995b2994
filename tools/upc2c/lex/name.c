/* Names: each spelling once, and the keywords among them. */

#include "tools/upc2c/lex/internal.h"

#include <string.h>

static const struct
{
  const char *text;
  uint16_t kind;
} keywords[] = {
  { "_Alignas", KEY_ALIGNAS },
  { "_Alignof", KEY_ALIGNOF },
  { "__alignof", KEY_ALIGNOF },
  { "__alignof__", KEY_ALIGNOF },
  { "asm", KEY_ASM },
  { "__asm", KEY_ASM },
  { "__asm__", KEY_ASM },
  { "_Atomic", KEY_ATOMIC },
  { "__attribute", KEY_ATTRIBUTE },
  { "__attribute__", KEY_ATTRIBUTE },
  { "auto", KEY_AUTO },
  { "__auto_type", KEY_AUTO_TYPE },
  { "_Bool", KEY_BOOL },
  { "break", KEY_BREAK },
  { "case", KEY_CASE },
  { "char", KEY_CHAR },
  { "_Complex", KEY_COMPLEX },
  { "__complex", KEY_COMPLEX },
  { "__complex__", KEY_COMPLEX },
  { "const", KEY_CONST },
  { "__const", KEY_CONST },
  { "__const__", KEY_CONST },
  { "continue", KEY_CONTINUE },
  { "default", KEY_DEFAULT },
  { "do", KEY_DO },
  { "double", KEY_DOUBLE },
  { "else", KEY_ELSE },
  { "enum", KEY_ENUM },
  { "__extension__", KEY_EXTENSION },
  { "extern", KEY_EXTERN },
  { "float", KEY_FLOAT },
  { "_Float16", KEY_FLOATN },
  { "__fp16", KEY_FLOATN },
  { "_Float32", KEY_FLOATN },
  { "_Float32x", KEY_FLOATN },
  { "_Float64", KEY_FLOATN },
  { "_Float64x", KEY_FLOATN },
  { "_Float128", KEY_FLOATN },
  { "__float128", KEY_FLOATN },
  { "__float80", KEY_FLOATN },
  { "__bf16", KEY_FLOATN },
  { "_Decimal32", KEY_FLOATN },
  { "_Decimal64", KEY_FLOATN },
  { "_Decimal128", KEY_FLOATN },
  { "for", KEY_FOR },
  { "_Generic", KEY_GENERIC },
  { "goto", KEY_GOTO },
  { "if", KEY_IF },
  { "__imag", KEY_IMAG },
  { "__imag__", KEY_IMAG },
  { "inline", KEY_INLINE },
  { "__inline", KEY_INLINE },
  { "__inline__", KEY_INLINE },
  { "int", KEY_INT },
  { "__int128", KEY_INT128 },
  { "__label__", KEY_LABEL },
  { "long", KEY_LONG },
  { "_Noreturn", KEY_NORETURN },
  { "__real", KEY_REAL },
  { "__real__", KEY_REAL },
  { "register", KEY_REGISTER },
  { "restrict", KEY_RESTRICT },
  { "__restrict", KEY_RESTRICT },
  { "__restrict__", KEY_RESTRICT },
  { "return", KEY_RETURN },
  { "short", KEY_SHORT },
  { "signed", KEY_SIGNED },
  { "__signed", KEY_SIGNED },
  { "__signed__", KEY_SIGNED },
  { "sizeof", KEY_SIZEOF },
  { "static", KEY_STATIC },
  { "_Static_assert", KEY_STATIC_ASSERT },
  { "struct", KEY_STRUCT },
  { "switch", KEY_SWITCH },
  { "_Thread_local", KEY_THREAD_LOCAL },
  { "__thread", KEY_THREAD_LOCAL },
  { "typedef", KEY_TYPEDEF },
  { "typeof", KEY_TYPEOF },
  { "__typeof", KEY_TYPEOF },
  { "__typeof__", KEY_TYPEOF },
  { "union", KEY_UNION },
  { "unsigned", KEY_UNSIGNED },
  { "__builtin_va_list", KEY_VA_LIST },
  { "void", KEY_VOID },
  { "volatile", KEY_VOLATILE },
  { "__volatile", KEY_VOLATILE },
  { "__volatile__", KEY_VOLATILE },
  { "while", KEY_WHILE },
  { "_Nonnull", KEY_IGNORED_QUALIFIER },
  { "_Nullable", KEY_IGNORED_QUALIFIER },
  { "_Null_unspecified", KEY_IGNORED_QUALIFIER },
  { "MYTHREAD", KEY_MYTHREAD },
  { "relaxed", KEY_RELAXED },
  { "shared", KEY_SHARED },
  { "strict", KEY_STRICT },
  { "THREADS", KEY_THREADS },
  { "upc_barrier", KEY_UPC_BARRIER },
  { "upc_blocksizeof", KEY_UPC_BLOCKSIZEOF },
  { "upc_elemsizeof", KEY_UPC_ELEMSIZEOF },
  { "upc_fence", KEY_UPC_FENCE },
  { "upc_forall", KEY_UPC_FORALL },
  { "upc_localsizeof", KEY_UPC_LOCALSIZEOF },
  { "UPC_MAX_BLOCK_SIZE", KEY_UPC_MAX_BLOCK_SIZE },
  { "upc_notify", KEY_UPC_NOTIFY },
  { "upc_wait", KEY_UPC_WAIT },
};

static struct hash_table *spellings;
static struct name **names; /* by their numbers there */
static size_t name_room;

struct name *
intern (const char *text, size_t length)
{
  uint32_t number;

  if (!spellings)
    spellings = hash_new ();
  number = hash_add (spellings, text, length);
  names = grow_array (names, number + 1, &name_room, sizeof *names);
  if (!names[number])
    {
      names[number] = NEW (struct name);
      names[number]->text = hash_key (spellings, number);
      names[number]->length = length;
    }
  return names[number];
}

bool
token_is (const struct token *token, const char *text)
{
  size_t length = strlen (text);

  return token->length == length && memcmp (token->text, text, length) == 0;
}

/* Whether TEXT, in the table of keywords, is a name like any other in this standard. */
static bool
is_name_here (const char *text)
{
  if (strcmp (text, "asm") == 0 || strcmp (text, "typeof") == 0)
    return switches.iso_c;
  return strcmp (text, "inline") == 0 && switches.iso_c90;
}

void
enter_keywords (void)
{
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    {
      const char *text = keywords[i].text;

      if (is_name_here (text))
        continue;
      intern (text, strlen (text))->keyword = keywords[i].kind;
    }
}
