/* Progress of operations in flight. */

#include "runtime/coll/pending.h"

#include "runtime/coll/operator.h"
#include "runtime/coll/partition.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <string.h>

static bool
is_scan (const struct upcr_context *ctx)
{
  return ctx->call->kind == UPCR_SCAN;
}

/* Members may find something to do, or may leave. */
static void
notify (struct upcr_pending *pending)
{
  atomic_fetch_add_explicit (&pending->event, 1, memory_order_release);
  upcr_unpark_all (&pending->event);
}

/* Others that wait can only go on when the root is there or all are: a portion of this member
   alone it does itself. */
void
upcr_pending_arrive (upcr_handle *handle)
{
  struct upcr_context *ctx = &handle->ctx;
  struct upcr_pending *pending = ctx->pending;
  struct upcr_addresses *own = &pending->addresses[ctx->me];
  bool is_last;

  upcr_own_addresses (ctx, &own->src, &own->dst);
  own->more = ctx->call;
  atomic_store_explicit (&pending->portions[ctx->me].arrived, 1, memory_order_release);
  is_last = atomic_fetch_add_explicit (&pending->arrived, 1, memory_order_acq_rel) + 1 == ctx->size;
  if (ctx->size > 1 && (is_last || ctx->me == ctx->call->root))
    notify (pending);
}

static bool
have_all_arrived (const struct upcr_context *ctx)
{
  return atomic_load_explicit (&ctx->pending->arrived, memory_order_acquire) == ctx->size;
}

static bool
has_arrived (const struct upcr_context *ctx, uint32_t rank)
{
  return atomic_load_explicit (&ctx->pending->portions[rank].arrived, memory_order_acquire);
}

/* May the portion of member M be done, by what the IN flag says about the data that it touches? */
static bool
is_portion_ready (const struct upcr_context *ctx, uint32_t m)
{
  const struct upcr_coll *call = ctx->call;

  if (upcr_call_has (call, GASNET_COLL_IN_ALLSYNC))
    return have_all_arrived (ctx);
  if (!upcr_call_has (call, GASNET_COLL_IN_MYSYNC | GASNET_COLL_LOCAL) && !call->lists->src_sizes)
    return true;
  if (upcr_kind_has (call->kind, ROOTED))
    return has_arrived (ctx, m) && has_arrived (ctx, call->root);
  if (call->kind == UPCR_REDUCE && upcr_is_local (ctx))
    return has_arrived (ctx, m);
  return have_all_arrived (ctx);
}

static void *
partial_of (const struct upcr_pending *pending, uint32_t m)
{
  return pending->partials + m * pending->partial_bytes;
}

static void *
carry_of (const struct upcr_pending *pending, uint32_t size, uint32_t m)
{
  return pending->partials + (size + m) * pending->partial_bytes;
}

/* Folds the partial results of all portions, in their order; for a scan, the carry of each is
   what was there before it. */
static bool
combine (const struct upcr_context *ctx, char *result)
{
  const struct upcr_operator *op = ctx->call->op;
  bool is_begun = false;

  for (uint32_t m = 0; m < ctx->size; m++)
    {
      if (!upcr_has_partial (ctx, m))
        continue;
      if (is_scan (ctx) && is_begun)
        memcpy (carry_of (ctx->pending, ctx->size, m), result, op->bytes);
      op->fold (op, result, is_begun ? result : NULL, partial_of (ctx->pending, m), 1);
      is_begun = true;
    }
  return is_begun;
}

static bool
is_first_partial (const struct upcr_context *ctx)
{
  for (uint32_t m = 0; m < ctx->me; m++)
    if (upcr_has_partial (ctx, m))
      return false;
  return true;
}

/* All portions of the pass are done, and this thread did the last one. */
static void
end_pass (const struct upcr_context *ctx, uint32_t pass)
{
  struct upcr_pending *pending = ctx->pending;

  if (upcr_kind_has (ctx->call->kind, COMPUTES) && pass == 0 && ctx->call->count > 0)
    {
      _Alignas(16) char near[UPCR_NEAR_BYTES];
      void *result = upcr_element_alloc (ctx->call->op, near);

      combine (ctx, result);
      if (!is_scan (ctx))
        upcr_put_result (ctx, result);
      upcr_element_free (result, near);
    }
  if (is_scan (ctx) && pass == 0)
    atomic_store_explicit (&pending->pass, 1, memory_order_release);
  else
    atomic_store_explicit (&pending->complete, 1, memory_order_release);
  if (ctx->size > 1)
    notify (pending);
}

