/* Numbers, character constants and strings. */

#include "tools/upc2c/parse/internal.h"

#include <ctype.h>
#include <string.h>

static int
digit_value (char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* clang-format off */
static const struct
{
  const char *text;
  enum type_kind kind;
} float_suffixes[] = {
  { "", TYPE_DOUBLE },         { "f", TYPE_FLOAT },         { "l", TYPE_LDOUBLE },
  { "d", TYPE_DOUBLE },        { "f16", TYPE_FLOAT16 },     { "f32", TYPE_FLOAT32 },
  { "f64", TYPE_FLOAT64 },     { "f32x", TYPE_FLOAT32X },   { "f64x", TYPE_FLOAT64X },
  { "f128", TYPE_FLOAT128 },   { "q", TYPE_FLOAT128 },      { "w", TYPE_LDOUBLE },
  { "bf16", TYPE_BFLOAT16 },   { "df", TYPE_DECIMAL32 },    { "dd", TYPE_DECIMAL64 },
  { "dl", TYPE_DECIMAL128 },
};
/* clang-format on */

/* SUFFIX in lower case without i and j; true if one of them was there. */
static bool
copy_suffix (char *suffix, size_t capacity, const char *text, const char *end)
{
  bool is_imaginary = false;
  size_t n = 0;

  for (; text < end && n + 1 < capacity; text++)
    if (tolower ((unsigned char) *text) == 'i' || tolower ((unsigned char) *text) == 'j')
      is_imaginary = true;
    else
      suffix[n++] = tolower ((unsigned char) *text);
  suffix[n] = 0;
  return is_imaginary;
}

static void
set_float (struct expr *e, const char *text, const char *end)
{
  char suffix[8];
  bool is_imaginary = copy_suffix (suffix, sizeof suffix, text, end);

  e->kind = EXPR_FLOAT;
  e->type = type_basic (TYPE_DOUBLE);
  for (size_t i = 0; i < sizeof float_suffixes / sizeof *float_suffixes; i++)
    if (strcmp (suffix, float_suffixes[i].text) == 0)
      e->type = type_basic (float_suffixes[i].kind);
  if (is_imaginary)
    e->type = complex_of (e->type);
}

/* The first type in the standard's list that holds VALUE. */
static enum type_kind
integer_kind (uint64_t value, bool is_decimal, bool is_unsigned, int longs)
{
  if (longs == 0 && !is_unsigned && value <= INT32_MAX)
    return TYPE_INT;
  if (longs == 0 && (is_unsigned || !is_decimal) && value <= UINT32_MAX)
    return TYPE_UINT;
  if (!is_unsigned && value <= INT64_MAX)
    return longs == 2 ? TYPE_LLONG : TYPE_LONG;
  return longs == 2 ? TYPE_ULLONG : TYPE_ULONG;
}

static void
set_integer (struct expr *e, uint64_t value, bool is_decimal, const char *text, const char *end)
{
  bool is_unsigned = false, is_imaginary = false;
  int longs = 0;

  for (; text < end; text++)
    switch (tolower ((unsigned char) *text))
      {
      case 'u':
        is_unsigned = true;
        break;
      case 'l':
        longs++;
        break;
      case 'i':
      case 'j':
        is_imaginary = true;
        break;
      }
  e->kind = EXPR_INTEGER;
  e->type = type_basic (integer_kind (value, is_decimal, is_unsigned, longs));
  if (is_imaginary)
    {
      e->kind = EXPR_FLOAT;
      e->type = complex_of (e->type);
      return;
    }
  e->is_constant = true;
  e->value = value;
}

/* Decimal digits, or of a prefix's base; then what makes it a floating constant. */
void
parse_number (struct expr *e)
{
  const struct token *token = token_at (e->first);
  const char *c = token->text, *end = c + token->length;
  int base = 10;
  uint64_t value = 0;
  bool is_too_large = false;

  if (*c == '0' && end - c > 1)
    {
      base = 8;
      if ((c[1] | 0x20) == 'x')
        base = 16;
      else if ((c[1] | 0x20) == 'b')
        base = 2;
      c += base == 8 ? 1 : 2;
    }
  for (; c < end && (*c == '\'' || digit_value (*c) < (base == 16 ? 16 : 10)); c++)
    if (*c != '\'')
      {
        is_too_large = is_too_large || value > (UINT64_MAX - digit_value (*c)) / base;
        value = value * base + digit_value (*c);
      }
  if (c < end && (*c == '.' || (base == 16 ? (*c | 0x20) == 'p' : base != 2 && (*c | 0x20) == 'e')))
    {
      if (*c == '.')
        while (++c < end && digit_value (*c) < (base == 16 ? 16 : 10))
          ;
      if (c < end && (base == 16 ? (*c | 0x20) == 'p' : (*c | 0x20) == 'e'))
        for (c += c + 1 < end && (c[1] == '+' || c[1] == '-') ? 2 : 1;
             c < end && isdigit ((unsigned char) *c);)
          c++;
      set_float (e, c, end);
    }
  else
    {
      set_integer (e, value, base == 10, c, end);
      e->is_constant = e->is_constant && !is_too_large;
    }
}

/* The type of a literal's elements by its prefix; *C moves to the quote. */
static enum type_kind
literal_kind (const char **c)
{
  enum type_kind kind = TYPE_CHAR;

  for (; **c != '"' && **c != '\''; ++*c)
    if (**c == 'L')
      kind = switches.arm ? TYPE_UINT : TYPE_INT; /* wchar_t */
    else if (**c == 'U')
      kind = TYPE_UINT;
    else if (**c == 'u' && (*c)[1] != '8')
      kind = TYPE_USHORT;
  return kind;
}

/* One character or escape sequence of a literal, before END. *IS_BYTE: it is a code
   of one element, not a character that an encoding may make longer. */
static uint32_t
read_character (const char **at, const char *end, bool *is_byte)
{
  const char *c = *at;
  uint32_t value = (unsigned char) *c++;
  static const char letters[] = "abfnrtve", codes[] = "\a\b\f\n\r\t\v\033";

  *is_byte = value < 0x80;
  if (value == '\\' && c < end)
    {
      const char *letter = strchr (letters, *c);
      int digits = *c == 'u' ? 4 : *c == 'U' ? 8 : 0;

      *is_byte = digits == 0;
      if (*c == 'x' || digits)
        for (value = 0, c++, digits = digits ? digits : 999;
             c < end && digit_value (*c) < 16 && digits-- > 0; c++)
          value = value * 16 + digit_value (*c);
      else if (*c >= '0' && *c <= '7')
        for (value = 0, digits = 3; c < end && *c >= '0' && *c <= '7' && digits-- > 0; c++)
          value = value * 8 + (*c - '0');
      else
        {
          value = letter ? (uint32_t) codes[letter - letters] : (unsigned char) *c;
          c++;
        }
    }
  else if (value >= 0xc0)
    {
      value &= value >= 0xf0 ? 7 : value >= 0xe0 ? 15 : 31;
      for (; c < end && (*c & 0xc0) == 0x80; c++)
        value = value << 6 | (*c & 0x3f);
    }
  *at = c;
  return value;
}

void
parse_character (struct expr *e)
{
  const struct token *token = token_at (e->first);
  const char *c = token->text, *end = c + token->length - 1;
  enum type_kind kind = literal_kind (&c);
  uint32_t value = 0;
  bool is_byte;
  int count = 0;

  for (c++; c < end; count++)
    {
      uint32_t next = read_character (&c, end, &is_byte);

      value = kind == TYPE_CHAR ? value << 8 | (next & 0xff) : next;
    }
  e->kind = EXPR_INTEGER;
  e->type = kind == TYPE_CHAR ? type_int () : type_basic (kind);
  e->is_constant = true;
  e->value = kind == TYPE_CHAR && count == 1 && !switches.unsigned_char ? (int8_t) value
                                                                        : wrap (value, e->type);
}

/* How many elements of KIND the character takes. */
static unsigned
width_in (enum type_kind kind, uint32_t value, bool is_byte)
{
  if (is_byte)
    return 1;
  if (kind == TYPE_CHAR)
    return value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
  return kind == TYPE_USHORT && value >= 0x10000 ? 2 : 1;
}

static uint64_t
count_elements (const struct token *token, enum type_kind kind)
{
  const char *c = token->text, *end = c + token->length - 1;
  bool is_raw = memchr (c, 'R', strcspn (c, "\"")) != NULL, is_byte;
  uint64_t count = 0;

  literal_kind (&c);
  if (is_raw)
    {
      size_t delimiter = strcspn (c, "(") - 1;

      end -= delimiter + 1;
      c += delimiter + 1;
    }
  for (c++; c < end;)
    {
      uint32_t value;

      if (is_raw && *c == '\\')
        {
          c++;
          count++;
          continue;
        }
      value = read_character (&c, end, &is_byte);
      count += width_in (kind, value, is_byte);
    }
  return count;
}

/* string = string-literal+ */
struct expr *
parse_string (void)
{
  struct expr *e = new_expr (EXPR_STRING, here, NULL);
  enum type_kind kind = TYPE_CHAR;
  uint64_t count = 1;
  token_index end = here;

  for (; token_at (end)->kind == TOKEN_STRING; end++)
    {
      const char *c = token_at (end)->text;
      enum type_kind own = literal_kind (&c);

      kind = own != TYPE_CHAR ? own : kind;
    }
  for (; here < end; here++)
    count += count_elements (token_at (here), kind);
  e->type = array_of (type_basic (kind), count);
  e->is_lvalue = true;
  return finish (e, end - 1);
}
