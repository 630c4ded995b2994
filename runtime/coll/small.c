/* Small blocks, with no more synchronisation than between who has them and who gets them:
   they are copied to the board with the number that says so, mostly in one cache line,
   and fetched from there. Who has them leaves at once. */

#include "runtime/coll/turn.h"

#include "runtime/coll/copy.h"

/* How many bytes a member with data posts; 0: this way does not do. */
static size_t
posted_bytes (const struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;

  switch (call->kind)
    {
    case UPCR_BROADCAST:
    case UPCR_GATHER:
    case UPCR_GATHER_ALL:
      return call->bytes;
    case UPCR_SCATTER:
    case UPCR_EXCHANGE:
      return call->bytes * turn->size;
    default:
      return 0;
    }
}

bool
upcr_is_small_move (const struct upcr_turn *turn)
{
  size_t bytes = posted_bytes (turn);

  return bytes > 0 && bytes <= UPCR_PAYLOAD_BYTES
         && !upcr_call_has (turn->call, GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
}

static void
put (const struct upcr_turn *turn)
{
  upcr_copy (turn->post->payload, upcr_turn_src (turn, turn->me), posted_bytes (turn));
  upcr_turn_post (turn);
}

/* What FROM posted, from OFFSET on, to TO in this member's dst. */
static void
get (const struct upcr_turn *turn, uint32_t from, size_t offset, size_t to)
{
  upcr_await_post (turn, from);
  upcr_copy (upcr_turn_dst (turn, turn->me) + to,
             upcr_board_post (turn->team, from, turn->number)->payload + offset, turn->call->bytes);
}

static void
from_root (const struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  size_t offset = call->kind == UPCR_SCATTER ? turn->me * call->bytes : 0;

  if (turn->me == call->root)
    {
      put (turn);
      upcr_copy (upcr_turn_dst (turn, turn->me), upcr_turn_src (turn, turn->me) + offset, call->bytes);
      return;
    }
  upcr_turn_post_quietly (turn);
  get (turn, call->root, offset, 0);
}

static void
to_root (const struct upcr_turn *turn)
{
  size_t bytes = turn->call->bytes;

  if (turn->me != turn->call->root)
    {
      put (turn);
      return;
    }
  upcr_turn_post_quietly (turn);
  upcr_copy (upcr_turn_dst (turn, turn->me) + turn->me * bytes, upcr_turn_src (turn, turn->me), bytes);
  for (uint32_t m = 0; m < turn->size; m++)
    if (m != turn->me)
      get (turn, m, 0, m * bytes);
}

/* Blocks that others have for this member begin at OFFSET in what they post. Its own comes
   from its own post too: in place there is nothing else. */
static void
to_all (const struct upcr_turn *turn, size_t offset)
{
  put (turn);
  for (uint32_t step = 0; step < turn->size; step++)
    {
      uint32_t from = (turn->me + step) % turn->size;

      get (turn, from, offset, from * turn->call->bytes);
    }
}

void
upcr_move_small (struct upcr_turn *turn)
{
  switch (turn->call->kind)
    {
    case UPCR_BROADCAST:
    case UPCR_SCATTER:
      from_root (turn);
      break;
    case UPCR_GATHER:
      to_root (turn);
      break;
    case UPCR_GATHER_ALL:
      to_all (turn, 0);
      break;
    default:
      to_all (turn, turn->me * turn->call->bytes);
    }
}
