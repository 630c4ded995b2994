/* Accesses that are reported to the race detector (-fupc-check=race, include/upct/race.h): relaxed
   accesses to objects that have an address in C. Those that a loop is certain to do, with a
   constant stride, are reported once for a strip: nothing in the body may synchronise with other
   threads, so a whole strip counts as one moment. */

#include "tools/upc2c/plan/internal.h"

static bool
is_ordered (const struct expr *l)
{
  return l->is_strict || (quals_of (l->type) & QUAL_ATOMIC);
}

bool
is_raced_code (const struct expr *l)
{
  return switches.race && !(token_at (l->first)->flags & TOKEN_SYSTEM) && !is_ordered (l)
         && !l->is_bit_field && type_size (l->type).is_known
         && !(l->kind == EXPR_INDEX && pointer_of ((struct expr *) l)->type->kind == TYPE_VECTOR);
}

static bool orders (struct expr *e, void *nothing);

static bool
is_statement_that_orders (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind == STMT_BARRIER;
}

/* Pure calls are of functions that have no effect on variables: each of them that has a body here is
   looked at, as they do not call each other for ever. */
static bool
call_may_order (struct expr *call)
{
  struct expr *name = strip_parens (call->a);

  if (!is_pure_call (call))
    return true;
  for (struct decl *d = name->decl; d; d = d->previous)
    if (d->body
        && (any_stmt (d->body, is_statement_that_orders, NULL)
            || any_in_stmt (d->body, orders, NULL)))
      return true;
  return false;
}

static bool
orders (struct expr *e, void *nothing)
{
  (void) nothing;
  return (e->kind == EXPR_CALL && call_may_order (e)) || e->kind == EXPR_STATEMENT
         || (e->is_lvalue && (is_ordered (e) || e->is_awaited));
}

bool
may_order (struct expr *e)
{
  return any_in_expr (e, orders, NULL);
}

bool
has_order (struct stmt *body)
{
  return any_in_stmt (body, orders, NULL);
}

/* A write tells of a read of the same element, too. */
static struct raced *
told_already (struct reference *r, struct loop *loop)
{
  struct raced *told = loop->raced;

  while (told && told->reference != r)
    told = told->next;
  return told;
}

void
note_raced (struct expr *l, bool is_write, struct loop *loop)
{
  struct expr *planned = l->kind == EXPR_INDEX ? l : name_pointed_by (l, loop);
  struct reference *r = planned && is_raced_code (l) ? strided_reference (planned, loop) : NULL;
  struct raced *told;

  if (!r)
    return;
  l->is_raced = true;
  told = told_already (r, loop);
  if (!told)
    {
      told = NEW (struct raced);
      *told = (struct raced){ .l = l, .reference = r, .next = loop->raced };
      loop->raced = told;
    }
  if (is_write && !told->is_write)
    {
      told->l = l;
      told->is_write = true;
    }
}
