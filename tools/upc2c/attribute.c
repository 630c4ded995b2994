/* Attributes: what they do to types and layout is noted, the rest passes by. */

#include "tools/upc2c/front.h"
#include "tools/upc2c/parse.h"

#include <string.h>

bool
at_attribute (void)
{
  return peek () == KEY_ATTRIBUTE || (peek () == '[' && peek_behind (1) == '[');
}

token_index
behind_attributes (token_index at)
{
  while (token_at (at)->kind == KEY_ATTRIBUTE
         || (token_at (at)->kind == '[' && token_at (at + 1)->kind == '['))
    {
      int depth = 0;

      for (at += token_at (at)->kind == KEY_ATTRIBUTE; token_at (at)->kind != TOKEN_END; at++)
        {
          int kind = token_at (at)->kind;

          depth += (kind == '(' || kind == '[') - (kind == ')' || kind == ']');
          if (depth <= 0)
            break;
        }
      at += token_at (at)->kind != TOKEN_END;
    }
  return at;
}

/* Whether NAME is WORD, underscores around it or not. */
static bool
is_attribute (const struct name *name, const char *word)
{
  size_t length = strlen (word);

  if (name->length == length)
    return memcmp (name->text, word, length) == 0;
  return name->length == length + 4 && memcmp (name->text, "__", 2) == 0
         && memcmp (name->text + 2, word, length) == 0;
}

/* "(" constant ")", or DEFAULT_VALUE without one */
static uint64_t
parse_size_argument (uint64_t default_value)
{
  struct expr *e;

  if (!accept ('('))
    return default_value;
  e = parse_assignment ();
  expect (')', "')'");
  return e->is_constant && e->value > 0 ? (uint64_t) e->value : 0;
}

/* attribute = name ("(" … ")")? */
static void
parse_attribute (struct attributes *attributes)
{
  struct name *name = token_at (here)->name;

  if (!name)
    {
      if (peek () != ',' && peek () != ')')
        syntax_error (here, "expected an attribute's name");
      return;
    }
  here++;
  if (is_attribute (name, "aligned"))
    {
      uint64_t align = parse_size_argument (16);

      if (align > attributes->align && align <= 1 << 28)
        attributes->align = align;
    }
  else if (is_attribute (name, "packed"))
    attributes->is_packed = true;
  else if (is_attribute (name, "transparent_union"))
    attributes->is_transparent = true;
  else if (is_attribute (name, "vector_size"))
    attributes->vector_bytes = parse_size_argument (0);
  else if (is_attribute (name, "ext_vector_type"))
    attributes->vector_count = parse_size_argument (0);
  else if (is_attribute (name, "mode") && peek () == '(' && unit.tokens[here + 1].name)
    attributes->mode = unit.tokens[here + 1].name;
  if (peek () == '(')
    skip_parens ();
}

/* attribute = (name ":" ":")? name ("(" … ")")?. Only gnu's matter here. */
static void
parse_standard_attribute (struct attributes *attributes)
{
  struct attributes ignored = { 0 };
  bool is_gnu = false;

  if (peek_behind (1) == ':' && peek_behind (2) == ':')
    {
      is_gnu = token_at (here)->name && is_attribute (token_at (here)->name, "gnu");
      here += 3;
    }
  if (!token_at (here)->name)
    syntax_error (here, "expected an attribute's name");
  parse_attribute (is_gnu ? attributes : &ignored);
}

/* "[" "[" attribute? ("," attribute?)* "]" "]", of C23 */
static void
parse_standard_attributes (struct attributes *attributes)
{
  expect ('[', "'['");
  expect ('[', "'['");
  while (peek () != ']')
    if (!accept (','))
      parse_standard_attribute (attributes);
  expect (']', "']'");
  expect (']', "']'");
}

/* attributes = ("__attribute__" "(" "(" attribute ("," attribute)* ")" ")"
                 | "[" "[" … "]" "]")* */
