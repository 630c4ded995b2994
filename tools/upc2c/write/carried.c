/* Values of elements that are carried from iteration to iteration:

       carried = a[i - 1];
       for (…) { next = (a[i] = carried * r + b[i]); carried = next; }
       carried = c[i][j];
       for (…) { next = (c[i][j] = carried + a[i][k] * b[k][j]); carried = next; }

   or, if nothing else can see the element, with one store after the loop:

       for (…) carried = carried + a[i][k] * b[k][j];
       c[i][j] = carried; */

#include "tools/upc2c/write/internal.h"

static const char *
name_of_carried (const struct carried *c, const char *word)
{
  return arena_format ("__upc_%s%d_%d", word, c->loop->number, c->number);
}

void
put_carried_variables (struct loop *loop)
{
  for (struct carried *c = loop->carried; c; c = c->next)
    {
      putf ("%s = 0; ", declare_value (c->to->type, name_of_carried (c, "carried")));
      if (!c->late)
        putf ("%s; ", declare_value (c->to->type, name_of_carried (c, "stored")));
    }
}

void
put_carried_start (struct loop *loop)
{
  if (!loop->carried)
    return;
  /* The addresses are those of the strip's first iteration. Later strips go on with the values. */
  if (loop->crosses_blocks)
    putf ("if (__upc_end%d) { ", loop->number);
  else
    putf ("if (!__upc_set%d.__at) { __upc_n%d = 0; ", loop->number, loop->number);
  for (struct carried *c = loop->carried; c; c = c->next)
    {
      putf ("%s = ", name_of_carried (c, "carried"));
      gen_lvalue (c->to);
      put ("; ");
    }
  put ("} ");
}

void
put_carried_end (struct loop *loop)
{
  for (struct carried *c = loop->carried; c; c = c->next)
    if (!c->late)
      putf ("%s = %s; ", name_of_carried (c, "carried"), name_of_carried (c, "stored"));
}

void
put_late_stores (struct loop *loop)
{
  for (struct carried *c = loop->carried; c; c = c->next)
    if (c->late)
      {
        putf ("if (__upc_end%d) ", loop->number);
        gen_lvalue (c->late->a);
        putf (" = %s; ", name_of_carried (c, "carried"));
      }
}

/* What carries the value of L; or NULL. */
static struct carried *
carried_of (struct expr *l)
{
  return l->kind == EXPR_INDEX && l->plan ? l->plan->carried : NULL;
}

bool
put_carried (struct expr *l)
{
  if (!carried_of (l))
    return false;
  put (name_of_carried (carried_of (l), "carried"));
  close_at (l->last);
  return true;
}

const char *
open_store (struct expr *e)
{
  struct carried *c = carried_of (strip_parens (e->a));

  if (c && c->late)
    {
      put (name_of_carried (c, "carried"));
      return "";
    }
  if (c)
    putf ("%s = (", name_of_carried (c, "stored"));
  gen_raced_lvalue (e->a, true);
  return c ? ")" : "";
}

bool
put_carried_sum (struct expr *e)
{
  struct expr *l = strip_parens (e->a);
  struct carried *c = carried_of (l);

  if (!c || c->to != l)
    return false;
  putf (" = %s %s ", name_of_carried (c, "carried"), operator_text (e->op));
  return true;
}
