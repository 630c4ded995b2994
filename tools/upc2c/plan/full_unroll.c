/* Loops that are unrolled completely:

       for (j = 1; j < n - 1; j++) { for (int b = -1; b <= 1; b++) sum += g[i][j + b]; … }

   The inner loop is too short to be worth strips, and the loop around knows nothing of g[i][j + b], since b is not its
   own. So the iterations are put in the place of the inner loop, with a constant for b in each: those of g[i][j - 1],
   g[i][j] and g[i][j + 1], of which it has strips, and vectors.

   Not for `g[j][b]`: of that the loop around has the row. Checks and events are those of the loop. */

#include "tools/upc2c/plan/internal.h"

enum
{
  MOST_ITERATIONS = 8,
  MOST_ACCESSES = 32
};

/* Where a statement is. */
struct site
{
  struct stmt *function; /* its body */
  bool is_in_loop, is_behind_pragma;
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

static bool
is_other_name (struct expr *e, void *decl)
{
  return e->kind == EXPR_NAME && e->decl != decl && is_variable (e->decl) && !e->is_constant;
}

/* Whether an index of E, an element of shared data, has COUNTER beside what loops around may know. */
static bool
has_mixed_index (struct expr *e, void *counter)
{
  return e->kind == EXPR_INDEX && type_is_shared (e->type)
         && any_in_expr (index_of (e), is_name_of, counter)
         && any_in_expr (index_of (e), is_other_name, counter);
}

static bool
count_access (struct expr *e, void *count)
{
  *(int *) count += e->kind == EXPR_LOAD
                    || (is_store (e) && type_is_shared (strip_parens (e->a)->type));
  return false;
}

/* How many iterations LOOP, whose stmt is set, has, if that is a constant; else 0. */
static int64_t
iterations_of (struct loop *loop, int64_t *first)
{
  int64_t last, distance;

  if (!find_header (loop) || is_by_pointer (loop) || loop->step
      || strip_parens (loop->stmt->step)->kind == EXPR_COMMA
      || !find_constants (loop, first, &last))
    return 0;
  distance = loop->is_down ? *first - last : last - *first;
  return distance < 0 ? 0 : distance / loop->step_value + 1;
}

static bool
is_worth_while (struct stmt *body, struct decl *counter, int64_t iterations)
{
  int accesses = 0;

  any_in_stmt (body, count_access, &accesses);
  return iterations <= MOST_ITERATIONS && iterations * accesses <= MOST_ACCESSES
         && any_in_stmt (body, has_mixed_index, counter);
}

static void
unroll (struct stmt *s, struct stmt *function)
{
  struct loop loop = { .stmt = s, .is_consecutive = true };
  struct stmt *body = s->then, *next = s->next, **at;
  int64_t first, iterations = iterations_of (&loop, &first);

  if (iterations == 0 || !counts_alone (loop.induction, s, function) || !is_straight (body)
      || !can_copy (body) || !is_worth_while (body, loop.induction, iterations))
    return;
  report_unrolled (s, iterations);
  *s = (struct stmt){ .kind = STMT_BLOCK,
                      .translate = true,
                      .is_strict = s->is_strict,
                      .first = s->first,
                      .last = s->last,
                      .next = next };
  at = &s->items;
  for (int64_t i = 0; i < iterations; i++, at = &(*at)->next)
    *at = copy_with (body, loop.induction,
                     loop.is_down ? first - i * loop.step_value : first + i * loop.step_value);
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
      {
        struct site inside = { site.function, true,
                               site.is_behind_pragma || stands_behind_pragma (s) };

        unroll_inside (s->then, inside);
        if (s->kind == STMT_FOR && site.is_in_loop && !site.is_behind_pragma && !has_pragmas (s))
          unroll (s, site.function);
        return;
      }
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
unroll_loops (struct stmt *body)
{
  if (knows_variables () && !switches.check && !switches.race && !switches.network
      && !switches.profile.is_on)
    unroll_inside (body, (struct site){ .function = body });
}
