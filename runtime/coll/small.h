/* Inside the room: small moves, on the board. */

#ifndef UPCR_COLL_SMALL_H
#define UPCR_COLL_SMALL_H

#include "runtime/coll/engine.h"
#include "runtime/coll/team.h"

/* Does KIND with blocks of BYTES in a team of SIZE go this way? FLAGS as they are to be
   carried out. */
bool upcr_is_small (enum upcr_coll_kind kind, size_t bytes, uint32_t size, int flags);

/* Member ME's part of MOVE, with its own addresses; whatever team MOVE says. */
void upcr_move_small (upcr_team *team, uint32_t me, const struct upcr_move *move);

#endif
