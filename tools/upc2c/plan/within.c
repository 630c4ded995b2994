/* Elements below a pointer, where a loop stops at a bound or before it:

       for (; k > i && p[k - 1] > key; k--)
         p[k] = p[k - 1];

   A byte of the shadow tells nothing about what is before it. So -fupc-check looks, once for a strip, at all that the
   loop may access until it meets the bound, I. Only if not all of that is the object's, as the condition may keep the loop
   from there, are the accesses checked one by one. The strip is written twice.

   The condition must access an element in the first iteration, if there is one: elsewhere there may be no shadow. */

#include "tools/upc2c/plan/internal.h"

bool
is_in_boundless_block (const struct reference *r)
{
  return r->l->kind == EXPR_INDEX && r->stride_kind == STRIDE_IN_BLOCK && is_pointer (r)
         && !is_row (r) && block_of (r->type) == 0 && !r->row && !r->is_own && !r->walk
         && !r->is_fetched && !r->is_put;
}

static bool
is_of (const struct loop *loop, const struct reference *r)
{
  const struct reference *own = loop->references;

  while (own && own != r)
    own = own->next;
  return own;
}

static void
note_first (struct expr *e, void *data)
{
  struct loop *loop = data;
  struct reference *r = e->kind == EXPR_LOAD ? planned_reference (strip_parens (e->a)) : NULL;

  if (r && !loop->within && is_of (loop, r) && is_in_boundless_block (r) && r->stride < 0)
    loop->within = r;
}

/* The first `A && B` that E evaluates a part of; NULL: none. */
static struct expr *
first_pair (struct expr *e)
{
  e = e ? strip_parens (e) : NULL;
  if (!e || e->kind != EXPR_LOGICAL || e->op != TOKEN_AND_AND)
    return NULL;
  return first_pair (e->a) ? first_pair (e->a) : e;
}

/* The loop that A alone is the condition of. */
static struct loop *
bounded_by (struct expr *a, const struct loop *loop)
{
  struct loop *bounded = NEW (struct loop);

  *bounded = *loop;
  bounded->stmt = NEW (struct stmt);
  *bounded->stmt = *loop->stmt;
  bounded->stmt->expr = a;
  return find_bound (bounded) ? bounded : NULL;
}

void
find_within (struct loop *loop)
{
  struct expr *pair = first_pair (loop->stmt->expr);

  if (!pair || !loop->induction || loop->crosses_blocks || !may_have_two_forms (loop)
      || !may_look_ahead (loop) || strip_parens (loop->stmt->step)->kind == EXPR_COMMA)
    return;
  loop->most = bounded_by (pair->a, loop);
  if (loop->most)
    visit_certain_expr (pair->b, note_first, loop);
}
