/* Strips in programs of several processes: whether all of a strip is near is asked once, not at each access, and the
   body is written twice (write/near.c).

   What a strip only reads of far memory is fetched before it, up to FETCHED_BYTES at once. Only where each
   iteration reads it, as memory beside an array may be nobody's; and where no iteration writes what another
   reads. */

#include "tools/upc2c/plan/internal.h"

struct reference *
planned_reference (struct expr *l)
{
  struct expr *element = element_of (l);
  const struct access_plan *p = element->kind == EXPR_INDEX ? element->plan : NULL;

  return p && p->address == ADDRESS_REFERENCE ? p->reference : NULL;
}

bool
is_in_strip (const struct reference *r)
{
  return r->stride_kind == STRIDE_IN_BLOCK && !r->crosses && !is_row (r);
}

static bool
has_static (const struct declaration *d)
{
  for (const struct decl *e = d->decls; e; e = e->next)
    if (e->has_static_duration)
      return true;
  return d->kind == DECLARATION_FUNCTION;
}

static bool
is_hard_to_repeat (struct stmt *s, void *unused)
{
  (void) unused;
  switch (s->kind)
    {
    case STMT_BLOCK:
    case STMT_EXPR:
    case STMT_EMPTY:
    case STMT_IF:
    case STMT_CONTINUE:
    case STMT_BREAK:
    case STMT_RETURN:
      return false;
    case STMT_DECLARATION:
      return has_static (s->declaration);
    default:
      return true;
    }
}

static bool
is_statement_in_expression (struct expr *e, void *unused)
{
  return is_statement_expr (e, unused) || e->kind == EXPR_LITERAL;
}

static bool
is_repeatable (struct stmt *loop)
{
  return !any_stmt (loop->then, is_hard_to_repeat, NULL)
         && !any_in_stmt (loop, is_statement_in_expression, NULL);
}

static bool
is_branch (struct stmt *s, void *unused)
{
  (void) unused;
  return s->kind != STMT_BLOCK && s->kind != STMT_EXPR && s->kind != STMT_EMPTY
         && s->kind != STMT_DECLARATION;
}

static bool
may_leave_out (struct expr *e, void *unused)
{
  (void) unused;
  return e->kind == EXPR_CONDITION || e->kind == EXPR_LOGICAL || e->kind == EXPR_CALL
         || e->kind == EXPR_GENERIC || e->kind == EXPR_SIZEOF;
}

bool
does_all (struct stmt *body)
{
  return !any_stmt (body, is_branch, NULL) && !any_in_stmt (body, may_leave_out, NULL);
}

static bool
may_fetch (struct loop *loop)
{
  return loop->is_independent && !loop->meetings && !loop->has_order && !loop->may_be_flat
         && !loop->residues && does_all (loop->stmt->then);
}

/* Is E more than a load of R? */
static bool
is_other_use (struct expr *e, void *r)
{
  if (is_store (e) || e->kind == EXPR_ADDRESS || e->kind == EXPR_DECAY)
    return planned_reference (e->a) == r;
  return (e->is_strict || e->is_awaited || (quals_of (e->type) & QUAL_VOLATILE))
         && planned_reference (e) == r;
}

static bool
is_fetched (struct loop *loop, struct reference *r)
{
  return may_fetch (loop) && is_in_strip (r) && !r->walk && !r->is_own
         && (r->stays || r->stride == 1 || r->stride == -1) && element_bytes (r) <= FETCHED_BYTES
         && !any_in_stmt (loop->stmt->then, is_other_use, r);
}

void
find_near (struct loop *loop)
{
  if (!switches.network || loop->form != LOOP_STRIPS || loop->crosses_blocks || loop->copy_to
      || !is_repeatable (loop->stmt))
    return;
  for (struct reference *r = loop->references; r; r = r->next)
    {
      loop->asks_once |= is_in_strip (r);
      r->is_fetched = is_fetched (loop, r);
    }
}
