/* Short blocks, with only the synchronisation between the members that have them and those that
   get them. A block is copied into a slot, together with the sequence number that announces it,
   mostly in one cache line, and is fetched from there. The member that has the data leaves at
   once.

   The time goes into cache lines that come from another CPU; nothing else takes as long as one
   of them. So the lines of a later operation are prefetched in time. */

#include "runtime/coll/eager.h"

#include "runtime/coll/algorithms.h"
#include "runtime/shared/shared.h"

/* One member's part. */
struct part
{
  upcr_team *team;
  uint32_t me, number;
  struct upcr_mailbox_slot *slot;
  char *dst;
  const char *src;
};

/* The root's blocks of a scatter but for its own one, which nobody fetches. */
static void
publish_for_others (const struct part *part, size_t block)
{
  size_t before = part->me * block, behind = (part->team->size - 1) * block - before;
  char *data = upcr_slot_data (part->slot, before + behind);

  if (before > 0)
    upcr_copy_into_slot (data, part->src, before);
  if (behind > 0)
    upcr_copy_into_slot (data + before, part->src + before + block, behind);
}

/* For those in their spin phase; upcr_slot_notify is left to the caller. */
static void
publish_data (const struct part *part, const struct upcr_coll *call)
{
  size_t bytes = upcr_eager_bytes (call->kind, call->bytes, part->team->size);

  if (upcr_leaves_out_own (call->kind, call->bytes))
    publish_for_others (part, call->bytes);
  else
    upcr_copy_into_slot (upcr_slot_data (part->slot, bytes), part->src, bytes);
  upcr_mailbox_publish (part->team, part->me, part->slot, part->number, bytes);
}

static void
publish_nothing (const struct part *part, const struct upcr_coll *call)
{
  upcr_slot_publish_quietly (part->slot, part->number, upcr_implies_fence (call->flags));
}

/* What FROM published, from OFFSET on, to TO in this member's dst. */
static void
get (const struct part *part, const struct upcr_coll *call, uint32_t from, size_t offset, size_t to)
{
  struct upcr_mailbox_slot *slot = upcr_mailbox_await (part->team, from, part->number, call->what);
  size_t published = upcr_eager_bytes (call->kind, call->bytes, part->team->size);

  upcr_copy_out_of_slot (part->dst + to, upcr_slot_data (slot, published) + offset, call->bytes);
}

static void
from_root (const struct part *part, const struct upcr_coll *call)
{
  size_t block = call->kind == UPCR_SCATTER ? call->bytes : 0;
  uint32_t left_out = upcr_leaves_out_own (call->kind, call->bytes) && part->me > call->root;

  if (part->me != call->root)
    {
      publish_nothing (part, call);
      get (part, call, call->root, (part->me - left_out) * block, 0);
      return;
    }
  publish_data (part, call);
  upcr_copy (part->dst, part->src + part->me * block, call->bytes);
  upcr_slot_notify (part->slot);
}

static void
to_root (const struct part *part, const struct upcr_coll *call)
{
  if (part->me != call->root)
    {
      publish_data (part, call);
      upcr_slot_notify (part->slot);
      return;
    }
  publish_nothing (part, call);
  upcr_copy (part->dst + part->me * call->bytes, part->src, call->bytes);
  for (uint32_t m = 0; m < part->team->size; m++)
    if (m != part->me)
      get (part, call, m, 0, m * call->bytes);
}

/* Blocks that others have for this member begin at OFFSET in what they publish. Its own
   comes from its own slot too: in place there is nothing else. */
static void
to_all (const struct part *part, const struct upcr_coll *call, size_t offset)
{
  uint32_t from = part->me;

  publish_data (part, call);
  upcr_slot_notify (part->slot);
  for (uint32_t step = 0; step < part->team->size; step++)
    {
      get (part, call, from, offset, from * call->bytes);
      from = from + 1 < part->team->size ? from + 1 : 0;
    }
  upcr_mailbox_met_all (part->team, part->me, part->number);
}

void
upcr_move_eagerly (upcr_team *team, uint32_t me, const struct upcr_coll *call)
{
  struct part part = { .team = team, .me = me, .dst = call->dst, .src = call->src };

  part.slot = upcr_mailbox_enter (team, me, &part.number);
  switch (call->kind)
    {
    case UPCR_BROADCAST:
    case UPCR_SCATTER:
      from_root (&part, call);
      break;
    case UPCR_GATHER:
      to_root (&part, call);
      break;
    case UPCR_GATHER_ALL:
      to_all (&part, call, 0);
      break;
    default:
      to_all (&part, call, me * call->bytes);
    }
  upcr_mailbox_leave (team, me, part.number, upcr_implies_fence (call->flags));
}

void
upcr_run_eager (struct upcr_context *ctx)
{
  struct upcr_coll own = *ctx->call;

  upcr_own_addresses (ctx, &own.src, &own.dst);
  upcr_move_eagerly (ctx->team, ctx->me, &own);
}
