/* Loops of which a sampling tool is told only some iterations. An event at each access keeps the C compiler from
   vectorising, and the planner from most of its work. So there is a copy of the loop's statement that raises no
   events, and is planned like code without events. It does the iterations up to the next one that the tool wants.
   That one is done as it is written (write/sampled.c, include/upct/watch.h). The loop's own header says what the
   copy leaves to do.

   Short loops inside belong to the iteration: to ask at each of their starts would take as long as they do. */

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/plan/internal.h"

/* To record as many takes less than what the recorder lets pass before the next iteration. */
enum
{
  MOST_ACCESSES = 32
};

/* How many accesses S does, at most; those of loops of which that is not known are many. */
static int64_t
accesses_of (struct stmt *s)
{
  struct loop loop;
  struct stmt own;
  int64_t count = 0, first, iterations = 1;

  if (!s)
    return 0;
  if (s->kind == STMT_BLOCK)
    {
      for (struct stmt *item = s->items; item; item = item->next)
        count += accesses_of (item);
      return count;
    }
  own = *s;
  own.then = own.otherwise = NULL;
  any_in_stmt (&own, count_access, &count);
  count += accesses_of (s->then) + accesses_of (s->otherwise);
  if (s->kind == STMT_FOR)
    iterations = constant_iterations (s, &loop, &first);
  return count && (!iterations || iterations > MOST_ACCESSES) ? MOST_ACCESSES + 1
                                                              : count * iterations;
}

static bool
is_for (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind == STMT_FOR;
}

/* What is called may raise events of its own, which are of no iteration. */
static bool
is_other_call (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_CALL && !is_pure_call (e);
}

/* Whether nothing but its own condition has the counter of LOOP. */
static bool
counts_for_itself (const struct loop *loop)
{
  struct decl *counter = strip_parens (loop->counter)->decl;

  return !any_in_stmt (loop->stmt->then, is_name_of, counter)
         && !any_in_expr (loop->stmt->step, is_name_of, counter);
}

/* How many iterations there were before a break is seen from the induction variable. */
static bool
finds_count (struct loop *loop)
{
  bool is_left = has_break (loop->stmt->then);

  if (find_header (loop))
    return !may_wrap (loop) && !(is_left && (is_forall (loop) || has_continue (loop->stmt->then)));
  loop->bound = NULL;
  if (!is_forall (loop))
    find_counter (loop);
  return loop->counter && !is_left && counts_for_itself (loop);
}

static bool
is_sampled (struct loop *loop)
{
  struct stmt *s = loop->stmt, repeated = *s;

  repeated.init_expr = NULL;
  repeated.declaration = NULL;
  return (s->kind != STMT_FORALL || s->affinity_kind == AFFINITY_INTEGER
          || s->affinity_kind == AFFINITY_POINTER)
         && has_watched_access (s->then) && !has_watched_header (s) && !has_pragmas (s)
         && can_copy_loop (s)
         && (!any_stmt (s->then, is_for, NULL) || accesses_of (s->then) <= MOST_ACCESSES)
         && !any_in_stmt (&repeated, is_other_call, NULL) && finds_count (loop);
}

static struct decl *
end_of (const struct loop *loop)
{
  const char *name = arena_format ("__upc_end_of_quiet%d", loop->number);
  struct type *type = loop->counter ? loop->counter->type
                      : is_by_pointer (loop)
                          ? loop->induction->type
                          : common_type (promoted (loop->induction->type),
                                         promoted (unqualified (loop->bound->type)));

  return generate_variable (name, unqualified (type), loop->stmt);
}

/* The copy ends where the next iteration is that the tool wants. */
static void
limit (struct stmt *quiet, const struct sampled *sampled)
{
  struct expr *was = strip_parens (sampled->loop.stmt->expr), *e = quiet->expr;

  for (; e->kind == EXPR_PAREN; e = e->a)
    e->translate = true;
  e->translate = true;
  if (!sampled->loop.counter)
    {
      struct expr **bound = was->b == sampled->loop.bound ? &e->b : &e->a;

      *bound = name_instead (*bound, sampled->end);
      return;
    }
  for (; e->kind != EXPR_STEP; e = e->a)
    e->translate = true;
  e->translate = true;
  e->a = name_instead (e->a, sampled->end);
}

static void
sample_loop (struct loop *loop)
{
  struct stmt *s = loop->stmt;
  struct sampled *sampled = NEW (struct sampled);

  loop->number = next_number ();
  loop->form = LOOP_AS_WRITTEN;
  loop->is_kept = true;
  *sampled = (struct sampled){ *loop, end_of (loop), copy_loop (s), has_break (s->then) };
  limit (sampled->quiet, sampled);
  sampled->quiet->whole = &sampled->loop;
  s->sampled = sampled;
}

/* Loops inside one that is sampled belong to its iterations. */
static void
sample_inside (struct stmt *s)
{
  struct loop loop = { .stmt = s, .is_consecutive = true };

  if (!s)
    return;
  if ((s->kind == STMT_FOR || s->kind == STMT_FORALL || s->kind == STMT_WHILE)
      && is_sampled (&loop))
    sample_loop (&loop);
  else if (s->kind == STMT_BLOCK)
    for (struct stmt *item = s->items; item; item = item->next)
      sample_inside (item);
  else
    {
      sample_inside (s->then);
      sample_inside (s->otherwise);
    }
}

void
sample_loops (struct stmt *body)
{
  if (knows_variables () && switches.profile.is_on && !switches.check && !switches.race
      && !switches.network)
    sample_inside (body);
}
