/* Declaration specifiers. */

#include "tools/upc2c/parse/internal.h"

#include <stddef.h>

/* How often each word of a basic type was given. */
struct words
{
  bool is_void, is_bool, is_char, is_short, is_int, is_signed, is_unsigned;
  bool is_float, is_double, is_complex, is_int128;
  int longs;
  bool any, is_repeated;
  struct type *other; /* a type of its own: a record, a typedef's, typeof … */
};

bool
starts_type (token_index index)
{
  const struct token *token = token_at (index);

  switch (token->kind)
    {
    case TOKEN_NAME:
      return token->name->decl && token->name->decl->kind == DECL_TYPEDEF;
    case KEY_EXTENSION:
      return starts_type (index + 1);
    case '[':
      return token[1].kind == '[';
    default:
      return is_specifier_keyword (token->kind);
    }
}

bool
at_type (void)
{
  return starts_type (here);
}

void
add_part (struct part ***tail, struct part part)
{
  struct part *copy = NEW (struct part);

  *copy = part;
  **tail = copy;
  *tail = &copy->next;
}

static struct type *
float_n_type (const struct token *token)
{
  static const struct
  {
    const char *text;
    enum type_kind kind;
  } entries[] = {
    { "_Float16", TYPE_FLOAT16 },       { "__fp16", TYPE_FLOAT16 },
    { "_Float32", TYPE_FLOAT32 },       { "_Float32x", TYPE_FLOAT32X },
    { "_Float64", TYPE_FLOAT64 },       { "_Float64x", TYPE_FLOAT64X },
    { "_Float128", TYPE_FLOAT128 },     { "__float128", TYPE_FLOAT128 },
    { "__float80", TYPE_LDOUBLE },      { "__bf16", TYPE_BFLOAT16 },
    { "_Decimal32", TYPE_DECIMAL32 },   { "_Decimal64", TYPE_DECIMAL64 },
    { "_Decimal128", TYPE_DECIMAL128 },
  };

  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (token_is (token, entries[i].text))
      return type_basic (entries[i].kind);
  return type_unknown;
}

static struct type *
integer_type (const struct words *words)
{
  bool is_unsigned = words->is_unsigned;
  enum type_kind kind = TYPE_INT;

  if (words->is_int128)
    kind = TYPE_INT128;
  else if (words->is_char)
    return type_basic (is_unsigned ? TYPE_UCHAR : words->is_signed ? TYPE_SCHAR : TYPE_CHAR);
  else if (words->is_short)
    kind = TYPE_SHORT;
  else if (words->longs > 1)
    kind = TYPE_LLONG;
  else if (words->longs)
    kind = TYPE_LONG;
  return type_basic (kind + is_unsigned);
}

/* What C does not let stand together (C11, 6.7.2). Where the type is written anew, the C compiler
   does not see it. */
static void
check_words (const struct words *words, const struct specifiers *specifiers)
{
  int types = words->is_void + words->is_bool + words->is_char + words->is_int + words->is_float
              + words->is_double + words->is_int128 + (words->other != NULL);
  bool is_long = words->is_short || words->longs,
       is_signed = words->is_signed || words->is_unsigned;

  if (types > 1 || words->is_repeated)
    error_at (specifiers->first, "two or more data types in declaration specifiers");
  else if (words->longs > 2 || (words->is_signed && words->is_unsigned)
           || (words->is_short && words->longs)
           || (is_long && types && !words->is_int && !(words->is_double && words->longs == 1))
           || (is_signed
               && (words->is_void || words->is_bool || words->is_float || words->is_double)))
    error_at (specifiers->first, "invalid combination of data types in declaration specifiers");
  else if (!words->any && type_is_shared (specifiers->type))
    warning_at (specifiers->first, "type defaults to 'int' in declaration specifiers");
}

