/* Unrolling. If a loop has scattered stores, and locates each element with a few instructions, counting
   its iterations is a third of the processor's work. Four iterations at once take two thirds to half of
   the time. Compilers do not unroll such loops at -O2 unless they are told to.

   Loops that only load are left alone: their sums take longer than locating the elements, and inner loops
   of nests are short. */

#include "tools/upc2c/plan/internal.h"

#include <stdlib.h>

enum
{
  MOST_EXPRESSIONS = 40, /* in the body */
  LEAST_STRIP = 32       /* iterations */
};

static bool
is_too_much (struct expr *e, void *count)
{
  return e->kind == EXPR_CALL || ++*(int *) count > MOST_EXPRESSIONS;
}

static bool
is_short (struct loop *loop)
{
  int count = 0;

  return !any_in_stmt (loop->stmt->then, is_too_much, &count);
}

static bool
has_long_strips (const struct loop *loop)
{
  for (const struct reference *r = loop->residues ? NULL : loop->references; r; r = r->next)
    if (r->stride_kind == STRIDE_IN_BLOCK && !r->stays && block_of (r->type) > 0
        && block_of (r->type) < LEAST_STRIP * labs (r->stride))
      return false;
  return !loop->is_windowed;
}

/* Whether L is found quickly where AROUND is sure of nothing. */
static bool
is_quick (struct expr *l)
{
  return root_of (l).object && !l->plan->tabled && block_of (l->type) > 0 && switches.threads
         && (switches.threads & (switches.threads - 1)) == 0;
}

static bool
is_branch (struct expr *e, void *data)
{
  (void) data;
  return e->kind == EXPR_LOGICAL || e->kind == EXPR_CONDITION;
}

/* gcc finds its pragma only beside a condition without branches, and warns of others. */
static bool
has_one_condition (struct loop *loop)
{
  return !loop->stmt->expr || !any_in_expr (loop->stmt->expr, is_branch, NULL);
}

/* A loop that has vectors stores nowhere else: L is the operand of a sizeof there. */
void
find_unrolled (struct expr *l, struct loop *around)
{
  if (around->is_independent && around->is_for_vectors)
    return;
  if ((l->plan->sure || l->plan->recent || is_quick (l)) && may_have_two_forms (around)
      && has_long_strips (around) && is_short (around) && has_one_condition (around))
    around->is_unrolled = true;
}
