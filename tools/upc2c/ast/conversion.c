/* The conversions of arithmetic: ranks, promotions, common types (C17, 6.3.1). */

#include "tools/upc2c/ast/ast.h"

/* bool to int128, in the order of their rank. */
static int
rank (const struct type *type)
{
  switch (type->kind)
    {
    case TYPE_BOOL:
      return 0;
    case TYPE_CHAR:
    case TYPE_SCHAR:
    case TYPE_UCHAR:
      return 1;
    case TYPE_SHORT:
    case TYPE_USHORT:
      return 2;
    case TYPE_LONG:
    case TYPE_ULONG:
      return 4;
    case TYPE_LLONG:
    case TYPE_ULLONG:
      return 5;
    case TYPE_INT128:
    case TYPE_UINT128:
      return 6;
    default:
      return 3;
    }
}

bool
types_differ_in_sign (const struct type *a, const struct type *b)
{
  return type_is_integer (a) && type_is_integer (b) && a->kind != TYPE_ENUM && b->kind != TYPE_ENUM
         && a->kind != TYPE_BOOL && rank (a) == rank (b);
}

struct type *
promoted (struct type *type)
{
  if (type->kind == TYPE_ENUM)
    type = type->enumeration->underlying;
  if (!type_is_integer (type))
    return unqualified (type);
  if (rank (type) < 3)
    return type_int ();
  return type_basic (type->kind);
}

static struct type *
common_integer (struct type *a, struct type *b)
{
  a = promoted (a);
  b = promoted (b);
  if (rank (a) < rank (b))
    {
      struct type *swap = a;

      a = b;
      b = swap;
    }
  if (rank (a) == rank (b))
    return type_is_unsigned (a) ? a : b;
  /* Of higher rank, but as wide: long long and unsigned long. */
  if (!type_is_unsigned (a) && type_is_unsigned (b) && type_size (a).value == type_size (b).value)
    return type_basic (a->kind + 1);
  return a;
}

struct type *
common_type (struct type *a, struct type *b)
{
  if (a->kind == TYPE_UNKNOWN || b->kind == TYPE_UNKNOWN)
    return type_unknown;
  if (a->kind == TYPE_VECTOR || b->kind == TYPE_VECTOR)
    return unqualified (a->kind == TYPE_VECTOR ? a : b);
  if (a->kind == TYPE_COMPLEX || b->kind == TYPE_COMPLEX)
    return complex_of (
        common_type (a->kind == TYPE_COMPLEX ? a->base : a, b->kind == TYPE_COMPLEX ? b->base : b));
  if (type_is_real_float (a) || type_is_real_float (b))
    return type_basic (a->kind > b->kind ? (type_is_real_float (a) ? a->kind : b->kind)
                                         : (type_is_real_float (b) ? b->kind : a->kind));
  if (type_is_integer (a) && type_is_integer (b))
    return common_integer (a, b);
  return type_unknown;
}
