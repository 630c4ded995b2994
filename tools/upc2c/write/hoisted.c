/* Hoisted values of loops (plan/hoisted.c), before the first iteration:

       int root1 = 0; root1 = g->n;
       pts root2 = { 0 };
       if (j < root1) { root2 = g->cell; } */

#include "tools/upc2c/write/internal.h"

static void
put_hoisted_value (const struct hoisted *h)
{
  putf ("%s = ", c_name (h->decl));
  gen_argument (h->value);
  put ("; ");
}

/* Those that the condition has first: the others are evaluated if there is a first iteration. */
static void
put_hoisted_variables (const struct hoisted *h)
{
  if (!h)
    return;
  put_hoisted_variables (h->next);
  if (type_is_pts (h->decl->type))
    putf (" __upc_pts %s = { 0 };", c_name (h->decl));
  else
    putf (" %s __attribute__ ((__unused__)) = 0;", declare_value (h->decl->type, c_name (h->decl)));
  if (h->is_in_condition)
    put_hoisted_value (h);
}

void
put_hoisted (struct stmt *s)
{
  if (!s->hoisted)
    return;
  put_hoisted_variables (s->hoisted);
  if (s->hoisted->is_in_condition)
    return;
  put (" if (");
  gen_expr (s->expr);
  put (") { ");
  for (struct hoisted *h = s->hoisted; h; h = h->next)
    if (!h->is_in_condition)
      put_hoisted_value (h);
  put ("} ");
}
