/* Expressions that differ by a constant. */

#include "tools/upc2c/lower/internal.h"


bool
are_equal (struct expr *a, struct expr *b)
{
  a = peel (a);
  b = peel (b);
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
      return types_match (a->type, b->type) && are_equal (a->a, b->a);
    case EXPR_UNARY:
      return a->op == b->op && are_equal (a->a, b->a);
    case EXPR_BINARY:
      return a->op == b->op && are_equal (a->a, b->a) && are_equal (a->b, b->b);
    default:
      return false;
    }
}

/* E without constants that are added to it, and their sum. */
static struct expr *
without_constant (struct expr *e, int64_t *sum)
{
  for (*sum = 0, e = peel (e); e->kind == EXPR_BINARY && !e->is_constant; e = peel (e))
    {
      if ((e->op == '+' || e->op == '-') && peel (e->b)->is_constant)
        {
          *sum += e->op == '-' ? -peel (e->b)->value : peel (e->b)->value;
          e = e->a;
        }
      else if (e->op == '+' && peel (e->a)->is_constant)
        {
          *sum += peel (e->a)->value;
          e = e->b;
        }
      else
        break;
    }
  return e;
}

bool
differ_by (struct expr *a, struct expr *b, int64_t *apart)
{
  int64_t more_a, more_b;

  a = without_constant (a, &more_a);
  b = without_constant (b, &more_b);
  *apart = more_b - more_a;
  return are_equal (a, b) && *apart > -(1 << 30) && *apart < 1 << 30;
}

bool
is_same_element (struct expr *a, struct expr *b)
{
  if (a == b)
    return true;
  for (; a->kind == EXPR_INDEX && b->kind == EXPR_INDEX; a = peel (pointer_of (a)->a), b = peel (pointer_of (b)->a))
    {
      if (!are_equal (number_of (a), number_of (b)) || pointer_of (a)->kind != pointer_of (b)->kind)
        return false;
      if (pointer_of (a)->kind != EXPR_DECAY)
        return are_equal (pointer_of (a), pointer_of (b));
    }
  return are_equal (a, b);
}
