/* Loops with two plans, between which the program chooses at run time. The tree has room for one plan;
   the other one is kept aside. */

#include "tools/upc2c/plan/internal.h"

static bool
has_plan (const struct expr *e)
{
  return e->kind == EXPR_INDEX || e->kind == EXPR_NAME;
}

static bool
keep (struct expr *e, void *data)
{
  struct loop *loop = data;
  struct kept *kept = NEW (struct kept);

  *kept = (struct kept){ .e = e, .next = loop->kept };
  loop->kept = kept;
  return false;
}

void
put_plans_aside (struct loop *loop)
{
  struct stmt *s = loop->stmt;

  any_in_expr (s->expr, keep, loop);
  any_in_expr (s->step, keep, loop);
  any_in_stmt (s->then, keep, loop);
  exchange_plans (loop);
}

void
exchange_plans (struct loop *loop)
{
  for (struct kept *kept = loop->kept; kept; kept = kept->next)
    {
      struct expr *e = kept->e;
      struct kept now = *kept;

      kept->is_checked = e->is_checked;
      kept->is_raced = e->is_raced;
      e->is_checked = now.is_checked;
      e->is_raced = now.is_raced;
      if (has_plan (e))
        {
          kept->plan = e->plan;
          e->plan = now.plan;
        }
    }
}
