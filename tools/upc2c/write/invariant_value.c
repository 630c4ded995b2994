/* Values that all iterations of a strip load (plan/invariant_value.c):

       const double value = count ? a[i][k] : 0;
       for (…) c[i][j] += value * b[k][j]; */

#include "tools/upc2c/write/internal.h"

static const char *
name_of_value (const struct invariant_value *v)
{
  return arena_format ("__upc_fixed%d_%d", v->loop->number, v->number);
}

void
put_fixed_values (struct loop *loop, const char *count)
{
  for (struct invariant_value *v = loop->values; v; v = v->next)
    {
      putf ("const %s = %s ? ", declare_value (v->l->type, name_of_value (v)), count);
      gen_lvalue (v->l);
      put (" : 0; ");
    }
}

bool
put_fixed_value (struct expr *l)
{
  const struct invariant_value *v = l->kind == EXPR_INDEX && l->plan ? l->plan->value : NULL;

  /* Iterations that have turned out to depend on each other have none. */
  if (!v || !v->loop->is_independent)
    return false;
  put (name_of_value (v));
  close_at (l->last);
  return true;
}
