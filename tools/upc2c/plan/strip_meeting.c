/* Loops over arrays that pointers lead to, which may be parts of one array:

       shared [] double *p, *q;
       for (i = 1; i < n - 1; i++) p[i] = q[i - 1] + q[i + 1];

   At the start of each strip the program tests whether what it stores to is apart from everything else it
   accesses, or the same element in each iteration (upct/strip.h). If so, its iterations are independent.
   Short strips are not worth the test. */

#include "tools/upc2c/plan/internal.h"

enum
{
  LEAST_BLOCK = 32,
  MOST_QUESTIONS = 24
};

/* What has no constant stride keeps a loop from vectors anyway. */
static bool
is_long (const struct reference *r)
{
  return block_of (r->type) == 0 || block_of (r->type) >= LEAST_BLOCK || switches.threads == 1;
}

static bool
may_ask (const struct loop *loop)
{
  if (loop->residues || loop->is_windowed || loop->is_by_copies || loop->stmt->lanes
      || switches.outlines || switches.network || is_by_pointer (loop)
      || (is_forall (loop) && !loop->is_by_one))
    return false;
  for (const struct reference *r = loop->references; r; r = r->next)
    if (!is_long (r))
      return false;
  return true;
}

/* Where L is in a strip of LOOP; NULL: nothing that is known when it begins. */
static const struct access_plan *
place_of (struct expr *l, struct loop *loop)
{
  const struct access_plan *p = l->kind == EXPR_INDEX ? find_known (l, loop) : NULL;

  if (!p || p->address == ADDRESS_COMPUTED || p->address == ADDRESS_IN_ROW
      || p->reference->stride_kind == RECOMPUTE || p->reference->stride_kind == STRIDE_BY_STEP)
    return NULL;
  return p;
}

static bool
are_at_one_place (const struct access_plan *a, const struct access_plan *b)
{
  return a->reference == b->reference;
}

bool
note_strip_meeting (struct expr *a, struct expr *b, struct loop *loop)
{
  struct strip_meeting m = { place_of (a, loop), place_of (b, loop), 1, loop->strip_meetings };

  if (!may_ask (loop) || !m.a || !m.b || are_near (a, b, loop))
    return false;
  for (struct strip_meeting *known = loop->strip_meetings; known; known = known->next)
    if ((are_at_one_place (known->a, m.a) && are_at_one_place (known->b, m.b))
        || (are_at_one_place (known->a, m.b) && are_at_one_place (known->b, m.a)))
      return true;
  m.count += m.next ? m.next->count : 0;
  if (m.count > MOST_QUESTIONS)
    return false;
  loop->strip_meetings = NEW (struct strip_meeting);
  *loop->strip_meetings = m;
  return true;
}
