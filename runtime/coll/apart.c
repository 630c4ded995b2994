/* Scans of elements that are apart: see apart.h. */

#include "runtime/coll/apart.h"

#include "runtime/coll/operator.h"

void
upcr_scan_apart (struct upcr_context *ctx, size_t first, size_t periods, void *carry)
{
  const struct upcr_coll *call = ctx->call;
  const struct upcr_operator *op = call->op;
  size_t block = call->source.block, period = upcr_apart_period (block, ctx->size);
  const char *from[UPCR_MOST_APART];
  char *to[UPCR_MOST_APART];

  for (uint32_t m = 0; m < ctx->size; m++)
    upcr_await_entry (ctx, m);
  for (size_t j = 0; j < period; j++)
    {
      struct upcr_extent e = upcr_extent_at (call->source, ctx->size, first + j, call->count);

      from[j] = upcr_src_of (ctx, e.image) + e.first * op->bytes;
      to[j] = upcr_dst_of (ctx, e.image) + e.first * op->bytes;
    }
  (block % 2 == 0 ? op->scan_pairs : op->scan_apart) (
      to, from, period, period / ctx->size * op->bytes, periods, carry);
}
