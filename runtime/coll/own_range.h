/* Inside the room: reductions and scans of which each member has one block at most. */

#ifndef UPCR_COLL_OWN_RANGE_H
#define UPCR_COLL_OWN_RANGE_H

#include "runtime/coll/operator.h"
#include "runtime/coll/team.h"

/* Does a computation go this way? FLAGS as they are to be carried out. */
static inline bool
upcr_goes_by_own_range (enum upcr_coll_kind kind, enum upcr_sharing sharing, struct upcr_layout source,
                        struct upcr_layout destination, size_t element_bytes, int flags)
{
  if (sharing != UPCR_OWN_RANGE || source.block == 0 || element_bytes > UPCR_NEAR_BYTES
      || (flags & (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)) != 0)
    return false;
  return kind != UPCR_SCAN
         || (flags & GASNET_COLL_INCLUSIVE_SCAN && source.block == destination.block
             && source.offset == destination.offset);
}

/* The same for arrays that most programs have: each member has a whole block, of the same
   length, and the scan's results lie as its elements. */
static inline bool
upcr_goes_by_whole_blocks (const struct upcr_computation *c, uint32_t size, int flags)
{
  return c->source.offset == 0 && c->count > 0 && c->source.block * size == c->count
         && c->op->bytes <= UPCR_NEAR_BYTES
         && (flags & (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)) == 0
         && (c->kind != UPCR_SCAN
             || (flags & GASNET_COLL_INCLUSIVE_SCAN && c->destination.block == c->source.block
                 && c->destination.offset == 0));
}

/* Member ME's part of a COMPUTATION, with its own addresses; whatever team that says. */
void upcr_compute_own_range (upcr_team *team, uint32_t me, const struct upcr_computation *computation);
void upcr_compute_whole_blocks (upcr_team *team, uint32_t me, const struct upcr_computation *computation);

#endif
