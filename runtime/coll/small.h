/* Inside the room: small moves, on the board. */

#ifndef UPCR_COLL_SMALL_H
#define UPCR_COLL_SMALL_H

#include "runtime/coll/coll.h"
#include "runtime/coll/team.h"

/* The root of a scatter does not post its own block, which nobody fetches, but where it is so
   short that this would take longer than it saves. */
enum { UPCR_OWN_BYTES = 256 };

static inline bool
upcr_leaves_out_own (enum upcr_coll_kind kind, size_t bytes)
{
  return kind == UPCR_SCATTER && bytes >= UPCR_OWN_BYTES;
}

/* How many bytes a member with data posts; 0: this way does not do. */
static inline size_t
upcr_posted_bytes (enum upcr_coll_kind kind, size_t bytes, uint32_t size)
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

/* Blocks from all to all that are longer go straight from source to destination: members that
   wait for each other anyway lose less by another meeting than by copying twice. Measured with
   two threads, from 2 KiB on. */
enum { UPCR_TO_ALL_BYTES = 1024 };

/* Does KIND with blocks of BYTES in a team of SIZE go this way? FLAGS as they are to be
   carried out. */
static inline bool
upcr_is_small (enum upcr_coll_kind kind, size_t bytes, uint32_t size, int flags)
{
  size_t posted = upcr_posted_bytes (kind, bytes, size);

  if ((kind == UPCR_GATHER_ALL || kind == UPCR_EXCHANGE) && bytes > UPCR_TO_ALL_BYTES)
    return false;
  return bytes <= UPCR_PAYLOAD_BYTES && posted > 0 && posted <= UPCR_PAYLOAD_BYTES
         && (flags & (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)) == 0;
}

/* Member ME's part of MOVE, with its own addresses; whatever team MOVE says. */
void upcr_move_small (upcr_team *team, uint32_t me, const struct upcr_move *move);

#endif
