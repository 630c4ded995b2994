/* Elements at constant distances. A loop with checks reaches them through one pointer into a block
   without bounds, such as p[k] and p[k - 1] in

       for (; k > 0 && p[k - 1] > key; k--)
         p[k] = p[k - 1];

   The address of one follows from that of the other. So the compiler sees that all their checks
   begin with the same look (look.c): at the shadow of all of them. */

#include "tools/upc2c/write/internal.h"

#include <upct/shadow.h>

#include <inttypes.h>

enum
{
  /* Less than lies before the first object of a partition: what is so far from an element that exists has
     an address, in the same partition. */
  MOST_APART = __UPC_LOOK_BEFORE,
  UNIT = __UPC_SHADOW_UNIT
};

static bool
is_eligible (const struct reference *r)
{
  return r->l->kind == EXPR_INDEX && r->stride_kind == STRIDE_IN_BLOCK && is_pointer (r)
         && !is_row (r) && block_of (r->type) == 0 && !r->row && !r->is_own && !r->walk
         && !r->is_fetched && !r->is_put;
}

/* Whether B is always BYTES behind A. */
static bool
are_apart (const struct reference *a, const struct reference *b, int64_t *bytes)
{
  if (!is_eligible (a) || !is_eligible (b) || a->root->decl != b->root->decl
      || a->stride != b->stride || element_bytes (a) != element_bytes (b)
      || !find_apart (&a->at, &b->at, bytes))
    return false;
  *bytes *= (int64_t) element_bytes (a);
  return imaxabs (*bytes) < MOST_APART;
}

bool
put_from_beside (struct loop *loop, struct reference *r)
{
  int64_t bytes;

  if (!is_checked_code (loop->stmt->first))
    return false;
  for (struct reference *q = loop->references; q != r; q = q->next)
    if (are_apart (q, r, &bytes))
      {
        putf ("__upc_at%d_%d + %ld; ", loop->number, q->number, (long) bytes);
        return true;
      }
  return false;
}

struct look
look_beside (struct expr *l)
{
  struct reference *r = planned_reference (l);
  int64_t bytes, first = 0, last = 0, step = (int64_t) type_align (l->type);
  uint64_t covered;

  if (!r || l->kind != EXPR_INDEX || l->plan->address != ADDRESS_REFERENCE || !is_eligible (r))
    return (struct look){ 0 };
  for (struct reference *q = l->plan->loop->references; q; q = q->next)
    if (q != r && are_apart (r, q, &bytes))
      {
        first = bytes < first ? bytes : first;
        last = bytes > last ? bytes : last;
      }
  if (first == last)
    return (struct look){ 0 };
  covered = (uint64_t) (last - first) + element_bytes (r);
  step = step == 0 ? 1 : step < UNIT ? step : UNIT;
  return (struct look){ first, (unsigned) ((UNIT - (uint64_t) step + covered + UNIT - 1) / UNIT) };
}
