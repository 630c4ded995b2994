/* Data movement: each member moves the blocks that are its own to move, straight from
   source to destination. Who gets data fetches it; to a root of a gather, who has it
   brings it: so the work is shared evenly. */

#include "runtime/coll/turn.h"

#include "runtime/coll/copy.h"

static void
fetch_from_root (struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  struct upcr_block block = upcr_block_of (call, turn->me);

  if (call->kind == UPCR_BROADCAST)
    block = (struct upcr_block){ 0, call->bytes };
  upcr_turn_meet (turn, call->root);
  upcr_copy (upcr_turn_dst (turn, turn->me), upcr_turn_src (turn, call->root) + block.offset,
             block.bytes);
}

static void
bring_to_root (struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  struct upcr_block block = upcr_block_of (call, turn->me);

  upcr_turn_meet (turn, call->root);
  upcr_copy (upcr_turn_dst (turn, call->root) + block.offset, upcr_turn_src (turn, turn->me),
             block.bytes);
}

static void
fetch_all (struct upcr_turn *turn)
{
  char *dst = upcr_turn_dst (turn, turn->me);

  /* Each from its own block on, so that not all fetch from the same one. */
  for (uint32_t step = 0; step < turn->size; step++)
    {
      uint32_t from = (turn->me + step) % turn->size;
      struct upcr_block block = upcr_block_of (turn->call, from);

      upcr_turn_meet (turn, from);
      upcr_copy (dst + block.offset, upcr_turn_src (turn, from), block.bytes);
    }
}

/* What FROM has for this member. */
static const char *
exchange_source (struct upcr_turn *turn, uint32_t from)
{
  const size_t *offsets;

  if (!turn->call->sizes)
    return upcr_turn_src (turn, from) + turn->me * turn->call->bytes;
  upcr_await_post (turn, from);
  offsets = upcr_board_post (turn->team, from, turn->number)->more;
  return upcr_turn_src (turn, from) + offsets[turn->me];
}

static void
exchange (struct upcr_turn *turn)
{
  char *dst = upcr_turn_dst (turn, turn->me);

  for (uint32_t step = 0; step < turn->size; step++)
    {
      uint32_t from = (turn->me + step) % turn->size;
      struct upcr_block block = upcr_block_of (turn->call, from);

      upcr_turn_meet (turn, from);
      upcr_copy (dst + block.offset, exchange_source (turn, from), block.bytes);
    }
}

/* Of two members one swaps their blocks; which, alternates, so that all have as much to
   do. */
static void
exchange_in_place (struct upcr_turn *turn)
{
  size_t bytes = turn->call->bytes;
  uint32_t me = turn->me;

  for (uint32_t other = 0; other < turn->size; other++)
    {
      bool is_mine = ((me + other) & 1) == (me < other);

      if (other == me || !is_mine)
        continue;
      upcr_turn_meet (turn, other);
      upcr_swap (upcr_turn_dst (turn, me) + other * bytes, upcr_turn_dst (turn, other) + me * bytes,
                 bytes);
    }
}

static void
permute (struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  uint32_t to = *(const int *) upcr_rebase (call->permutation, upcr_team_thread (turn->team, turn->me));

  upcr_turn_meet (turn, to);
  upcr_copy (upcr_turn_dst (turn, to), upcr_turn_src (turn, turn->me), call->bytes);
}

void
upcr_move (struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  bool is_rooted = call->kind <= UPCR_GATHER;

  switch (call->kind)
    {
    case UPCR_BROADCAST:
    case UPCR_SCATTER:
      fetch_from_root (turn);
      break;
    case UPCR_GATHER:
      bring_to_root (turn);
      break;
    case UPCR_GATHER_ALL:
      fetch_all (turn);
      break;
    case UPCR_PERMUTE:
      permute (turn);
      break;
    default:
      if (upcr_call_has (call, GASNET_COLL_IN_PLACE))
        exchange_in_place (turn);
      else
        exchange (turn);
    }
  if (!upcr_call_has (call, GASNET_COLL_OUT_MYSYNC))
    return;
  /* Other members move data of a root, or of all. */
  upcr_say_done (turn);
  if (!is_rooted || turn->me == call->root)
    upcr_await_all_done (turn);
}
