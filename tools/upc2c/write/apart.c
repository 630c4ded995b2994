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

/* Whether B is always BYTES behind A. */
static bool
are_apart (const struct reference *a, const struct reference *b, int64_t *bytes)
{
  if (!is_in_boundless_block (a) || !is_in_boundless_block (b) || a->root->decl != b->root->decl
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

/* From FIRST to END, relative to R, are the elements of LOOP that are beside R, and R. */
static void
find_extent (const struct loop *loop, const struct reference *r, int64_t *first, int64_t *end)
{
  int64_t bytes, last = 0;

  *first = 0;
  for (struct reference *q = loop->references; q; q = q->next)
    if (q != r && are_apart (r, q, &bytes))
      {
        *first = bytes < *first ? bytes : *first;
        last = bytes > last ? bytes : last;
      }
  *end = last + (int64_t) element_bytes (r);
}

bool
begin_within (struct loop *loop)
{
  struct reference *r = loop->within;
  int64_t first, end;

  if (!r)
    return false;
  find_extent (loop, r, &first, &end);
  putf ("__upc_n%d = 0; if (__upc_is_within (%s + (%ld), %lu, ", loop->number, address_of (loop, r),
        (long) first, (unsigned long) -r->stride * element_bytes (r));
  put_count (loop->most);
  putf (", %lu)) { ", (unsigned long) (end - first));
  loop->is_within = true;
  return true;
}

void
end_within (struct loop *loop)
{
  loop->is_within = false;
  put (" } else { ");
}

bool
is_within (const struct loop *loop, const struct reference *r)
{
  int64_t bytes;

  return loop->is_within && (r == loop->within || are_apart (loop->within, r, &bytes));
}

struct look
look_beside (struct expr *l)
{
  struct reference *r = planned_reference (l);
  int64_t first, end, step = (int64_t) type_align (l->type);
  uint64_t covered;

  if (!r || l->kind != EXPR_INDEX || l->plan->address != ADDRESS_REFERENCE
      || !is_in_boundless_block (r))
    return (struct look){ 0 };
  find_extent (l->plan->loop, r, &first, &end);
  covered = (uint64_t) (end - first);
  if (covered == element_bytes (r))
    return (struct look){ 0 };
  step = step == 0 ? 1 : step < UNIT ? step : UNIT;
  return (struct look){ first, (unsigned) ((UNIT - (uint64_t) step + covered + UNIT - 1) / UNIT) };
}
