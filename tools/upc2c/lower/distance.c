/* Expressions that differ by a constant. */

#include "tools/upc2c/lower/internal.h"

bool
are_same_expr (struct expr *a, struct expr *b)
{
  a = strip_parens (a);
  b = strip_parens (b);
  if (a->is_constant && b->is_constant)
    return a->value == b->value;
  if (a->kind != b->kind)
    return false;
  switch (a->kind)
    {
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_NAME:
      return a->decl == b->decl;
    case EXPR_CAST:
      return types_match (a->type, b->type) && are_same_expr (a->a, b->a);
    case EXPR_UNARY:
      return a->op == b->op && are_same_expr (a->a, b->a);
    case EXPR_BINARY:
      return a->op == b->op && are_same_expr (a->a, b->a) && are_same_expr (a->b, b->b);
    default:
      return false;
    }
}

/* E without constants that are added to it, and their sum. */
static struct expr *
without_constant (struct expr *e, int64_t *sum)
{
  for (*sum = 0, e = strip_parens (e); e->kind == EXPR_BINARY && !e->is_constant;
       e = strip_parens (e))
    {
      if ((e->op == '+' || e->op == '-') && strip_parens (e->b)->is_constant)
        {
          *sum += e->op == '-' ? -strip_parens (e->b)->value : strip_parens (e->b)->value;
          e = e->a;
        }
      else if (e->op == '+' && strip_parens (e->a)->is_constant)
        {
          *sum += strip_parens (e->a)->value;
          e = e->b;
        }
      else
        break;
    }
  return e;
}

bool
have_constant_distance (struct expr *a, struct expr *b, int64_t *apart)
{
  int64_t more_a, more_b;

  a = without_constant (a, &more_a);
  b = without_constant (b, &more_b);
  *apart = more_b - more_a;
  return are_same_expr (a, b) && *apart > -(1 << 30) && *apart < 1 << 30;
}

bool
is_same_element (struct expr *a, struct expr *b)
{
  if (a == b)
    return true;
  for (; a->kind == EXPR_INDEX && b->kind == EXPR_INDEX;
       a = strip_parens (pointer_of (a)->a), b = strip_parens (pointer_of (b)->a))
    {
      if (!are_same_expr (index_of (a), index_of (b))
          || pointer_of (a)->kind != pointer_of (b)->kind)
        return false;
      if (pointer_of (a)->kind != EXPR_DECAY)
        return are_same_expr (pointer_of (a), pointer_of (b));
    }
  return are_same_expr (a, b);
}
