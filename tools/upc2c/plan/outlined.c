/* Strips that AddressSanitizer need not instrument. Its checks, one at each access, keep the C compiler
   from vectorising. So if a whole strip may be accessed, a function that is not instrumented does it
   (write/outlined.c). If not, the normal loop does it, in which the wrong access is reported.

   Such a function is called, and asks about all elements first: that is worth while for strips whose number of
   iterations is known when they begin. */

#include "tools/upc2c/plan/internal.h"

static bool
stays_in_block (const struct reference *r, const struct loop *of)
{
  return r->stride_kind == STRIDE_IN_BLOCK && !of->crosses_blocks;
}

/* Whether what LOOP uses of O is near what it uses in the next iteration of the loop around. */
static bool
is_near (const struct outlined *o, const struct loop *loop)
{
  const struct reference *r = o->reference;

  if (o->loop != loop)
    return stays_in_block (r, o->loop);
  if (r->row)
    return stays_in_block (r->row->reference, r->row->loop);
  return r->stays && loop->around && is_outer_name (r->root, loop->around);
}

/* Whether strips are rows that lie one behind the other in one thread's memory. Then what is found to be clean beyond one
   of them is known of the next. */
static bool
has_near_rows (const struct loop *loop)
{
  bool has_rows = false;

  for (const struct outlined *o = loop->outlined; o; o = o->next)
    if (o->reference && !is_near (o, loop))
      return false;
    else if (o->reference)
      has_rows = true;
  return has_rows;
}

/* All else that instruments accesses names more than the function has. */
static bool
is_otherwise_instrumented (void)
{
  return switches.check || switches.race || switches.network || switches.profile.is_on;
}

/* Whether a strip's iterations are known when it begins. A upc_forall may have any stride where its iterations are not one
   element further each, and those of the middles of blocks have elements beside those that references lead to. */
static bool
has_simple_strips (const struct loop *loop)
{
  return loop->form == LOOP_STRIPS
         && (is_forall (loop) ? loop->is_by_one && !is_by_pointer (loop) : is_counted (loop))
         && !loop->is_windowed && !loop->middle_count && !loop->copy_to;
}

void
find_outlined (struct loop *loop)
{
  loop->is_outlined = switches.outlines && !is_otherwise_instrumented () && has_simple_strips (loop)
                      && is_of_strips (loop);
  loop->has_near_rows = has_near_rows (loop);
}
