/* Loops that wait: `while (!flag) ;`. If a loop changes no private variable of its condition, a
   change of shared data ends it, mostly by another thread, and the reads in it ought to be
   strict (UPC 1.3, B.3.1: relaxed ones alone order nothing). With relaxed reads the program
   would spin forever if the C compiler reads once, and would never yield the CPU. So the reads
   are made strict, which relaxed accesses may always be. Performance tools see them as they are
   written. */

#include "tools/upc2c/plan/internal.h"

struct wait
{
  struct stmt *loop;
  bool reads_shared;
  struct decl *copy; /* as in `while ((v = flag) == 0)`, or NULL */
  int copy_names;
};

/* A private variable that may have another value the next time. */
static bool
is_changed (struct expr *name, struct stmt *loop)
{
  return is_variable (name->decl) && !name->is_constant && !type_is_shared (name->decl->type)
         && !is_unchanged (name->decl, loop);
}

/* `copy = …`, once. */
static bool
is_copied (struct expr *assignment, struct wait *w)
{
  struct expr *target = strip_parens (assignment->a);

  if (w->copy || target->kind != EXPR_NAME || !is_variable (target->decl)
      || type_is_shared (target->decl->type))
    return false;
  w->copy = target->decl;
  return true;
}

static bool
may_change (struct expr *e, void *data)
{
  struct wait *w = data;

  if (has_effect (e))
    return true;
  switch (e->kind)
    {
    case EXPR_ASSIGN:
      return !is_copied (e, w);
    case EXPR_NAME:
      return e->decl && e->decl == w->copy ? ++w->copy_names > 1 : is_changed (e, w->loop);
    case EXPR_LOAD:
      w->reads_shared = w->reads_shared || type_is_shared (e->a->type);
      return false;
    default:
      return false;
    }
}

static bool
await_value (struct expr *e, void *nothing)
{
  (void) nothing;
  if (e->kind == EXPR_LOAD && type_is_shared (e->a->type))
    e->a->is_awaited = true;
  return false;
}

static void
settle_condition (struct expr *condition, struct stmt *loop)
{
  struct wait w = { .loop = loop };

  if (condition && !any_in_expr (condition, may_change, &w) && w.reads_shared)
    any_in_expr (condition, await_value, NULL);
}

static bool
is_endless (const struct stmt *loop)
{
  return !loop->expr || (loop->expr->is_constant && loop->expr->value != 0);
}

static struct stmt *
first_item (const struct stmt *loop)
{
  return loop->then->kind == STMT_BLOCK ? loop->then->items : loop->then;
}

static bool
is_name (struct expr *e, void *decl)
{
  return e->kind == EXPR_NAME && e->decl == decl;
}

/* Does the value of COPY decide when LOOP ends? */
static bool
decides (struct decl *copy, struct stmt *loop)
{
  if (any_in_expr (loop->expr, is_name, copy))
    return true;
  for (struct stmt *s = first_item (loop); s && is_endless (loop); s = s->next)
    if (s->kind == STMT_IF && any_in_expr (s->expr, is_name, copy))
      return true;
  return false;
}

/* `do v = flag; while (!v);` */
static void
settle_copy (struct expr *e, struct stmt *loop)
{
  struct wait w = { .loop = loop };

  if (e->kind == EXPR_ASSIGN && is_copied (e, &w) && decides (w.copy, loop))
    settle_condition (e->b, loop);
}

void
settle_wait (struct stmt *loop)
{
  settle_condition (loop->expr, loop);
  for (struct stmt *s = first_item (loop); s; s = s->next)
    if (s->kind == STMT_EXPR && s->expr)
      settle_copy (strip_parens (s->expr), loop);
    else if (s->kind == STMT_IF && is_endless (loop))
      settle_condition (s->expr, loop);
}
