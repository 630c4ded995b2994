/* The body of a loop whose iterations run in lanes (lanes.c): each of its statements that contains no loop
   is in a loop over the lanes. */

#include "tools/upc2c/plan/internal.h"

/* The condition that the loops over lanes have: the end of LOOP is that of the lanes. */
static struct expr *
end_condition (struct loop *loop)
{
  struct expr *e = NEW (struct expr);
  const char *name = arena_format ("__upc_lanes_end%d", loop->number);

  *e = *strip_parens (loop->stmt->expr);
  e->translate = true;
  e->b = name_instead (loop->bound,
                       generate_variable (name, unqualified (loop->induction->type), loop->stmt));
  return e;
}

static struct stmt *
over_lanes (struct stmt *s, struct expr *condition, struct loop *loop)
{
  struct stmt *over = NEW (struct stmt);

  *over = (struct stmt){ .kind = STMT_FOR,
                         .translate = true,
                         .is_strict = s->is_strict,
                         .first = s->first,
                         .last = s->last,
                         .expr = condition,
                         .step = loop->stmt->step,
                         .then = s,
                         .lanes = loop->lanes };
  return over;
}

/* S with its statements in loops over lanes. */
static struct stmt *
rebuild (struct stmt *s, struct expr *condition, struct loop *loop)
{
  struct stmt *copy, **at;

  if (!any_stmt (s, is_loop, NULL))
    return over_lanes (s, condition, loop);
  copy = NEW (struct stmt);
  *copy = *s;
  if (s->kind == STMT_FOR)
    {
      copy->then = rebuild (s->then, condition, loop);
      return copy;
    }
  at = &copy->items;
  for (struct stmt *item = s->items; item; item = item->next, at = &(*at)->next)
    *at = rebuild (item, condition, loop);
  *at = NULL;
  return copy;
}

struct stmt *
body_over_lanes (struct loop *loop)
{
  return rebuild (loop->stmt->then, end_condition (loop), loop);
}
