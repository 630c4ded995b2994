/* Inside the room: how members share the work of a computation. A share is what lies at the
   member, where the order of operands allows that and the elements are dealt out evenly;
   else it is a range of the array, all of them equal. Shares depend on the arguments alone,
   and so does the result.

   Divisions only where they must be: of small reductions they would be most of the time. */

#ifndef UPCR_COLL_SHARE_H
#define UPCR_COLL_SHARE_H

#include "runtime/coll/layout.h"

/* Below this many bytes the work is not worth sharing. */
enum { UPCR_ALONE_BYTES = 4096 };

/* Elements FIRST to FIRST + COUNT - 1 of the array. */
struct upcr_range
{
  size_t first, count;
};

/* Has each member one block at most, in their order? */
static inline bool
upcr_is_one_row (struct upcr_layout layout, size_t count, uint32_t size)
{
  size_t row;

  return layout.block != 0
         && (__builtin_mul_overflow (layout.block, (size_t) size, &row) || layout.offset + count <= row);
}

static inline enum upcr_sharing
upcr_sharing_of (enum upcr_coll_kind kind, const struct upcr_operator *op, struct upcr_layout layout,
                 size_t count, uint32_t size)
{
  bool is_small = count * op->bytes <= UPCR_ALONE_BYTES;

  if (layout.block == 0)
    return is_small ? UPCR_OWN_RANGE : UPCR_EQUAL_RANGE;
  if (!upcr_is_one_row (layout, count, size))
    return kind != UPCR_SCAN && op->is_commutative ? UPCR_OWN_BLOCKS : UPCR_EQUAL_RANGE;
  if (is_small || layout.block <= 2 * (count / size + 1))
    return UPCR_OWN_RANGE;
  return UPCR_EQUAL_RANGE;
}

/* Elements FROM to TO - 1 of those from FIRST to LIMIT - 1. */
static inline struct upcr_range
upcr_clip (size_t from, size_t to, size_t first, size_t limit)
{
  from = from > first ? from : first;
  to = to < limit ? to : limit;
  return (struct upcr_range){ from - first, from < to ? to - from : 0 };
}

/* What is in the block of member RANK, where each has one at most. */
static inline struct upcr_range
upcr_block_range (struct upcr_layout layout, size_t count, uint32_t rank)
{
  size_t limit = layout.offset + count;

  /* Also keeps the products below from wrapping around. */
  if (rank > 0 && layout.block >= limit)
    return (struct upcr_range){ 0, 0 };
  return upcr_clip (rank * layout.block, (rank + 1) * layout.block, layout.offset, limit);
}

/* Member RANK's range, where it has one. */
static inline struct upcr_range
upcr_range_of (const struct upcr_coll *call, uint32_t size, uint32_t rank)
{
  struct upcr_layout layout = call->source;
  size_t each, more;

  if (call->sharing == UPCR_OWN_RANGE && layout.block == 0)
    return (struct upcr_range){ 0, rank == layout.offset ? call->count : 0 };
  if (call->sharing == UPCR_OWN_RANGE)
    return upcr_block_range (layout, call->count, rank);
  each = call->count / size;
  more = call->count % size;
  return (struct upcr_range){ rank * each + (rank < more ? rank : more), each + (rank < more) };
}

/* Does each member fold what is its own? */
static inline bool
upcr_row_is_local (const struct upcr_coll *call)
{
  return call->sharing != UPCR_EQUAL_RANGE;
}

/* What lies at member RANK, where that is its share. */
static inline struct upcr_stretch
upcr_own_stretch (const struct upcr_coll *call, uint32_t size, uint32_t rank)
{
  struct upcr_layout layout = call->source;
  struct upcr_range range;

  if (call->sharing == UPCR_OWN_BLOCKS)
    return upcr_stretch_of (layout, size, rank, call->count);
  range = upcr_range_of (call, size, rank);
  if (layout.block == 0 || range.count == 0)
    return (struct upcr_stretch){ rank, 0, range.count };
  return (struct upcr_stretch){ rank, layout.offset + range.first - rank * layout.block, range.count };
}

/* Has member RANK a partial result? */
static inline bool
upcr_row_has_partial (const struct upcr_coll *call, uint32_t size, uint32_t rank)
{
  if (call->sharing == UPCR_OWN_BLOCKS)
    return upcr_stretch_of (call->source, size, rank, call->count).count > 0;
  return upcr_range_of (call, size, rank).count > 0;
}

#endif
