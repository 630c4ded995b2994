/* Inside the room: reductions and scans of which each member has one block at most, and reductions of
   any blocks where a member folds all that it has at once, by way of slots. */

#ifndef UPCR_COLL_ONE_BLOCK_H
#define UPCR_COLL_ONE_BLOCK_H

#include "runtime/coll/context.h"
#include "runtime/coll/team.h"

/* Do the results of CALL, where it is a scan, lie as its elements? */
static inline bool
upcr_scans_alike (const struct upcr_coll *call, int flags)
{
  return call->kind != UPCR_SCAN
         || (flags & GASNET_COLL_INCLUSIVE_SCAN && call->source.block == call->destination.block
             && call->source.offset == call->destination.offset);
}

/* Is it known without a look at them that all members have elements? The array is longer than a round
   of blocks, of which the first may be begun. */
static inline bool
upcr_have_all_elements (const struct upcr_coll *call, uint32_t size)
{
  size_t round;

  return !__builtin_mul_overflow (call->source.block, (size_t) size, &round) && call->count >= round
         && call->count - round >= call->source.offset;
}

static inline bool
upcr_goes_by_slots (const struct upcr_coll *call, int flags)
{
  return call->op->bytes <= UPCR_NEAR_BYTES
         && (flags & (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)) == 0
         && upcr_scans_alike (call, flags);
}

/* FLAGS as they are to be carried out. */
static inline bool
upcr_one_block_applies (const struct upcr_coll *call, enum upcr_partition partition, uint32_t size,
                        int flags)
{
  return call->source.block != 0
         && (partition == UPCR_ONE_BLOCK
             || (partition == UPCR_OWN_BLOCKS && upcr_have_all_elements (call, size)))
         && upcr_goes_by_slots (call, flags);
}

/* How many elements each member has, from its address on, in arrays that most programs have: a whole block
   of each, or, where their order does not matter, whole rounds of blocks. Else 0. */
static inline size_t
upcr_equal_parts (const struct upcr_coll *call, uint32_t size)
{
  size_t block = call->source.block, count = call->count, rounds, left;

  if (call->source.offset != 0 || count == 0)
    return 0;
  if (block * size == count)
    return block;
  if (call->kind == UPCR_SCAN || !call->op->is_commutative || block - 1 >= count
      || count > UINT32_MAX || block * size > count)
    return 0;
  rounds = upcr_rounds_in (count, block * size, &left);
  return left == 0 ? rounds * block : 0;
}

/* Member ME's part of CALL, with its own addresses; whatever team CALL says. With equal parts there are
   COUNT elements of each member. */
void upcr_compute_one_block (upcr_team *team, uint32_t me, const struct upcr_coll *call,
                             enum upcr_partition partition);
void upcr_compute_equal_parts (upcr_team *team, uint32_t me, const struct upcr_coll *call,
                               size_t count);

#endif
