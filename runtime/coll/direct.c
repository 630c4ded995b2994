/* Moves blocks and folds portions directly between the members' memory, with as much
   synchronisation before and after as the flags require.

   In a computation each member folds its portion to a partial result, and publishes it. The
   partial results are combined in the order of the members. */

#include "runtime/coll/algorithms.h"
#include "runtime/coll/operator.h"
#include "runtime/shared/shared.h"

static void
move (struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;

  upcr_move_portion (ctx);
  /* Other members move data of a root, or of all; or look at this one's sizes. */
  if (!upcr_call_has (call, GASNET_COLL_OUT_MYSYNC)
      && !(call->lists->src_sizes && upcr_call_has (call, GASNET_COLL_OUT_NOSYNC)))
    return;
  upcr_publish_done (ctx);
  if (!upcr_kind_has (call->kind, ROOTED) || ctx->me == call->root)
    upcr_await_all_done (ctx);
}

/* Where this member's partial result goes. */
static void *
partial_place (struct upcr_context *ctx)
{
  size_t bytes = ctx->call->op->bytes;

  if (bytes <= UPCR_SLOT_BYTES)
    return upcr_slot_data (ctx->slot, bytes);
  return upcr_mailbox_spill (ctx->team, ctx->me, ctx->number, bytes);
}

static const void *
partial_of (const struct upcr_context *ctx, uint32_t rank)
{
  struct upcr_mailbox_slot *slot = upcr_slot_of (ctx->team, rank, ctx->number);
  size_t bytes = ctx->call->op->bytes;

  return bytes <= UPCR_SLOT_BYTES ? upcr_slot_data (slot, bytes) : slot->addresses.more;
}

static bool
is_published_late (const struct upcr_context *ctx)
{
  return !ctx->all_in && upcr_is_local (ctx);
}

static void
await_partial (const struct upcr_context *ctx, uint32_t rank)
{
  if (rank == ctx->me || ctx->all_done)
    return;
  if (is_published_late (ctx))
    upcr_await_slot (ctx, rank);
  else
    upcr_await_done (ctx, rank);
}

/* The partial results of the members before LIMIT, in their order. False: none. */
static bool
combine (const struct upcr_context *ctx, uint32_t limit, void *result)
{
  const struct upcr_coll *call = ctx->call;
  bool is_begun = false;

  for (uint32_t m = 0; m < limit; m++)
    if (upcr_has_partial (ctx, m))
      {
        await_partial (ctx, m);
        upcr_fold_on (call->op, result, &is_begun, partial_of (ctx, m), 1);
      }
  return is_begun;
}

/* Where portions are local, and there was no barrier before, this is the first that others see
   of the slot. */
static void
publish_partial (struct upcr_context *ctx)
{
  void *partial = partial_place (ctx);

  ctx->slot->addresses.more = partial;
  upcr_fold_portion (ctx, partial);
  if (upcr_call_has (ctx->call, GASNET_COLL_OUT_ALLSYNC) && ctx->call->kind != UPCR_SCAN)
    upcr_publish_quietly (ctx);
  else if (is_published_late (ctx))
    upcr_publish (ctx);
  else
    upcr_publish_done (ctx);
}

/* There is a barrier at the end anyway: the last one to arrive combines the partial results,
   before it lets the others go. */
static void
reduce_in_barrier (struct upcr_context *ctx)
{
  struct upcr_central_barrier *barrier = &ctx->team->barrier;
  uint32_t epoch = upcr_central_epoch (barrier);

  ctx->all_done = true;
  if (upcr_central_arrive (barrier))
    {
      _Alignas(16) char near[UPCR_NEAR_BYTES];
      void *result = upcr_element_alloc (ctx->call->op, near);

      combine (ctx, ctx->size, result);
      upcr_put_result (ctx, result);
      upcr_element_free (result, near);
      upcr_central_open (barrier);
    }
  else
    upcr_central_await (barrier, epoch, ctx->call->what);
}

static void
reduce (struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;
  bool is_all = call->kind == UPCR_REDUCE_ALL;
  _Alignas(16) char near[UPCR_NEAR_BYTES];

  if (call->count == 0)
    return;
  publish_partial (ctx);
  if (upcr_call_has (call, GASNET_COLL_OUT_ALLSYNC))
    {
      reduce_in_barrier (ctx);
      return;
    }
  if (is_all || ctx->me == call->root)
    {
      void *result = upcr_element_alloc (call->op, near);
      uint32_t to = is_all ? ctx->me : call->root;

      combine (ctx, ctx->size, result);
      upcr_copy (upcr_dst_of (ctx, to), result, call->op->bytes);
      upcr_element_free (result, near);
    }
  if (upcr_call_has (call, GASNET_COLL_OUT_MYSYNC) && !upcr_is_local (ctx))
    upcr_await_all_done (ctx);
}

static void
scan (struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;
  struct upcr_range range = upcr_range_of (ctx, ctx->me);
  _Alignas(16) char near[UPCR_NEAR_BYTES];

  if (call->count == 0)
    return;
  /* What comes last is in nobody else's result; but others may wait to write here. */
  if (!is_published_late (ctx) || range.first + range.count < call->count)
    publish_partial (ctx);
  else if (upcr_is_scan_local (ctx))
    upcr_publish_quietly (ctx);
  else
    upcr_publish (ctx);
  if (range.count > 0)
    {
      void *carry = upcr_element_alloc (call->op, near);

      upcr_scan_portion (ctx, carry, combine (ctx, ctx->me, carry));
      upcr_element_free (carry, near);
    }
  /* Others may still write here. */
  if (upcr_call_has (call, GASNET_COLL_OUT_MYSYNC) && !upcr_is_scan_local (ctx))
    upcr_team_barrier (ctx->team, call->what);
}

void
upcr_run_direct (struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;
  bool computes = upcr_kind_has (call->kind, COMPUTES);

  upcr_begin (ctx);
  if (upcr_call_has (call, GASNET_COLL_IN_ALLSYNC))
    {
      upcr_publish_quietly (ctx);
      upcr_team_barrier (ctx->team, call->what);
      ctx->all_in = true;
    }
  else if (!computes || !upcr_is_local (ctx))
    upcr_publish (ctx);
  if (!computes)
    move (ctx);
  else if (call->kind == UPCR_SCAN)
    scan (ctx);
  else
    reduce (ctx);
  if (upcr_call_has (call, GASNET_COLL_OUT_ALLSYNC) && !ctx->all_done)
    upcr_team_barrier (ctx->team, call->what);
  upcr_mailbox_leave (ctx->team, ctx->me, ctx->number, false);
}

/* Every member knows all addresses, and no synchronisation is asked for. */
void
upcr_run_unsynchronised (struct upcr_context *ctx)
{
  upcr_move_portion (ctx);
}
