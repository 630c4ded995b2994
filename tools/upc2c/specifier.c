/* Declaration specifiers and qualifiers. */

#include "tools/upc2c/front.h"
#include "tools/upc2c/parse.h"

#include <string.h>

/* How often each word of a basic type was given. */
struct words
{
  unsigned char is_void, is_bool, is_char, is_short, is_int, is_long, is_signed, is_unsigned;
  unsigned char is_float, is_double, is_complex, is_int128;
  bool any;
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
    case KEY_ALIGNAS:
    case KEY_ATOMIC:
    case KEY_ATTRIBUTE:
    case KEY_AUTO:
    case KEY_AUTO_TYPE:
    case KEY_BOOL:
    case KEY_CHAR:
    case KEY_COMPLEX:
    case KEY_CONST:
    case KEY_DOUBLE:
    case KEY_ENUM:
    case KEY_EXTERN:
    case KEY_FLOAT:
    case KEY_FLOATN:
    case KEY_INLINE:
    case KEY_INT:
    case KEY_INT128:
    case KEY_LONG:
    case KEY_NORETURN:
    case KEY_REGISTER:
    case KEY_RESTRICT:
    case KEY_SHORT:
    case KEY_SIGNED:
    case KEY_STATIC:
    case KEY_STRUCT:
    case KEY_THREAD_LOCAL:
    case KEY_TYPEDEF:
    case KEY_TYPEOF:
    case KEY_UNION:
    case KEY_UNSIGNED:
    case KEY_VA_LIST:
    case KEY_VOID:
    case KEY_VOLATILE:
    case KEY_IGNORED_QUALIFIER:
    case KEY_SHARED:
    case KEY_STRICT:
    case KEY_RELAXED:
      return true;
    default:
      return false;
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

static const char *
section_of (const struct qualifiers *quals)
{
  return quals->in_declarator ? "6.5.2" : "6.5";
}

static void
set_block (struct qualifiers *quals, struct expr *e)
{
  int64_t value;

  /* A block size in error is the default, so as to offend only once. */
  quals->block = 1;
  if (!constant_value (e, &value, "the block size"))
    return;
  if (value < 0)
    error_at (e->first, "block size %lld is negative (UPC 1.3, 6.5.1.1)", (long long) value);
  else if ((uint64_t) value > max_block_size ())
    error_at (e->first, "block size %lld is larger than UPC_MAX_BLOCK_SIZE, %llu%s (UPC 1.3, 6.3.3)",
              (long long) value, (unsigned long long) max_block_size (),
              switches.struct_pts ? "" : "; -fupc-pts=struct allows up to 4294967295");
  else
    quals->block = value;
}

/* layout-qualifier = "[" (constant-expression | "*")? "]" */
static void
parse_layout (struct qualifiers *quals)
{
  uint32_t before = quals->block;
  bool again = quals->quals & QUAL_LAYOUT;
  token_index open = advance ();

  quals->quals |= QUAL_LAYOUT;
  quals->block = 0;
  if (peek () == '*' && peek_behind (1) == ']')
    {
      here++;
      quals->quals |= QUAL_STAR_LAYOUT;
    }
  else if (peek () != ']')
    set_block (quals, parse_conditional ());
  quals->layout_first = open;
  quals->layout_last = expect (']', "']'");
  if (again && before != quals->block)
    error_at (open, "more than one block size is specified (UPC 1.3, %s)", section_of (quals));
}

/* shared-type-qualifier = "shared" layout-qualifier? */
static void
parse_shared (struct qualifiers *quals)
{
  quals->shared_token = advance ();
  if (!(quals->quals & QUAL_SHARED))
    quals->block = 1;
  quals->quals |= QUAL_SHARED;
  if (peek () == '[')
    parse_layout (quals);
}

static bool
accept_reference (struct qualifiers *quals, unsigned qual)
{
  quals->reference_token = advance ();
  quals->quals |= qual;
  return true;
}

/* type-qualifier = "const" | "volatile" | "restrict" | "_Atomic"
                  | shared-type-qualifier | "strict" | "relaxed" */
bool
accept_qualifier (struct qualifiers *quals)
{
  switch (peek ())
    {
    case KEY_CONST:
      quals->quals |= QUAL_CONST;
      break;
    case KEY_VOLATILE:
      quals->quals |= QUAL_VOLATILE;
      break;
    case KEY_RESTRICT:
      quals->quals |= QUAL_RESTRICT;
      break;
    case KEY_ATOMIC:
      if (peek_behind (1) == '(')
        return false;
      quals->quals |= QUAL_ATOMIC;
      break;
    case KEY_IGNORED_QUALIFIER:
      break;
    case KEY_SHARED:
      parse_shared (quals);
      return true;
    case KEY_STRICT:
      return accept_reference (quals, QUAL_STRICT);
    case KEY_RELAXED:
      return accept_reference (quals, QUAL_RELAXED);
    default:
      return false;
    }
  here++;
  return true;
}

/* The block size that TYPE's own layout and QUALS agree on. */
static uint32_t
merged_block (struct type *type, const struct qualifiers *quals)
{
  unsigned own = quals_of (type);

  if (!(own & QUAL_SHARED))
    return quals->block;
  if (!(quals->quals & QUAL_LAYOUT))
    return block_of (type);
  if (own & QUAL_LAYOUT
      && (block_of (type) != quals->block
          || (own & QUAL_STAR_LAYOUT) != (quals->quals & QUAL_STAR_LAYOUT)))
    error_at (quals->layout_first, "more than one block size is specified: %s has one already "
              "(UPC 1.3, 6.5)", type_text (ultimate_type (type)));
  return quals->block;
}

struct type *
qualify (struct type *type, const struct qualifiers *quals, token_index where)
{
  unsigned all = quals->quals | quals_of (type);
  uint32_t block;

  if (!quals->quals)
    return type;
  if (quals->quals & QUAL_SHARED && type->kind == TYPE_FUNCTION)
    {
      error_at (quals->shared_token, "a function cannot be shared (UPC 1.3, 6.5.1.1)");
      return type;
    }
  block = merged_block (type, quals);
  if ((all & QUAL_STRICT) && (all & QUAL_RELAXED))
    {
      error_at (quals->reference_token != NO_TOKEN ? quals->reference_token : where,
                "both 'strict' and 'relaxed' (UPC 1.3, %s)", section_of (quals));
      all &= ~QUAL_RELAXED;
    }
  if (all & (QUAL_STRICT | QUAL_RELAXED) && !(all & QUAL_SHARED))
    {
      error_at (quals->reference_token, "'%s' without 'shared' (UPC 1.3, 6.5.1.1)",
                all & QUAL_STRICT ? "strict" : "relaxed");
      all &= ~(QUAL_STRICT | QUAL_RELAXED);
    }
  return with_quals (type, all, block);
}

static struct type *
float_n_type (const struct token *token)
{
  static const struct
  {
    const char *text;
    enum type_kind kind;
  } rows[] = {
    { "_Float16", TYPE_FLOAT16 },     { "__fp16", TYPE_FLOAT16 },
    { "_Float32", TYPE_FLOAT32 },
    { "_Float32x", TYPE_FLOAT32X },   { "_Float64", TYPE_FLOAT64 },
    { "_Float64x", TYPE_FLOAT64X },   { "_Float128", TYPE_FLOAT128 },
    { "__float128", TYPE_FLOAT128 },  { "__float80", TYPE_LDOUBLE },
    { "__bf16", TYPE_BFLOAT16 },      { "_Decimal32", TYPE_DECIMAL32 },
    { "_Decimal64", TYPE_DECIMAL64 }, { "_Decimal128", TYPE_DECIMAL128 },
  };

  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (token_is (token, rows[i].text))
      return type_basic (rows[i].kind);
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
  else if (words->is_long > 1)
    kind = TYPE_LLONG;
  else if (words->is_long)
    kind = TYPE_LONG;
  return type_basic (kind + is_unsigned);
}

/* The type that the words make. Wrong mixtures are left to the compiler. */
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
  else if (words->is_double || (words->is_complex && !words->is_int && !words->is_char
                                && !words->is_short && !words->is_long && !words->is_int128
                                && !words->is_signed && !words->is_unsigned))
    type = type_basic (words->is_long ? TYPE_LDOUBLE : TYPE_DOUBLE);
  else
    type = integer_type (words);
  if (words->is_complex && !words->other)
    type = complex_of (type);
  return type;
}

