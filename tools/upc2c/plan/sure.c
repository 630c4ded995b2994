/* What makes accesses quick that go here and there, but may be missing: a table of blocks, or a number of threads that is a
   power of 2. To ask for it in each iteration is a tenth of the loop, and gcc -O2 takes no such question out of it. So the
   loop is written twice, and asked once which it is to be. */

#include "tools/upc2c/plan/internal.h"

static bool
may_be_twice (struct loop *loop)
{
  struct stmt *s = loop->stmt;

  return may_have_two_forms (loop) && !switches.race && !switches.network && !has_watched_access (s)
         && !has_watched_header (s) && !any_in_stmt (s, is_statement_expr, NULL);
}

static void
need_table (struct loop *loop, struct tabled *t)
{
  struct sure *s = loop->sure;

  while (s && s->tabled != t)
    s = s->next;
  if (s)
    return;
  s = NEW (struct sure);
  *s = (struct sure){ t, loop->sure };
  loop->sure = s;
}

void
find_sure (struct expr *l, struct loop *around)
{
  struct tabled *t = l->plan->tabled;

  /* Rows are found before tables are asked. */
  if (block_of (l->type) == 0 || is_checked_code (l->first) || (!t && switches.threads)
      || (root_of (l).object && enclosing_row (l)) || !may_be_twice (around))
    return;
  l->plan->sure = around;
  if (t)
    need_table (around, t);
  else
    around->is_sure_by_power = true;
}
