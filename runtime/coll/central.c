/* Short data. The last member to arrive at the central barrier moves or combines all of it. */

#include "runtime/coll/algorithms.h"

void
upcr_run_central (struct upcr_context *ctx)
{
  struct upcr_central_barrier *barrier = &ctx->team->barrier;
  bool is_local = upcr_call_has (ctx->call, GASNET_COLL_LOCAL);
  uint32_t epoch;

  /* Addresses and all before them are published by the arrival. */
  if (is_local)
    {
      upcr_begin (ctx);
      upcr_publish_quietly (ctx);
    }
  ctx->all_in = true;
  epoch = upcr_central_epoch (barrier);
  if (upcr_central_arrive (barrier))
    {
      if (upcr_kind_has (ctx->call->kind, COMPUTES))
        upcr_compute_all (ctx);
      else
        upcr_move_all (ctx);
      upcr_central_open (barrier);
    }
  else
    upcr_central_await (barrier, epoch, ctx->call->what);
  if (is_local)
    upcr_mailbox_leave (ctx->team, ctx->me, ctx->number, false);
}
