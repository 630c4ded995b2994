/* Loops whose number of iterations follows from their header, whatever the loops around them do:

       for (l = 0; l < n; l += 16) for (i = l; i < l + 16; i++) …

   The loop of i has 16, though i has n values. */

#include "tools/upc2c/plan/internal.h"

uint64_t
iterations_of_tile (struct expr *first, struct expr *bound, struct loop *loop)
{
  struct affine from, to;
  int64_t apart;

  bound = strip_parens (bound);
  if (bound->kind == EXPR_CONDITION && bound->b)
    {
      uint64_t b = iterations_of_tile (first, bound->b, loop);
      uint64_t c = iterations_of_tile (first, bound->c, loop);

      return b && (!c || b < c) ? b : c;
    }
  if (!find_affine (first, loop, &from) || !find_affine (bound, loop, &to)
      || !find_apart (&from, &to, &apart))
    return 0;
  apart = loop->is_down ? -apart : apart;
  apart += loop->relation == TOKEN_LESS_EQUAL || loop->relation == TOKEN_GREATER_EQUAL;
  return apart <= 0 ? 0 : ((uint64_t) apart - 1) / (uint64_t) loop->step_value + 1;
}
