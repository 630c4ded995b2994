/* Inside the room: short blocks, through slots. */

#ifndef UPCR_COLL_EAGER_H
#define UPCR_COLL_EAGER_H

#include "runtime/coll/coll.h"
#include "runtime/coll/team.h"

static inline bool
upcr_leaves_out_own (enum upcr_coll_kind kind, size_t bytes)
{
  return kind == UPCR_SCATTER && bytes >= UPCR_LEAVE_OUT_BYTES;
}

/* How many bytes a member with data publishes; 0: KIND has no eager form. */
static inline size_t
upcr_eager_bytes (enum upcr_coll_kind kind, size_t bytes, uint32_t size)
{
  switch (kind)
    {
    case UPCR_BROADCAST:
    case UPCR_GATHER:
    case UPCR_GATHER_ALL:
      return bytes;
    case UPCR_SCATTER:
    case UPCR_EXCHANGE:
      return bytes * (size - upcr_leaves_out_own (kind, bytes));
    default:
      return 0;
    }
}

/* May KIND be eager with blocks of BYTES in a team of SIZE? FLAGS as they are to be carried
   out. */
static inline bool
upcr_eager_applies (enum upcr_coll_kind kind, size_t bytes, uint32_t size, int flags)
{
  size_t published = upcr_eager_bytes (kind, bytes, size);

  return bytes <= UPCR_SLOT_BYTES && published > 0 && published <= UPCR_SLOT_BYTES
         && (flags & (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)) == 0;
}

static inline bool
upcr_eager_suits (enum upcr_coll_kind kind, size_t bytes)
{
  return (kind != UPCR_GATHER_ALL && kind != UPCR_EXCHANGE) || bytes <= UPCR_EAGER_TO_ALL_BYTES;
}

/* Member ME's part of CALL, with its own addresses; whatever team CALL says. */
void upcr_move_eagerly (upcr_team *team, uint32_t me, const struct upcr_coll *call);

#endif