/* typeof-specifier = "typeof" "(" (expression | type-name) ")" */
static struct type *
parse_typeof (struct part ***tail)
{
  struct part part = { .kind = PART_EXPR };
  struct type *type;

  here++;
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
  return type;
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

/* One word of a type. False if there is none that could follow. */
static bool
accept_type_word (struct words *words, struct part ***tail)
{
  struct name *name = token_at (here)->name;

  switch (peek ())
    {
    case KEY_VOID:
      words->is_void = 1;
      break;
    case KEY_BOOL:
      words->is_bool = 1;
      break;
    case KEY_CHAR:
      words->is_char = 1;
      break;
    case KEY_SHORT:
      words->is_short = 1;
      break;
    case KEY_INT:
      words->is_int = 1;
      break;
    case KEY_LONG:
      words->is_long += words->is_long < 2;
      break;
    case KEY_SIGNED:
      words->is_signed = 1;
      break;
    case KEY_UNSIGNED:
      words->is_unsigned = 1;
      break;
    case KEY_FLOAT:
      words->is_float = 1;
      break;
    case KEY_DOUBLE:
      words->is_double = 1;
      break;
    case KEY_COMPLEX:
      words->is_complex = 1;
      break;
    case KEY_INT128:
      words->is_int128 = 1;
      break;
    case KEY_FLOATN:
      words->other = float_n_type (token_at (here));
      break;
    case KEY_VA_LIST:
      words->other = type_basic (TYPE_VA_LIST);
      break;
    case KEY_AUTO_TYPE:
      words->other = &auto_type;
      break;
    case KEY_STRUCT:
    case KEY_UNION:
    case KEY_ENUM:
      words->any = true;
      words->other = parse_tagged (tail);
      return true;
    case KEY_TYPEOF:
      words->any = true;
      words->other = parse_typeof (tail);
      return true;
    case KEY_ATOMIC:
      words->any = true;
      here++;
      expect ('(', "'('");
      words->other = add_quals (parse_type_in_parens (tail)->type, QUAL_ATOMIC);
      return true;
    case TOKEN_NAME:
      if (words->any || !name->decl || name->decl->kind != DECL_TYPEDEF)
        return false;
      words->other = name->decl->type;
      break;
    default:
      return false;
    }
  words->any = true;
  here++;
  return true;
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
          && here == specifiers->first && starts_type (here + 1) && scope_depth () > 0))
    syntax_error (here, "unknown type name '%s'", token_at (here)->name->text);
}

struct type auto_type = { .kind = TYPE_UNKNOWN, .unqualified = &auto_type };

/* declaration-specifiers = (storage-class | type-qualifier | type-word | attribute
                             | "_Alignas" …)* */
struct specifiers *
parse_specifiers (struct attributes *attributes)
{
  struct specifiers *specifiers = NEW (struct specifiers);
  struct qualifiers quals = { .shared_token = NO_TOKEN, .reference_token = NO_TOKEN,
                              .layout_first = NO_TOKEN, .layout_last = NO_TOKEN };
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
  specifiers->type = qualify (type_of_words (&words), &quals, specifiers->first);
  specifiers->translate = quals.quals & (QUAL_SHARED | QUAL_STRICT | QUAL_RELAXED)
                          || specifiers->type->has_shared || type_is_shared (specifiers->type);
  for (struct part *p = specifiers->parts; p; p = p->next)
    specifiers->translate = specifiers->translate || p->translate;
  /* None: first > last, even at the first token of the file. */
  if (here == specifiers->first)
    {
      specifiers->first = here + 1;
      specifiers->last = here;
    }
  return specifiers;
}