/* The type that the words make. */
static struct type *
type_of_words (const struct words *words)
{
  struct type *type;

  if (words->other && (words->is_complex || words->is_unsigned || words->is_signed))
    type = words->other->kind >= TYPE_FLOAT16 && words->is_complex ? complex_of (words->other)
                                                                   : words->other;
  else if (words->other)
    type = words->other;
  else if (words->is_void)
    type = type_void;
  else if (words->is_bool)
    type = type_basic (TYPE_BOOL);
  else if (words->is_float)
    type = type_basic (TYPE_FLOAT);
  else if (words->is_double
           || (words->is_complex && !words->is_int && !words->is_char && !words->is_short
               && !words->longs && !words->is_int128 && !words->is_signed && !words->is_unsigned))
    type = type_basic (words->longs ? TYPE_LDOUBLE : TYPE_DOUBLE);
  else
    type = integer_type (words);
  if (words->is_complex && !words->other)
    type = complex_of (type);
  return type;
}

/* typeof-specifier = ("typeof" | "typeof_unqual") "(" (expression | type-name) ")" */
static struct type *
parse_typeof (struct part ***tail)
{
  struct part part = { .kind = PART_EXPR };
  bool is_unqualified = token_at (advance ())->kind == KEY_TYPEOF_UNQUAL;
  struct type *type;

  expect ('(', "'('");
  part.first = here;
  if (at_type ())
    {
      part.kind = PART_TYPE_NAME;
      part.type_name = parse_type_name ();
      part.translate = part.type_name->translate;
      type = part.type_name->type;
    }
  else
    {
      part.expr = parse_expression ();
      part.translate = part.expr->translate || part.expr->type->has_shared;
      type = part.expr->type;
    }
  part.last = here - 1;
  add_part (tail, part);
  expect (')', "')'");
  return is_unqualified ? unqualified (without_shared (type)) : type;
}

/* bit-int = "_BitInt" "(" constant-expression ")" */
static struct type *
parse_bit_int (struct part ***tail)
{
  struct part part = { .kind = PART_EXPR };

  here++;
  expect ('(', "'('");
  part.first = here;
  part.expr = parse_conditional ();
  part.translate = part.expr->translate;
  part.last = here - 1;
  add_part (tail, part);
  expect (')', "')'");
  return type_unknown;
}

/* "_Atomic" "(" type-name ")", and the inside of "_Alignas" */
static struct type_name *
parse_type_in_parens (struct part ***tail)
{
  struct part part = { .kind = PART_TYPE_NAME, .first = here };

  part.type_name = parse_type_name ();
  part.translate = part.type_name->translate;
  part.last = here - 1;
  add_part (tail, part);
  expect (')', "')'");
  return part.type_name;
}

/* alignas = "_Alignas" "(" (type-name | constant-expression) ")" */
static void
parse_alignas (struct part ***tail, struct attributes *attributes)
{
  uint64_t align = 0;

  here++;
  expect ('(', "'('");
  if (at_type ())
    align = type_align (parse_type_in_parens (tail)->type);
  else
    {
      struct part part = { .kind = PART_EXPR, .first = here };

      part.expr = parse_conditional ();
      part.translate = part.expr->translate;
      part.last = here - 1;
      add_part (tail, part);
      if (part.expr->is_constant && part.expr->value > 0)
        align = part.expr->value;
      expect (')', "')'");
    }
  if (align > attributes->align && align <= 1 << 28)
    attributes->align = align;
}

struct part **moved_tail;

void
move_definitions (const struct specifiers *specifiers)
{
  for (const struct part *part = specifiers->parts; part; part = part->next)
    if (part->is_definition)
      add_part (&moved_tail, *part);
}

static struct type *
parse_tagged (struct part ***tail)
{
  struct part part = { .kind = peek () == KEY_ENUM ? PART_ENUM : PART_RECORD, .first = here };
  struct type *type = part.kind == PART_ENUM ? parse_enum (&part) : parse_record (&part);

  part.last = here - 1;
  add_part (tail, part);
  return type;
}

