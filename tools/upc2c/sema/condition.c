/* The conditional operator. */

#include "tools/upc2c/sema/internal.h"

/* The type of `? b : c` where one is a pointer-to-shared. */
static struct type *
choose_pts (token_index op_token, struct expr **b, struct expr **c)
{
  struct type *left = value_type (*b), *right = value_type (*c);
  bool is_left = type_is_pts (left);
  struct type *pts = is_left ? left : right;
  struct expr **other = is_left ? c : b;

  if (left->kind == TYPE_UNKNOWN || right->kind == TYPE_UNKNOWN)
    return pts;
  if (type_is_pts (left) && type_is_pts (right))
    {
      struct type *generic = type_is_generic_pts (left) ? left : right;

      if (!type_is_generic_pts (left) && !type_is_generic_pts (right))
        {
          check_same_pointers (op_token, left, right);
          return left;
        }
      if (!type_is_generic_pts (left))
        *b = implicit (EXPR_CONVERT, *b, generic);
      if (!type_is_generic_pts (right))
        *c = implicit (EXPR_CONVERT, *c, generic);
      return generic;
    }
  if (is_null_constant (*other))
    {
      *other = implicit (EXPR_CONVERT, *other, pts);
      return pts;
    }
  if (value_type (*other)->kind == TYPE_POINTER)
    error_at (op_token,
              "conditional expression mixes pointer-to-shared and "
              "pointer-to-local (have %s and %s) "
              "(UPC 1.3, 6.4.2)",
              type_text (left), type_text (right));
  else
    error_at (op_token, "type mismatch in conditional expression (have %s and %s)",
              type_text (left), type_text (right));
  return type_unknown;
}

static struct type *
choose_plain (struct expr *b, struct expr *c)
{
  struct type *left = operand_type (b), *right = operand_type (c);

  if (type_is_arithmetic (left) && type_is_arithmetic (right))
    return common_type (left, right);
  if (left->kind == TYPE_VOID || right->kind == TYPE_VOID)
    return type_void;
  if (left->kind == TYPE_POINTER && right->kind == TYPE_POINTER)
    {
      if (is_null_constant (b))
        return right;
      return is_null_constant (c) || right->base->kind != TYPE_VOID ? left : right;
    }
  return right->kind == TYPE_POINTER || left->kind == TYPE_UNKNOWN ? right : left;
}

struct expr *
make_condition (token_index op_token, struct expr *a, struct expr *b, struct expr *c)
{
  struct expr *e, *left;
  struct type *type;

  if (b)
    {
      a = condition_of (a);
      b = value_of (b);
    }
  else
    a = value_of (a);
  c = value_of (c);
  left = b ? b : a;
  if (type_is_pts (value_type (left)) || type_is_pts (value_type (c)))
    type = choose_pts (op_token, &left, &c);
  else
    type = choose_plain (left, c);
  if (b)
    b = left;
  else
    a = left;
  e = covering (EXPR_CONDITION, '?', op_token, a, c, type);
  e->b = b;
  e->c = c;
  e->translate = a->translate || c->translate || (b && b->translate) || (!b && type_is_pts (type));
  fold (e);
  return e;
}
