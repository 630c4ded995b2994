/* Inside the room: short scans of small blocks, of which each member scans the elements of all. */

#ifndef UPCR_COLL_GATHERED_H
#define UPCR_COLL_GATHERED_H

#include "runtime/coll/context.h"
#include "runtime/coll/one_block.h"
#include "runtime/coll/walk.h"

/* FLAGS as they are to be carried out. Not with functions of the program, which may take long. */
static inline bool
upcr_gathered_applies (const struct upcr_coll *call, enum upcr_partition partition, uint32_t size,
                       int flags)
{
  return call->kind == UPCR_SCAN && partition == UPCR_EQUAL_RANGES && call->op->join
         && call->source.offset == 0 && call->count > 0
         && call->count * call->op->bytes <= UPCR_TILE_BYTES
         && upcr_is_walked (call->source, size, call->op->bytes)
         && (flags & (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)) == 0
         && upcr_scans_alike (call, flags);
}

/* Member ME's part of CALL, with its own addresses, where flags ask for synchronisation. */
void upcr_scan_gathered (upcr_team *team, uint32_t me, struct upcr_coll *call);

#endif
