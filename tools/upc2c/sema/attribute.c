/* The effect of attributes on a type. */

#include "tools/upc2c/sema/sema.h"

#include <string.h>

/* Whether NAME is WORD, underscores around it or not. */
bool
is_attribute (const struct name *name, const char *word)
{
  size_t length = strlen (word);

  if (name->length == length)
    return memcmp (name->text, word, length) == 0;
  return name->length == length + 4 && memcmp (name->text, "__", 2) == 0
         && memcmp (name->text + 2, word, length) == 0;
}

/* clang-format off */
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
/* clang-format on */

static struct type *
with_mode (struct type *type, const struct name *mode)
{
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (is_attribute (mode, modes[i].name))
      {
        struct type *basic = type_basic (type_is_unsigned (type) ? modes[i].unsigned_kind
                                                                 : modes[i].kind);

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