void
parse_attributes (struct attributes *attributes)
{
  while (at_attribute ())
    {
      if (!accept (KEY_ATTRIBUTE))
        {
          parse_standard_attributes (attributes);
          continue;
        }
      expect ('(', "'('");
      expect ('(', "'('");
      while (peek () != ')')
        {
          parse_attribute (attributes);
          if (!accept (','))
            break;
        }
      expect (')', "')'");
      expect (')', "')'");
    }
}

static const struct
{
  const char *name;
  enum type_kind kind;
  enum type_kind unsigned_kind;
} modes[] = {
  { "QI", TYPE_SCHAR, TYPE_UCHAR },    { "byte", TYPE_SCHAR, TYPE_UCHAR },
  { "HI", TYPE_SHORT, TYPE_USHORT },   { "SI", TYPE_INT, TYPE_UINT },
  { "DI", TYPE_LONG, TYPE_ULONG },     { "word", TYPE_LONG, TYPE_ULONG },
  { "pointer", TYPE_LONG, TYPE_ULONG }, { "unwind_word", TYPE_LONG, TYPE_ULONG },
  { "TI", TYPE_INT128, TYPE_UINT128 }, { "HF", TYPE_FLOAT16, TYPE_FLOAT16 },
  { "SF", TYPE_FLOAT, TYPE_FLOAT },    { "DF", TYPE_DOUBLE, TYPE_DOUBLE },
  { "XF", TYPE_LDOUBLE, TYPE_LDOUBLE }, { "TF", TYPE_FLOAT128, TYPE_FLOAT128 },
  { "SC", TYPE_FLOAT, TYPE_FLOAT },    { "DC", TYPE_DOUBLE, TYPE_DOUBLE },
  { "XC", TYPE_LDOUBLE, TYPE_LDOUBLE }, { "TC", TYPE_FLOAT128, TYPE_FLOAT128 },
};

static struct type *
with_mode (struct type *type, const struct name *mode)
{
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (is_attribute (mode, modes[i].name))
      {
        struct type *basic
          = type_basic (type_is_unsigned (type) ? modes[i].unsigned_kind : modes[i].kind);

        if (type->kind == TYPE_COMPLEX)
          basic = complex_of (basic);
        return with_quals (basic, type->quals, type->block);
      }
  return type_unknown;
}

static struct type *
vector_as_asked (struct type *type, const struct attributes *attributes)
{
  uint64_t size = type_size (type).value;
  uint64_t count = attributes->vector_count;

  if (attributes->vector_bytes && size)
    count = attributes->vector_bytes / size;
  if (!count || !type_is_arithmetic (type))
    return type_unknown;
  return with_quals (vector_of (unqualified (type), count), type->quals, type->block);
}

/* vector_size of an array, pointer or function is that of what is at its end. */
struct type *
apply_attributes (struct type *type, const struct attributes *attributes)
{
  if (!attributes->vector_bytes && !attributes->vector_count && !attributes->mode)
    return type;
  switch (type->kind)
    {
    case TYPE_POINTER:
      return with_quals (pointer_to (apply_attributes (type->base, attributes)), type->quals,
                         type->block);
    case TYPE_ARRAY:
      return array_of_kind (apply_attributes (type->base, attributes), type->length_kind,
                            type->count, type->length);
    case TYPE_FUNCTION:
      return function_returning (apply_attributes (type->base, attributes), type->function.params,
                                 type->function.is_variadic, type->function.has_prototype);
    default:
      break;
    }
  if (attributes->mode)
    type = with_mode (type, attributes->mode);
  if (attributes->vector_bytes || attributes->vector_count)
    type = vector_as_asked (type, attributes);
  return type;
}

/* asm-label = ("asm" "(" string+ ")")? */
void
parse_asm_label (void)
{
  if (!accept (KEY_ASM))
    return;
  if (peek () != '(')
    expect ('(', "'('");
  skip_parens ();
}
