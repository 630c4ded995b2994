/* The start of an operation, and waiting for its members through their slots. */

#include "runtime/coll/context.h"

#include "runtime/coll/partition.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

struct upcr_context
upcr_context_of (struct upcr_coll *call)
{
  static const struct upcr_lists no_lists;
  struct upcr_context ctx = { .call = call, .team = upcr_team_of (call->team, call->what) };

  ctx.size = ctx.team->size;
  ctx.me = upcr_team_rank (ctx.team, MYTHREAD);
  if (!call->lists)
    call->lists = &no_lists;
  if (upcr_kind_has (call->kind, COMPUTES))
    ctx.partition = upcr_partition_of (call->kind, call->op, call->source, call->count, ctx.size);
  return ctx;
}

void
upcr_await_entry (const struct upcr_context *ctx, uint32_t rank)
{
  if (!ctx->addresses && !ctx->all_in && rank != ctx->me
      && upcr_call_has (ctx->call, GASNET_COLL_IN_MYSYNC | GASNET_COLL_LOCAL))
    upcr_await_slot (ctx, rank);
}

void
upcr_begin (struct upcr_context *ctx)
{
  struct upcr_mailbox_slot *slot = ctx->slot = upcr_mailbox_enter (ctx->team, ctx->me,
                                                                   &ctx->number);

  if (upcr_call_has (ctx->call, GASNET_COLL_LOCAL))
    upcr_own_addresses (ctx, &slot->addresses.src, &slot->addresses.dst);
  slot->addresses.more = ctx->call;
  upcr_mailbox_prefetch (ctx->team, ctx->me, ctx->number, 0);
  /* Another number than this one's. Relaxed: whoever waits for `done` acquires `sequence`
     before. */
  atomic_store_explicit (&slot->done, ctx->number - 1, memory_order_relaxed);
}

/* unpark_all is a full fence, and so those that the flags imply at entry and return: of
   the program's own accesses there is none between them (UPC 1.3, B.3.2). */
void
upcr_publish (const struct upcr_context *ctx)
{
  atomic_store_explicit (&ctx->slot->sequence, ctx->number, memory_order_release);
  upcr_unpark_all (&ctx->slot->sequence);
}

void
upcr_publish_quietly (const struct upcr_context *ctx)
{
  upcr_slot_publish_quietly (ctx->slot, ctx->number, upcr_implies_fence (ctx->call->flags));
}

void
upcr_publish_done (const struct upcr_context *ctx)
{
  atomic_store_explicit (&ctx->slot->done, ctx->number, memory_order_release);
  upcr_unpark_all (&ctx->slot->done);
}

void
upcr_await_done (const struct upcr_context *ctx, uint32_t rank)
{
  struct upcr_mailbox_slot *slot = upcr_slot_of (ctx->team, rank, ctx->number);

  upcr_await_number (&slot->sequence, ctx->number, ctx->call->what);
  upcr_await_number (&slot->done, ctx->number, ctx->call->what);
}

void
upcr_await_all_done (const struct upcr_context *ctx)
{
  for (uint32_t m = 0; m < ctx->size; m++)
    if (m != ctx->me)
      upcr_await_done (ctx, m);
}
