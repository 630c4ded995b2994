/* Strips in programs of several processes: whether all of a strip is near is asked once, not at each access. The
   body is written twice:

       if (__upc_is_near (__upc_at1_2)) { plain accesses } else { accesses that ask (network.c) }

   What a strip only reads of far memory is fetched before it, up to FETCHED_BYTES at once:

       { char __upc_got1_1[…]; if (!__upc_is_near (__upc_at1_1)) { …; __upc_at1_1 = __upc_got1_1; } … }

   Only where each iteration reads it, as memory beside an array may be nobody's; and where no iteration writes what
   another reads. */

#include "tools/upc2c/write/internal.h"

enum
{
  FETCHED_BYTES = 4096
};

/* The element that L is, or is a part of. */
static struct expr *
element_of (struct expr *l)
{
  l = strip_parens (l);
  while (l->kind == EXPR_DOT)
    l = strip_parens (l->a);
  return l;
}

static const struct reference *
reference_of (struct expr *l)
{
  struct expr *element = element_of (l);
  const struct access_plan *p = element->kind == EXPR_INDEX ? element->plan : NULL;

  return p && p->address == ADDRESS_REFERENCE ? p->reference : NULL;
}

bool
is_known_near (struct expr *l)
{
  const struct reference *r = reference_of (l);

  return r && r->is_near && !l->is_strict && !l->is_awaited;
}

/* Where it is has a name, which is the same kind of memory for all of a strip. */
static bool
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
  (void) unused;
  return e->kind == EXPR_STATEMENT || e->kind == EXPR_LITERAL;
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

static bool
may_fetch (struct loop *loop)
{
  return loop->is_independent && !loop->meetings && !loop->has_order && !loop->may_be_flat
         && !loop->residues && !any_stmt (loop->stmt->then, is_branch, NULL)
         && !any_in_stmt (loop->stmt->then, may_leave_out, NULL);
}

/* Is E more than a load of R? */
static bool
is_other_use (struct expr *e, void *r)
{
  switch (e->kind)
    {
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
    case EXPR_ADDRESS:
    case EXPR_DECAY:
      return reference_of (e->a) == r;
    default:
      return (e->is_strict || e->is_awaited || (quals_of (e->type) & QUAL_VOLATILE))
             && reference_of (e) == r;
    }
}

static bool
is_fetched (struct loop *loop, struct reference *r)
{
  return may_fetch (loop) && is_in_strip (r) && !r->walk && !r->is_own
         && (r->stays || r->stride == 1 || r->stride == -1) && element_bytes (r) <= FETCHED_BYTES
         && !any_in_stmt (loop->stmt->then, is_other_use, r);
}

static void
put_is_near (struct loop *loop, struct reference *r)
{
  putf ("__upc_is_near (__upc_at%d_%d)", loop->number, r->number);
}

static void
put_buffer (struct loop *loop, struct reference *r)
{
  unsigned long bytes = element_bytes (r);

  putf ("char __upc_got%d_%d[%d] __attribute__ ((aligned (64))); if (!", loop->number, r->number,
        FETCHED_BYTES);
  put_is_near (loop, r);
  putf (" && __upc_left%d > %lu) __upc_left%d = %lu; ", loop->number, FETCHED_BYTES / bytes,
        loop->number, FETCHED_BYTES / bytes);
}

static void
put_fetch (struct loop *loop, struct reference *r)
{
  int n = loop->number, m = r->number;
  unsigned long bytes = element_bytes (r);

  put ("if (!");
  put_is_near (loop, r);
  put (") { ");
  if (r->stays)
    putf (
        "__upc_remote_load (__upc_got%d_%d, __upc_at%d_%d, %lu); __upc_at%d_%d = __upc_got%d_%d; ",
        n, m, n, m, bytes, n, m, n, m);
  else
    {
      const char *back = r->stride > 0 ? "0" : arena_format ("(__upc_left%d - 1) * %lu", n, bytes);

      putf ("__upc_remote_load (__upc_got%d_%d, __upc_at%d_%d - %s, __upc_left%d * %lu); ", n, m, n,
            m, back, n, bytes);
      putf ("__upc_at%d_%d = __upc_got%d_%d + %s; ", n, m, n, m, back);
    }
  put ("} ");
}

bool
begin_near (struct loop *loop)
{
  int count = 0;

  if (!switches.network || loop->copy_to || !is_repeatable (loop->stmt))
    return false;
  for (struct reference *r = loop->references; r; r = r->next)
    count += is_in_strip (r);
  if (count == 0)
    return false;
  put ("if (1");
  for (struct reference *r = loop->references; r; r = r->next)
    if (is_in_strip (r) && !is_fetched (loop, r))
      {
        put (" && ");
        put_is_near (loop, r);
      }
  put (") { ");
  for (struct reference *r = loop->references; r; r = r->next)
    if (is_fetched (loop, r))
      put_buffer (loop, r);
  for (struct reference *r = loop->references; r; r = r->next)
    {
      if (is_fetched (loop, r))
        put_fetch (loop, r);
      r->is_near = is_in_strip (r);
    }
  return true;
}

void
end_near (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    r->is_near = false;
  put ("} else { ");
}