static void
do_unit (struct upcr_context *ctx, uint32_t pass, uint32_t unit)
{
  struct upcr_pending *pending = ctx->pending;

  if (upcr_kind_has (ctx->call->kind, MOVES))
    upcr_move_unit (ctx, unit);
  else if (ctx->call->count == 0)
    return;
  else if (pass == 0)
    upcr_fold_portion (ctx, partial_of (pending, ctx->me));
  else
    upcr_scan_portion (ctx, carry_of (pending, ctx->size, ctx->me), !is_first_partial (ctx));
}

static uint32_t
units_of (const struct upcr_context *ctx)
{
  return upcr_kind_has (ctx->call->kind, MOVES) ? upcr_portion_units (ctx) : 1;
}

/* Does units of member M's portion for as long as there are any. CTX is the caller's own. */
static bool
do_portion (const struct upcr_context *ctx, uint32_t pass, uint32_t m)
{
  struct upcr_portion *portion = &ctx->pending->portions[m];
  struct upcr_context its = *ctx;
  uint32_t units, unit;
  bool did_something = false;

  its.me = m;
  units = units_of (&its);
  while (atomic_load_explicit (&portion->cursor[pass], memory_order_relaxed) < units
         && (unit = atomic_fetch_add_explicit (&portion->cursor[pass], 1, memory_order_relaxed))
                < units)
    {
      did_something = true;
      do_unit (&its, pass, unit);
      if (atomic_fetch_add_explicit (&portion->done[pass], 1, memory_order_acq_rel) + 1 < units)
        continue;
      if (atomic_fetch_add_explicit (&ctx->pending->portions_done[pass], 1, memory_order_acq_rel)
              + 1
          == ctx->size)
        end_pass (ctx, pass);
      else if (m != ctx->me)
        notify (ctx->pending);
    }
  return did_something;
}

bool
upcr_pending_advance (upcr_handle *handle)
{
  struct upcr_context *ctx = &handle->ctx;
  bool did_something = false;
  uint32_t pass;

  if (atomic_load_explicit (&ctx->pending->complete, memory_order_acquire))
    return false;
  do
    {
      pass = atomic_load_explicit (&ctx->pending->pass, memory_order_acquire);
      for (uint32_t i = 0; i < ctx->size; i++)
        {
          uint32_t m = (ctx->me + i) % ctx->size;

          if (is_portion_ready (ctx, m))
            did_something |= do_portion (ctx, pass, m);
        }
    }
  while (atomic_load_explicit (&ctx->pending->pass, memory_order_acquire) != pass);
  return did_something;
}

static bool
is_own_done (const struct upcr_context *ctx)
{
  return atomic_load_explicit (&ctx->pending->portions[ctx->me].done[0], memory_order_acquire)
         == units_of (ctx);
}

/* Has all data of the calling member moved? For the kinds where that is earlier than all
   has. */
static bool
has_own_moved (const struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;
  bool is_rooted = upcr_kind_has (call->kind, ROOTED)
                   || (call->kind == UPCR_REDUCE && upcr_is_local (ctx));

  return is_rooted && ctx->me != call->root && is_own_done (ctx);
}

/* Without output synchronisation a member may leave the rest to the others, but the last
   one; those that have not come yet count as others. Not where the others need its own
   arguments. A blocking call does its portion first. */
static bool
leave_the_rest (struct upcr_pending *pending)
{
  uint32_t refs = atomic_load_explicit (&pending->refs, memory_order_relaxed);

  while (refs > 1)
    if (atomic_compare_exchange_weak_explicit (&pending->refs, &refs, refs - 1,
                                               memory_order_acq_rel, memory_order_relaxed))
      return true;
  return false;
}

bool
upcr_pending_leave (upcr_handle *handle)
{
  const struct upcr_context *ctx = &handle->ctx;
  struct upcr_pending *pending = ctx->pending;

  if (atomic_load_explicit (&pending->complete, memory_order_acquire)
      || (upcr_call_has (ctx->call, GASNET_COLL_OUT_MYSYNC) && has_own_moved (ctx)))
    {
      upcr_pending_put (pending);
      return true;
    }
  return upcr_call_has (ctx->call, GASNET_COLL_OUT_NOSYNC) && !ctx->call->lists->src_sizes
         && (!handle->is_blocking || is_own_done (ctx)) && leave_the_rest (pending);
}