/* One storage class or function specifier. */
static bool
accept_storage (struct specifiers *specifiers)
{
  switch (peek ())
    {
    case KEY_TYPEDEF:
      specifiers->storage = STORAGE_TYPEDEF;
      break;
    case KEY_EXTERN:
      specifiers->storage = STORAGE_EXTERN;
      break;
    case KEY_STATIC:
      specifiers->storage = STORAGE_STATIC;
      break;
    case KEY_AUTO:
      specifiers->storage = STORAGE_AUTO;
      break;
    case KEY_REGISTER:
      specifiers->storage = STORAGE_REGISTER;
      break;
    case KEY_THREAD_LOCAL:
      specifiers->is_thread_local = true;
      here++;
      return true;
    case KEY_INLINE:
      specifiers->is_inline = true;
      here++;
      return true;
    case KEY_NORETURN:
      here++;
      return true;
    case KEY_CONSTEXPR:
      specifiers->is_constexpr = true;
      here++;
      return true;
    case KEY_EXTENSION:
      specifiers->is_extension = true;
      here++;
      return true;
    default:
      return false;
    }
  specifiers->storage_token = advance ();
  return true;
}

/* One word of a basic type, which may stand with others. */
static bool
accept_basic_word (struct words *words)
{
  static const struct
  {
    int key;
    size_t member;
  } entries[] = {
    { KEY_VOID, offsetof (struct words, is_void) },
    { KEY_BOOL, offsetof (struct words, is_bool) },
    { KEY_CHAR, offsetof (struct words, is_char) },
    { KEY_SHORT, offsetof (struct words, is_short) },
    { KEY_INT, offsetof (struct words, is_int) },
    { KEY_SIGNED, offsetof (struct words, is_signed) },
    { KEY_UNSIGNED, offsetof (struct words, is_unsigned) },
    { KEY_FLOAT, offsetof (struct words, is_float) },
    { KEY_DOUBLE, offsetof (struct words, is_double) },
    { KEY_COMPLEX, offsetof (struct words, is_complex) },
    { KEY_INT128, offsetof (struct words, is_int128) },
  };

  if (accept (KEY_LONG))
    {
      words->longs++;
      return true;
    }
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (accept (entries[i].key))
      {
        bool *word = (bool *) ((char *) words + entries[i].member);

        words->is_repeated |= *word;
        *word = true;
        return true;
      }
  return false;
}

/* A type that one word names, or NULL. */
static struct type *
accept_named_type (const struct words *words)
{
  const struct token *token = token_at (here);
  struct decl *decl;

  switch (peek ())
    {
    case KEY_FLOATN:
      here++;
      return float_n_type (token);
    case KEY_VA_LIST:
      here++;
      return type_basic (TYPE_VA_LIST);
    case KEY_AUTO_TYPE:
      here++;
      return &auto_type;
    case TOKEN_NAME:
      decl = token->name->decl;
      if (words->any || !decl || decl->kind != DECL_TYPEDEF)
        return NULL;
      here++;
      return decl->type;
    default:
      return NULL;
    }
}

/* A type that is more than a word, or NULL. */
static struct type *
accept_long_type (struct part ***tail)
{
  switch (peek ())
    {
    case KEY_STRUCT:
    case KEY_UNION:
    case KEY_ENUM:
      return parse_tagged (tail);
    case KEY_BIT_INT:
      return parse_bit_int (tail);
    case KEY_TYPEOF:
    case KEY_TYPEOF_UNQUAL:
      return parse_typeof (tail);
    case KEY_ATOMIC:
      here++;
      expect ('(', "'('");
      return add_quals (parse_type_in_parens (tail)->type, QUAL_ATOMIC);
    default:
      return NULL;
    }
}

