/* Inside the room: reductions and scans of which each member has one block at most, by way of
   slots. */

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

/* FLAGS as they are to be carried out. */
static inline bool
upcr_one_block_applies (const struct upcr_coll *call, enum upcr_partition partition, int flags)
{
  return partition == UPCR_ONE_BLOCK && call->source.block != 0
         && call->op->bytes <= UPCR_NEAR_BYTES
         && (flags & (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)) == 0
         && upcr_scans_alike (call, flags);
}

/* The same for arrays that most programs have: each member has a whole block, of the same
   length. */
static inline bool
upcr_whole_blocks_apply (const struct upcr_coll *call, uint32_t size, int flags)
{
  return call->source.offset == 0 && call->count > 0 && call->source.block * size == call->count
         && call->op->bytes <= UPCR_NEAR_BYTES
         && (flags & (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)) == 0
         && upcr_scans_alike (call, flags);
}

/* Member ME's part of CALL, with its own addresses; whatever team CALL says. */
void upcr_compute_one_block (upcr_team *team, uint32_t me, const struct upcr_coll *call);
void upcr_compute_whole_blocks (upcr_team *team, uint32_t me, const struct upcr_coll *call);

#endif
