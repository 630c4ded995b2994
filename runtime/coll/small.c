/* Small blocks, with no more synchronisation than between who has them and who gets them:
   they are copied to the board with the number that says so, mostly in one cache line,
   and fetched from there. Who has them leaves at once.

   Time goes by cache lines that come from another CPU, and by nothing else that takes as
   long as one of them: so this way has arguments of its own, and asks for the lines of a
   later operation in good time. */

#include "runtime/coll/small.h"

#include "runtime/shared/shared.h"
#include "runtime/coll/turn.h"

/* One member's part. */
struct part
{
  upcr_team *team;
  uint32_t me, number;
  struct upcr_post *post;
  char *dst;
  const char *src;
};

/* The root's blocks of a scatter but for its own one, which nobody fetches. */
static void
post_for_others (const struct part *part, size_t block)
{
  size_t before = part->me * block, behind = (part->team->size - 1) * block - before;
  char *data = upcr_post_data (part->post, before + behind);

  if (before > 0)
    upcr_copy_into_post (data, part->src, before);
  if (behind > 0)
    upcr_copy_into_post (data + before, part->src + before + block, behind);
}

/* For those that are awake; upcr_board_show_all is left to the caller. */
static void
post_data (const struct part *part, const struct upcr_move *move)
{
  size_t bytes = upcr_posted_bytes (move->kind, move->bytes, part->team->size);

  if (upcr_leaves_out_own (move->kind, move->bytes))
    post_for_others (part, move->bytes);
  else
    upcr_copy_into_post (upcr_post_data (part->post, bytes), part->src, bytes);
  upcr_board_show_first (part->team, part->me, part->post, part->number, bytes);
}

static void
post_nothing (const struct part *part, const struct upcr_move *move)
{
  upcr_board_show_quietly (part->post, part->number, upcr_implies_fence (move->flags));
}

/* What FROM posted, from OFFSET on, to TO in this member's dst. */
static void
get (const struct part *part, const struct upcr_move *move, uint32_t from, size_t offset, size_t to)
{
  struct upcr_post *post = upcr_board_await (part->team, from, part->number, move->what);

  size_t posted = upcr_posted_bytes (move->kind, move->bytes, part->team->size);

  upcr_copy_out_of_post (part->dst + to, upcr_post_data (post, posted) + offset, move->bytes);
}

static void
from_root (const struct part *part, const struct upcr_move *move)
{
  size_t block = move->kind == UPCR_SCATTER ? move->bytes : 0;
  uint32_t left_out = upcr_leaves_out_own (move->kind, move->bytes) && part->me > move->root;

  if (part->me != move->root)
    {
      post_nothing (part, move);
      get (part, move, move->root, (part->me - left_out) * block, 0);
      return;
    }
  post_data (part, move);
  upcr_copy (part->dst, part->src + part->me * block, move->bytes);
  upcr_board_show_all (part->post);
}

static void
to_root (const struct part *part, const struct upcr_move *move)
{
  if (part->me != move->root)
    {
      post_data (part, move);
      upcr_board_show_all (part->post);
      return;
    }
  post_nothing (part, move);
  upcr_copy (part->dst + part->me * move->bytes, part->src, move->bytes);
  for (uint32_t m = 0; m < part->team->size; m++)
    if (m != part->me)
      get (part, move, m, 0, m * move->bytes);
}

/* Blocks that others have for this member begin at OFFSET in what they post. Its own comes
   from its own post too: in place there is nothing else. */
static void
to_all (const struct part *part, const struct upcr_move *move, size_t offset)
{
  uint32_t from = part->me;

  post_data (part, move);
  upcr_board_show_all (part->post);
  for (uint32_t step = 0; step < part->team->size; step++)
    {
      get (part, move, from, offset, from * move->bytes);
      from = from + 1 < part->team->size ? from + 1 : 0;
    }
}

void
upcr_move_small (upcr_team *team, uint32_t me, const struct upcr_move *move)
{
  struct part part = { .team = team, .me = me, .dst = move->dst, .src = move->src };

  part.post = upcr_board_enter (team, me, &part.number);
  switch (move->kind)
    {
    case UPCR_BROADCAST:
    case UPCR_SCATTER:
      from_root (&part, move);
      break;
    case UPCR_GATHER:
      to_root (&part, move);
      break;
    case UPCR_GATHER_ALL:
      to_all (&part, move, 0);
      break;
    default:
      to_all (&part, move, me * move->bytes);
    }
  upcr_board_leave (team, me, part.number, upcr_implies_fence (move->flags));
}
