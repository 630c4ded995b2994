/* Accesses that a loop may or may not do, through pointers that move up in its strips:

       for (; *p; p++) …                   for (…) if (p[i] > 0) …

   A byte of the shadow says how far an object extends. So -fupc-check keeps the end of what it saw at the
   last look, and looks again only beyond that. Nothing may be freed in between: the loop has no calls, and
   nothing in it synchronises with other threads. */

#include "tools/upc2c/plan/internal.h"

static bool
is_not_seen (struct stmt *s, void *unused)
{
  (void) unused;
  return s->kind == STMT_BARRIER || s->kind == STMT_ASM;
}

bool
may_free (struct stmt *s)
{
  return any_stmt (s->then, is_not_seen, NULL) || has_order (s->then) || may_order (s->expr)
         || may_order (s->step);
}

bool
may_look_ahead (struct loop *loop)
{
  return is_checked_code (loop->stmt->first) && loop->form == LOOP_STRIPS && !switches.network
         && !may_free (loop->stmt);
}

void
find_ahead (struct loop *loop)
{
  if (!may_look_ahead (loop))
    return;
  for (struct reference *r = loop->references; r; r = r->next)
    r->is_ahead = is_pointer (r) && !is_row (r) && r->stride_kind == STRIDE_IN_BLOCK
                  && r->stride > 0 && (!r->is_own || loop->is_by_one);
}
