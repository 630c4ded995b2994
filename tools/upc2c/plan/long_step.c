/* A step that is no constant may turn out to be as long as the blocks are. Its strips have an iteration or two then, and
   to begin them takes longer than to look each element up. Such a loop has a second plan, for long steps: to stay as it is
   written. */

#include "tools/upc2c/plan/internal.h"

#include <stdlib.h>

/* The longest step with which strips of LOOP have MIN_STRIP iterations; 0: they have with any. */
static int64_t
find_longest_step (const struct loop *loop)
{
  int64_t longest = 0, step;

  for (const struct reference *r = loop->references; r; r = r->next)
    if (r->stride_kind == STRIDE_BY_STEP && !r->stays)
      {
        step = block_of (r->type) / (MIN_STRIP * labs (r->stride));
        if (longest == 0 || step < longest)
          longest = step;
      }
  return longest;
}

void
try_long_steps (struct loop *loop)
{
  struct loop plain = *loop;

  if (!loop->step || loop->counter || !may_be_repeated (loop))
    return;
  loop->longest_step = find_longest_step (loop);
  if (loop->longest_step == 0)
    return;
  plain.references = NULL;
  plain.reference_count = 0;
  keep_in_order (loop, &plain);
}
