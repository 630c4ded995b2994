/* Loops over shared data in programs of several processes, of which all share their memory in most runs: those of one
   node. Such a loop is written twice. Where the partitions of all threads are near, its copy is done, which
   is planned and written as in a program of one process (write/all_near.c). So it costs what it costs there, and
   only the other one asks where each element is, and fetches what is far.

   The outermost loop that may be copied has the loops in it copied, too. Loops that wait for other threads, and
   strict accesses, have one form: the rest of their time is that of the other thread. */

#include "tools/upc2c/plan/internal.h"

static bool
settles_wait (struct stmt *s, void *nothing)
{
  if (is_loop (s, nothing))
    settle_wait (s);
  return false;
}

static bool
is_ordered_access (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->is_lvalue && (e->is_strict || e->is_awaited);
}

static bool
is_shared_access (struct expr *e, void *nothing)
{
  (void) nothing;
  return (e->kind == EXPR_LOAD || is_store (e)) && type_is_shared (e->a->type);
}

static bool
is_written_twice (struct stmt *s)
{
  if (!can_copy_nest (s) || has_pragmas (s) || !any_in_stmt (s, is_shared_access, NULL))
    return false;
  any_stmt (s, settles_wait, NULL);
  return !any_in_stmt (s, is_ordered_access, NULL);
}

static void
unroll_near (struct stmt *copy, struct stmt *function)
{
  struct stmt both = { .kind = STMT_IF, .then = function, .otherwise = copy };

  switches.network = false;
  unroll_loops (copy, &both);
  switches.network = true;
}

static void
copy_inside (struct stmt *s, struct stmt *function)
{
  if (!s || !s->translate)
    return;
  if (is_loop (s, NULL) && is_written_twice (s))
    {
      s->all_near = copy_nest (s);
      unroll_near (s->all_near, function);
    }
  else if (s->kind == STMT_BLOCK)
    for (struct stmt *item = s->items; item; item = item->next)
      copy_inside (item, function);
  else
    {
      copy_inside (s->then, function);
      copy_inside (s->otherwise, function);
    }
}

void
copy_near_loops (struct stmt *function)
{
  if (knows_variables () && switches.network)
    copy_inside (function, function);
}
