/* The value of an element that goes from iteration to iteration of a loop:

       carried = a[i - 1];
       for (…) { next = (a[i] = carried * r + b[i]); carried = next; }
       carried = c[i][j];
       for (…) { next = (c[i][j] = carried + a[i][k] * b[k][j]); carried = next; } */

#include "tools/upc2c/write/internal.h"

void
put_carried_variables (struct loop *loop)
{
  const struct type *type = loop->carried_to ? loop->carried_to->type : NULL;

  if (!type)
    return;
  putf ("%s = 0; ", declare_value (type, arena_format ("__upc_carried%d", loop->number)));
  putf ("%s; ", declare_value (type, arena_format ("__upc_next%d", loop->number)));
}

void
put_carried_start (struct loop *loop)
{
  if (!loop->carried_to)
    return;
  /* The addresses are those of the strip's first iteration. Later strips go on with the value. */
  if (loop->crosses_blocks)
    putf ("if (__upc_end%d) { __upc_carried%d = ", loop->number, loop->number);
  else
    putf ("if (!__upc_set%d.__at) { __upc_n%d = 0; __upc_carried%d = ", loop->number, loop->number,
          loop->number);
  gen_lvalue (loop->carried_to);
  put ("; } ");
}

void
put_carried_end (struct loop *loop)
{
  if (loop->carried_to)
    putf ("__upc_carried%d = __upc_next%d; ", loop->number, loop->number);
}

/* The loop that carries what L is; or NULL. */
static struct loop *
carrier_of (struct expr *l)
{
  return l->kind == EXPR_INDEX && l->plan ? l->plan->carrier : NULL;
}

bool
put_carried (struct expr *l)
{
  if (!carrier_of (l))
    return false;
  putf ("__upc_carried%d", carrier_of (l)->number);
  close_at (l->last);
  return true;
}

const char *
open_carried (struct expr *e)
{
  struct loop *loop = carrier_of (strip_parens (e->a));

  if (!loop)
    return "";
  putf ("__upc_next%d = (", loop->number);
  return ")";
}

bool
put_carried_sum (struct expr *e)
{
  struct expr *l = strip_parens (e->a);
  struct loop *loop = carrier_of (l);

  if (!loop || loop->carried_to != l)
    return false;
  putf (" = __upc_carried%d %s ", loop->number, operator_text (e->op));
  return true;
}
