/* Inside the room: small moves, on the board. */

#ifndef UPCR_COLL_SMALL_H
#define UPCR_COLL_SMALL_H

#include "runtime/coll/engine.h"
#include "runtime/coll/team.h"

/* One member's part. Little enough to be made anew by each call. */
struct upcr_small
{
  const char *what;
  enum upcr_coll_kind kind;
  uint32_t me, root;
  bool has_fence;              /* the flags imply one (UPC 1.3, B.3.2) */
  upcr_team *team;
  char *dst;                   /* the member's own */
  const char *src;
  size_t bytes;
};

/* Does KIND with blocks of BYTES in a team of SIZE go this way? FLAGS as they are to be
   carried out. */
bool upcr_is_small (enum upcr_coll_kind kind, size_t bytes, uint32_t size, int flags);

void upcr_move_small (const struct upcr_small *move);

#endif