/* One word of a type. False if there is none that could follow. */
static bool
accept_type_word (struct words *words, struct part ***tail)
{
  struct type *other;

  if (!accept_basic_word (words))
    {
      other = accept_named_type (words);
      if (!other)
        other = accept_long_type (tail);
      if (!other)
        return false;
      words->is_repeated |= words->other != NULL;
      words->other = other;
    }
  words->any = true;
  return true;
}

/* `sharde int x;`, `sharde [2] int x;`: nearly a keyword, and a type behind it. */
bool
at_nearly_qualifier (void)
{
  token_index i = here + 1;

  if (peek () != TOKEN_NAME)
    return false;
  if (token_at (i)->kind == '[')
    {
      while (token_at (i)->kind != ']' && token_at (i)->kind != ';'
             && token_at (i)->kind != TOKEN_END)
        i++;
      i += token_at (i)->kind == ']';
    }
  return starts_type (i) && nearest_keyword (token_at (here)->name);
}

/* A name where a type is wanted, and another name or * behind it. */
static void
check_unknown_type (const struct specifiers *specifiers, const struct words *words)
{
  int behind = peek_behind (1);

  if (words->any || peek () != TOKEN_NAME)
    return;
  if (behind == TOKEN_NAME || (behind == '*' && (scope_depth () == 0 || here > specifiers->first))
      || (behind >= FIRST_KEYWORD && behind != KEY_ATTRIBUTE && behind != KEY_ASM
          && here == specifiers->first && starts_type (here + 1) && scope_depth () > 0)
      || (here == specifiers->first && at_nearly_qualifier ()))
    syntax_error (here, "unknown type name '%s'%s", token_at (here)->name->text, suggestion (here));
}

/* C23's auto without a type. */
static bool
has_deduced_type (const struct specifiers *specifiers, const struct words *words)
{
  return switches.c23 && specifiers->storage == STORAGE_AUTO && !words->any;
}

struct type auto_type = { .kind = TYPE_UNKNOWN, .unqualified = &auto_type };

/* declaration-specifiers = (storage-class | type-qualifier | type-word | attribute
                             | "_Alignas" …)* */
struct specifiers *
parse_specifiers (struct attributes *attributes)
{
  struct specifiers *specifiers = NEW (struct specifiers);
  struct qualifiers quals = { .shared_token = NO_TOKEN,
                              .reference_token = NO_TOKEN,
                              .layout_first = NO_TOKEN,
                              .layout_last = NO_TOKEN };
  struct words words = { 0 };
  struct part **tail = &specifiers->parts;

  specifiers->first = here;
  specifiers->storage_token = NO_TOKEN;
  for (;;)
    if (at_attribute ())
      parse_attributes (attributes);
    else if (peek () == KEY_ALIGNAS)
      parse_alignas (&tail, attributes);
    else if (!accept_storage (specifiers) && !accept_qualifier (&quals)
             && !accept_type_word (&words, &tail))
      break;
  check_unknown_type (specifiers, &words);
  specifiers->last = here - 1;
  specifiers->shared_token = quals.shared_token;
  specifiers->layout_first = quals.layout_first;
  specifiers->layout_last = quals.layout_last;
  if (specifiers->is_constexpr)
    quals.quals |= QUAL_CONST;
  specifiers->type = qualify (has_deduced_type (specifiers, &words) ? &auto_type
                                                                    : type_of_words (&words),
                              &quals, specifiers->first);
  specifiers->translate = quals.quals & (QUAL_SHARED | QUAL_STRICT | QUAL_RELAXED)
                          || type_involves_shared (specifiers->type);
  for (struct part *p = specifiers->parts; p; p = p->next)
    specifiers->translate = specifiers->translate || p->translate;
  if (specifiers->translate)
    check_words (&words, specifiers);
  /* None: first > last, even at the first token of the file. */
  if (here == specifiers->first)
    {
      specifiers->first = here + 1;
      specifiers->last = here;
    }
  return specifiers;
}
