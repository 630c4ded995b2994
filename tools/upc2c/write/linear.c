/* Linear forms, evaluated before the loop. */

#include "tools/upc2c/write/internal.h"

/* Sums of signed values are those of longs: what the program would not have got to may
   not overflow. */
static const char *
wide_type (const struct type *type)
{
  return type_is_unsigned (type) ? plain_type (type) : "long";
}

static const char *
operator_text (int op)
{
  switch (op)
    {
    case TOKEN_SHIFT_LEFT:
      return "<<";
    case TOKEN_SHIFT_RIGHT:
      return ">>";
    default:
      return arena_format ("%c", op);
    }
}

static void
put_wide (const struct type *type, struct expr *e)
{
  putf ("(%s) ", wide_type (type));
  put_linear (e);
}

void
put_linear (struct expr *e)
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
      put_linear (e->a);
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
