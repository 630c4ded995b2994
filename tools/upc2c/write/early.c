/* Expressions of the program that are evaluated before a loop: indexes of its first iteration. */

#include "tools/upc2c/write/internal.h"

/* Sums of signed values are those of longs: what the program would not have got to may
   not overflow. */
static const char *
wide_type (const struct type *type)
{
  return type_is_unsigned (type) ? plain_type (type) : "long";
}

static void
put_wide (const struct type *type, struct expr *e)
{
  putf ("(%s) ", wide_type (type));
  put_early (e);
}

void
put_early (struct expr *e)
{
  e = strip_parens (e);
  if (e->is_constant)
    {
      putf (type_is_unsigned (e->type) ? "%luul" : "(%ldl)", (unsigned long) e->value);
      return;
    }
  switch (e->kind)
    {
    case EXPR_NAME:
      put (c_name (e->decl));
      break;
    case EXPR_THREADS:
      put ("__upc_threads");
      break;
    case EXPR_MYTHREAD:
      put ("__upc_mythread");
      break;
    case EXPR_CAST:
      putf ("(%s) ", plain_type (e->type));
      put_early (e->a);
      break;
    case EXPR_UNARY:
      putf ("(%c ", e->op);
      put_wide (e->type, e->a);
      put (")");
      break;
    default:
      put ("(");
      put_wide (e->type, e->a);
      putf (" %s ", operator_text (e->op));
      put_wide (e->type, e->b);
      put (")");
    }
}

void
put_early_distance (struct expr *l, const struct expr *from)
{
  struct expr *p = pointer_of (l), *array = p->kind == EXPR_DECAY ? strip_parens (p->a) : NULL;

  if (array && array != from && array->kind == EXPR_INDEX)
    {
      put_early_distance (array, from);
      put (" + ");
    }
  put ("(long) ");
  put_early (index_of (l));
  put (step_factor (l->type));
}
