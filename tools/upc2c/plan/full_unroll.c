/* Loops that are unrolled completely:

       for (j = 1; j < n - 1; j++) { for (int b = -1; b <= 1; b++) sum += g[i][j + b]; … }

   The inner loop is too short for strips, and the outer loop cannot plan g[i][j + b], since b is not its
   own variable. So the iterations replace the inner loop, with a constant for b in each: the outer loop
   then has strips, and vectors, of g[i][j - 1], g[i][j] and g[i][j + 1].

   This does not apply to `g[j][b]`, nor to `g[i + j][b]`: the outer loop has the rows of these. Short
   loops inside short loops are unrolled together or not at all. Checks are those of the loop. */

#include "tools/upc2c/plan/internal.h"

enum
{
  MOST_ITERATIONS = 16, /* as many as C compilers give up for those of private arrays */
  MOST_ACCESSES = 64,
  MOST_STEP = 8, /* elements from one iteration of the loop around to the next: rows are longer */
  MOST_NESTED = 4
};

/* Where a statement is. */
struct site
{
  struct stmt *function; /* its body */
  struct stmt *around;   /* the innermost loop around it that stays, or NULL */
  bool is_behind_pragma;
};

/* A loop that may give way to its iterations. */
struct short_loop
{
  struct loop loop;
  int64_t first, iterations;
};

/* What is asked of the elements in such a loop. */
struct use
{
  struct decl *around;                /* the counter of the loop around, … */
  bool is_around_short;               /* … which has a few iterations itself */
  struct decl *counters[MOST_NESTED]; /* its own, and those of short loops in it */
  int count;
};

/* Whether S is a loop that gives D a value before all else. */
static bool
begins_with (const struct stmt *s, struct decl *d)
{
  struct expr *e = s->kind == STMT_FOR && !s->declaration && s->init_expr
                       ? strip_parens (s->init_expr)
                       : NULL;

  return e && e->kind == EXPR_ASSIGN && is_name_of (strip_parens (e->a), d)
         && !any_in_expr (e->b, is_name_of, d) && !has_entry (s->then, false);
}

/* Whether S has D outside of such loops, so that somebody may want its value behind one. */
static bool
has_outside (struct stmt *s, struct decl *d)
{
  struct stmt own;

  if (!s || begins_with (s, d))
    return false;
  if (s->kind == STMT_BLOCK)
    {
      for (struct stmt *item = s->items; item; item = item->next)
        if (has_outside (item, d))
          return true;
      return false;
    }
  own = *s;
  own.then = own.otherwise = NULL;
  return any_in_stmt (&own, is_name_of, d) || has_outside (s->then, d)
         || has_outside (s->otherwise, d);
}

/* Whether D counts the loop S alone: it is its own, or a variable of FUNCTION that nobody wants later. */
static bool
counts_alone (struct decl *d, struct stmt *s, struct stmt *function)
{
  if (s->declaration)
    return s->declaration->decls == d && !d->next;
  return begins_with (s, d) && !has_outside (function, d);
}

bool
count_access (struct expr *e, void *count)
{
  *(int64_t *) count += (e->kind == EXPR_LOAD || is_store (e))
                        && type_is_shared (strip_parens (e->a)->type);
  return false;
}

/* Whether S may give way; fills in LOOP. */
static bool
is_short (struct stmt *s, struct stmt *function, struct short_loop *loop)
{
  *loop = (struct short_loop){ 0 };
  if (s->kind != STMT_FOR || has_pragmas (s))
    return false;
  loop->iterations = constant_iterations (s, &loop->loop, &loop->first);
  return loop->iterations > 0 && loop->iterations <= MOST_ITERATIONS
         && counts_alone (loop->loop.induction, s, function) && is_straight (s->then);
}

/* How many accesses S has if the short loops in it give way; notes their counters. */
static int64_t
accesses_of (struct stmt *s, struct stmt *function, struct use *use)
{
  struct short_loop loop;
  struct stmt own;
  int64_t count = 0;

  if (!s)
    return 0;
  if (is_short (s, function, &loop))
    {
      if (use->count < MOST_NESTED)
        use->counters[use->count++] = loop.loop.induction;
      return loop.iterations * accesses_of (s->then, function, use);
    }
  if (s->kind == STMT_BLOCK)
    {
      for (struct stmt *item = s->items; item; item = item->next)
        count += accesses_of (item, function, use);
      return count;
    }
  own = *s;
  own.then = own.otherwise = NULL;
  any_in_stmt (&own, count_access, &count);
  return count + accesses_of (s->then, function, use) + accesses_of (s->otherwise, function, use);
}

/* Whether E, the right operand of OP, or one of a product, moves to another place by a few elements. */
static bool
is_small_factor (const struct expr *e, int op)
{
  return e->is_constant && e->value >= -MOST_STEP
         && (op == '*' ? e->value : 1l << (e->value & 31)) <= MOST_STEP;
}

