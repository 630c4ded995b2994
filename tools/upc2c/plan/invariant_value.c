/* Values that all iterations of a strip load:

       for (j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];

   If the iterations are independent, none of them stores to a[i][k]. C compilers cannot see that, and
   would load it in each iteration. So it is loaded once. */

#include "tools/upc2c/plan/internal.h"

enum
{
  MOST_VALUES = 32
};

/* Whether L, an element, is the same one in the whole of LOOP's strips. */
static bool
is_invariant (const struct expr *l, const struct loop *loop)
{
  const struct access_plan *p = l->plan;

  switch (p->address)
    {
    case ADDRESS_INVARIANT:
      return true;
    case ADDRESS_REFERENCE:
      return p->loop != loop && !p->reference->walk;
    default:
      return false;
    }
}

/* The variable that has the value of L in LOOP; NULL: there are too many. */
static struct invariant_value *
value_of (struct expr *l, struct loop *loop)
{
  struct invariant_value *v, *others = loop->values;

  for (v = others; v; v = v->next)
    if (v->l->plan->reference == l->plan->reference)
      return v;
  if (others && others->number == MOST_VALUES)
    return NULL;
  v = NEW (struct invariant_value);
  *v = (struct invariant_value){ loop, l, others ? others->number + 1 : 1, others };
  loop->values = v;
  return v;
}

static void
note_value (struct expr *e, void *data)
{
  struct expr *l = e->kind == EXPR_LOAD ? strip_parens (e->a) : NULL;

  if (l && l->kind == EXPR_INDEX && l->plan && is_plain_access (l) && is_invariant (l, data))
    l->plan->value = value_of (l, data);
}

void
find_values (struct loop *loop)
{
  if (loop->form == LOOP_STRIPS && loop->is_independent && !loop->is_by_copies && !loop->stmt->lanes
      && !switches.race && !switches.network && !switches.outlines)
    visit_certain (loop->stmt->then, note_value, loop);
}
