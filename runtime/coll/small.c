/* Small blocks, with no more synchronisation than between who has them and who gets them:
   they are copied to the board with the number that says so, mostly in one cache line,
   and fetched from there. Who has them leaves at once.

   Time goes by cache lines that come from another CPU, and by nothing else that takes as
   long as one of them: so this way has arguments of its own, and asks for the lines of a
   later operation in good time. */

#include "runtime/coll/small.h"

#include "runtime/coll/copy.h"
#include "runtime/coll/turn.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/park.h"

/* How many bytes a member with data posts; 0: this way does not do. */
static inline size_t
posted_bytes (enum upcr_coll_kind kind, size_t bytes, uint32_t size)
{
  switch (kind)
    {
    case UPCR_BROADCAST:
    case UPCR_GATHER:
    case UPCR_GATHER_ALL:
      return bytes;
    case UPCR_SCATTER:
    case UPCR_EXCHANGE:
      return bytes * size;
    default:
      return 0;
    }
}

bool
upcr_is_small (enum upcr_coll_kind kind, size_t bytes, uint32_t size, int flags)
{
  size_t posted = posted_bytes (kind, bytes, size);

  return bytes <= UPCR_PAYLOAD_BYTES && posted > 0 && posted <= UPCR_PAYLOAD_BYTES
         && (flags & (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)) == 0;
}

/* The stage is stored even where no one waits for it: a number is told from an old one
   only because each number of a place is posted there. */
static void
post_quietly (const struct upcr_small *move, struct upcr_post *post, uint32_t number)
{
  atomic_store_explicit (&post->stage, number, memory_order_release);
  if (move->has_fence)
    upcr_hardware_fence ();
}

static void
post_data (const struct upcr_small *move, struct upcr_post *post, uint32_t number)
{
  size_t bytes = posted_bytes (move->kind, move->bytes, move->team->size);

  upcr_copy (post->payload, move->src, bytes);
  atomic_store_explicit (&post->stage, number, memory_order_release);
  upcr_board_prepare (move->team, move->me, number, bytes);
  upcr_hardware_fence ();
  upcr_unpark_fenced (&post->stage);
}

/* What FROM posted, from OFFSET on, to TO in this member's dst. */
static void
get (const struct upcr_small *move, uint32_t number, uint32_t from, size_t offset, size_t to)
{
  struct upcr_post *post = upcr_board_await (move->team, from, number, move->what);

  upcr_copy (move->dst + to, post->payload + offset, move->bytes);
}

static void
from_root (const struct upcr_small *move, struct upcr_post *post, uint32_t number)
{
  size_t offset = move->kind == UPCR_SCATTER ? move->me * move->bytes : 0;

  if (move->me != move->root)
    {
      post_quietly (move, post, number);
      get (move, number, move->root, offset, 0);
      return;
    }
  post_data (move, post, number);
  upcr_copy (move->dst, move->src + offset, move->bytes);
}

static void
to_root (const struct upcr_small *move, struct upcr_post *post, uint32_t number)
{
  if (move->me != move->root)
    {
      post_data (move, post, number);
      return;
    }
  post_quietly (move, post, number);
  upcr_copy (move->dst + move->me * move->bytes, move->src, move->bytes);
  for (uint32_t m = 0; m < move->team->size; m++)
    if (m != move->me)
      get (move, number, m, 0, m * move->bytes);
}

/* Blocks that others have for this member begin at OFFSET in what they post. Its own comes
   from its own post too: in place there is nothing else. */
static void
to_all (const struct upcr_small *move, struct upcr_post *post, uint32_t number, size_t offset)
{
  uint32_t from = move->me;

  post_data (move, post, number);
  for (uint32_t step = 0; step < move->team->size; step++)
    {
      get (move, number, from, offset, from * move->bytes);
      from = from + 1 < move->team->size ? from + 1 : 0;
    }
}

void
upcr_move_small (const struct upcr_small *move)
{
  uint32_t number;
  struct upcr_post *post = upcr_board_enter (move->team, move->me, &number);

  switch (move->kind)
    {
    case UPCR_BROADCAST:
    case UPCR_SCATTER:
      from_root (move, post, number);
      break;
    case UPCR_GATHER:
      to_root (move, post, number);
      break;
    case UPCR_GATHER_ALL:
      to_all (move, post, number, 0);
      break;
    default:
      to_all (move, post, number, move->me * move->bytes);
    }
  upcr_board_leave (move->team, move->me, number);
}