/* Whether D, in E, is multiplied by what may be a row. */
static bool
is_far_product (struct expr *e, void *d)
{
  return e->kind == EXPR_BINARY && (e->op == '*' || e->op == TOKEN_SHIFT_LEFT)
         && any_in_expr (e, is_name_of, d) && !is_small_factor (strip_parens (e->b), e->op)
         && !(e->op == '*' && is_small_factor (strip_parens (e->a), e->op));
}

static bool
is_own_counter (struct expr *e, void *data)
{
  const struct use *use = data;

  for (int i = 0; i < use->count; i++)
    if (is_name_of (e, use->counters[i]))
      return true;
  return false;
}

static bool
is_other_name (struct expr *e, void *data)
{
  return e->kind == EXPR_NAME && is_variable (e->decl) && !e->is_constant
         && !is_own_counter (e, data);
}

/* Whether E is an element in small blocks, whose place clang finds from that of the one beside it; gcc does not. */
static bool
is_beside_others (struct expr *e, struct use *use)
{
  return switches.clang && is_in_small_blocks (e) && any_in_expr (index_of (e), is_own_counter, use)
         && any_in_expr (index_of (e), is_other_name, use);
}

/* Whether E is an element that the loop around goes along, to another place in each iteration. */
static bool
is_along (struct expr *e, void *data)
{
  struct use *use = data;

  if (e->kind != EXPR_INDEX || !type_is_shared (e->type) || e->type->kind == TYPE_ARRAY)
    return false;
  if (is_beside_others (e, use))
    return true;
  return !use->is_around_short && any_in_expr (index_of (e), is_name_of, use->around)
         && !any_in_expr (index_of (e), is_far_product, use->around)
         && any_in_expr (e, is_own_counter, use);
}

/* The counter of the loop S, or NULL. */
static struct decl *
counter_of (struct stmt *s)
{
  struct loop loop = { .stmt = s, .is_consecutive = true };

  return s && s->kind != STMT_DO && find_induction (&loop) ? loop.induction : NULL;
}

static bool
is_worth_while (struct stmt *s, const struct site *site)
{
  struct use use = { .around = counter_of (site->around) };
  struct short_loop around;

  if (!use.around)
    return false;
  use.is_around_short = is_short (site->around, site->function, &around);
  return accesses_of (s, site->function, &use) <= MOST_ACCESSES
         && any_in_stmt (s->then, is_along, &use);
}

static void
unroll (struct short_loop *short_loop)
{
  struct loop *loop = &short_loop->loop;
  struct stmt *s = loop->stmt, *body = s->then, *next = s->next, **at;
  int64_t step = change_of_induction (loop);

  report_unrolled (s, short_loop->iterations);
  *s = (struct stmt){ .kind = STMT_BLOCK,
                      .translate = true,
                      .is_strict = s->is_strict,
                      .first = s->first,
                      .last = s->last,
                      .next = next };
  at = &s->items;
  for (int64_t i = 0; i < short_loop->iterations; i++, at = &(*at)->next)
    *at = copy_with (body, loop->induction, short_loop->first + i * step);
}

static void unroll_inside (struct stmt *s, struct site site);

static void
unroll_loop (struct stmt *s, struct site site)
{
  struct short_loop loop;
  bool is_unrolled = !site.is_behind_pragma && is_short (s, site.function, &loop)
                     && is_worth_while (s, &site);

  site.is_behind_pragma = site.is_behind_pragma || stands_behind_pragma (s);
  if (!is_unrolled)
    site.around = s;
  unroll_inside (s->then, site);
  /* Loops inside that stay cannot be copied. */
  if (is_unrolled && can_copy (s->then))
    unroll (&loop);
}

static void
unroll_inside (struct stmt *s, struct site site)
{
  if (!s || !s->translate)
    return;
  switch (s->kind)
    {
    case STMT_BLOCK:
      site.is_behind_pragma = site.is_behind_pragma && s->items && !s->items->next;
      for (struct stmt *item = s->items; item; item = item->next)
        unroll_inside (item, site);
      return;
    case STMT_FOR:
    case STMT_FORALL:
    case STMT_WHILE:
    case STMT_DO:
      unroll_loop (s, site);
      return;
    case STMT_IF:
    case STMT_SWITCH:
    case STMT_LABEL:
    case STMT_CASE:
    case STMT_DEFAULT:
      unroll_inside (s->then, site);
      unroll_inside (s->otherwise, site);
      return;
    default:
      return;
    }
}

void
unroll_loops (struct stmt *s, struct stmt *function)
{
  if (knows_variables () && !switches.check && !switches.race && !switches.network)
    unroll_inside (s, (struct site){ .function = function });
}
