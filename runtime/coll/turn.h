/* Inside the room: one member's part in one operation. */

#ifndef UPCR_COLL_TURN_H
#define UPCR_COLL_TURN_H

#include "runtime/coll/layout.h"
#include "runtime/coll/team.h"
#include "runtime/host/host.h"

/* From this block size on. */
enum { UPCR_SHARED_BYTES = 512 << 10 };

struct upcr_turn
{
  const struct upcr_coll *call;
  upcr_team *team;
  uint32_t me, size;
  uint32_t number;
  bool all_in;                 /* all members are known to have entered */
  bool all_done;               /* all have done their part; no need to meet again */
  struct upcr_post *post;
  struct upcr_op *op;          /* in flight; null: on the board */
};

/* A block of data movement in the memory of a root, or of one that gets all. */
struct upcr_block
{
  size_t offset, bytes;
};

static inline bool
upcr_call_has (const struct upcr_coll *call, int flag)
{
  return (call->flags & flag) != 0;
}

static inline struct upcr_block
upcr_block_of (const struct upcr_coll *call, uint32_t image)
{
  struct upcr_block block = { image * call->bytes, call->bytes };

  if (!call->sizes)
    return block;
  block.bytes = call->sizes[image];
  block.offset = 0;
  if (call->offsets)
    block.offset = call->offsets[image];
  else
    for (uint32_t i = 0; i < image; i++)
      block.offset += call->sizes[i];
  return block;
}

/* ADDRESS as UPC's single-valued pointers mean it for THREAD: the same offset in its
   partition. */
static inline char *
upcr_rebase (const void *address, uint32_t thread)
{
  uintptr_t offset = (uintptr_t) address - UPCR_SEGMENT_BASE;

  if (offset >> UPCR_STRIDE_BITS >= (uintptr_t) THREADS)
    return (char *) address;
  return upcr_segment_address (thread, offset & (UPCR_STRIDE - 1));
}

/* The addresses of member RANK: what the arguments say with SINGLE, else what it posted. */
const char *upcr_turn_src (const struct upcr_turn *turn, uint32_t rank);
char *upcr_turn_dst (const struct upcr_turn *turn, uint32_t rank);

/* What the calling member has to tell the others of its own. */
void upcr_own_addresses (const struct upcr_turn *turn, const void **src, void **dst);

/* The arguments of member RANK, where they are its own: of exchangev. Waits for it. */
const struct upcr_coll *upcr_turn_view (const struct upcr_turn *turn, uint32_t rank);

/* The board: takes a place on it; shows it to the others, who may sleep, or where no one
   waits for it. */
void upcr_turn_enter (struct upcr_turn *turn);
void upcr_turn_post (const struct upcr_turn *turn);
void upcr_turn_post_quietly (const struct upcr_turn *turn);

/* The ways to go (run.c). */
void upcr_move (struct upcr_turn *turn);
void upcr_compute (struct upcr_turn *turn);
void upcr_move_alone (struct upcr_turn *turn);
void upcr_move_all (struct upcr_turn *turn);
void upcr_compute_all (struct upcr_turn *turn);

/* With UPC_CHECK=1: whether all members call the same, with the same arguments. */
void upcr_check_call (struct upcr_coll *call, upcr_team *team, bool is_blocking);

/* The same: whether no other entry of the permutation than ENTRY is TO. */
void upcr_check_target (const struct upcr_turn *turn, uint32_t entry, uint32_t to);

/* Waits until member RANK has entered, where the IN flag asks for that before its data
   is touched, or where its addresses are only known then. */
void upcr_turn_meet (const struct upcr_turn *turn, uint32_t rank);

/* The same for its post, whatever the flags. */
void upcr_await_post (const struct upcr_turn *turn, uint32_t rank);

/* This member is through with the others' data, and the data of its post is ready. */
void upcr_say_done (const struct upcr_turn *turn);
void upcr_await_done (const struct upcr_turn *turn, uint32_t rank);
void upcr_await_all_done (const struct upcr_turn *turn);

/* The meeting of all members of the team; WHAT is the function, for reports. */
void upcr_team_meet (upcr_team *team, const char *what);

#endif
