/* Inside the room: how the elements of a computation are partitioned among the members. A
   portion is what lies with the member, where the order of operands allows that and the
   elements are dealt out evenly; else it is a range of the array, all of them equal. Portions
   depend on the arguments alone, and so does the result.

   Divisions only where they must be: of small reductions they would be most of the time. */

#ifndef UPCR_COLL_PARTITION_H
#define UPCR_COLL_PARTITION_H

#include "runtime/coll/context.h"
#include "runtime/coll/layout.h"

/* Elements FIRST to FIRST + COUNT - 1 of the array. */
struct upcr_range
{
  size_t first, count;
};

/* Has each member one block at most, in their order? */
static inline bool
upcr_has_one_block_each (struct upcr_layout layout, size_t count, uint32_t size)
{
  size_t most;

  return layout.block != 0
         && (__builtin_mul_overflow (layout.block, (size_t) size, &most)
             || layout.offset + count <= most);
}

static inline enum upcr_partition
upcr_partition_of (enum upcr_coll_kind kind, const struct upcr_operator *op,
                   struct upcr_layout layout, size_t count, uint32_t size)
{
  bool is_small = count * op->bytes <= UPCR_UNEVEN_BYTES;

  if (layout.block == 0)
    return is_small ? UPCR_ONE_BLOCK : UPCR_EQUAL_RANGES;
  if (!upcr_has_one_block_each (layout, count, size))
    return kind != UPCR_SCAN && op->is_commutative ? UPCR_OWN_BLOCKS : UPCR_EQUAL_RANGES;
  if (is_small || layout.block <= 2 * (count / size + 1))
    return UPCR_ONE_BLOCK;
  return UPCR_EQUAL_RANGES;
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
upcr_range_of (const struct upcr_context *ctx, uint32_t rank)
{
  struct upcr_layout layout = ctx->call->source;
  size_t count = ctx->call->count, each, more;

  if (ctx->partition == UPCR_ONE_BLOCK && layout.block == 0)
    return (struct upcr_range){ 0, rank == layout.offset ? count : 0 };
  if (ctx->partition == UPCR_ONE_BLOCK)
    return upcr_block_range (layout, count, rank);
  each = count / ctx->size;
  more = count % ctx->size;
  return (struct upcr_range){ rank * each + (rank < more ? rank : more), each + (rank < more) };
}

/* Does each member fold what is its own? */
static inline bool
upcr_is_local (const struct upcr_context *ctx)
{
  return ctx->partition != UPCR_EQUAL_RANGES;
}

/* Are the elements of each member and its results of a scan all its own? */
static inline bool
upcr_is_scan_local (const struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;

  return upcr_is_local (ctx) && call->source.block == call->destination.block
         && call->source.offset == call->destination.offset;
}

/* What lies with the context's member, where that is its portion. */
static inline struct upcr_extent
upcr_own_extent (const struct upcr_context *ctx)
{
  struct upcr_layout layout = ctx->call->source;
  struct upcr_range range;

  if (ctx->partition == UPCR_OWN_BLOCKS)
    return upcr_extent_of (layout, ctx->size, ctx->me, ctx->call->count);
  range = upcr_range_of (ctx, ctx->me);
  if (layout.block == 0 || range.count == 0)
    return (struct upcr_extent){ ctx->me, 0, range.count };
  return (struct upcr_extent){ ctx->me, layout.offset + range.first - ctx->me * layout.block,
                               range.count };
}

/* Has member RANK a partial result? */
static inline bool
upcr_has_partial (const struct upcr_context *ctx, uint32_t rank)
{
  if (ctx->partition == UPCR_OWN_BLOCKS)
    return upcr_extent_of (ctx->call->source, ctx->size, rank, ctx->call->count).count > 0;
  return upcr_range_of (ctx, rank).count > 0;
}

#endif
