/* Portions of reductions and scans: a member's elements are folded to its partial result, or
   scanned behind those of the members before it. */

#include "runtime/coll/partition.h"

#include "runtime/coll/apart.h"
#include "runtime/coll/operator.h"
#include "runtime/coll/rows.h"
#include "runtime/coll/walk.h"
#include "runtime/shared/shared.h"

#include <string.h>

static char *
source_of (const struct upcr_context *ctx, uint32_t image)
{
  return (char *) upcr_src_of (ctx, image);
}

/* Elements that a tile has room for. */
static size_t
tile_elements (const struct upcr_operator *op, size_t left)
{
  size_t most = UPCR_TILE_BYTES / op->bytes;

  return left < most ? left : most;
}

/* The same as fold_range where blocks are short. */
static void
fold_tiles (struct upcr_context *ctx, struct upcr_range range, void *result)
{
  const struct upcr_coll *call = ctx->call;
  _Alignas(64) char tile[UPCR_TILE_BYTES];
  struct upcr_walk walk;
  bool is_begun = false;

  upcr_walk_begin (&walk, ctx, call->source, source_of, range.first);
  for (size_t left = range.count, some; left > 0; left -= some)
    {
      some = tile_elements (call->op, left);
      upcr_walk_gather (&walk, tile, some);
      upcr_fold_on (call->op, result, &is_begun, tile, some);
    }
}

/* The same where the order of operands does not matter: what lies with each member at once. */
static void
fold_columns (struct upcr_context *ctx, struct upcr_range range, void *result)
{
  const struct upcr_coll *call = ctx->call;
  size_t limit = range.first + range.count;
  bool is_begun = false;

  for (uint32_t image = 0; image < ctx->size; image++)
    {
      struct upcr_extent before = upcr_extent_of (call->source, ctx->size, image, range.first);
      struct upcr_extent all = upcr_extent_of (call->source, ctx->size, image, limit);

      if (all.count == before.count)
        continue;
      upcr_await_entry (ctx, image);
      upcr_fold_on (call->op, result, &is_begun,
                    upcr_src_of (ctx, image) + (all.first + before.count) * call->op->bytes,
                    all.count - before.count);
    }
}

static void
fold_range (struct upcr_context *ctx, struct upcr_range range, void *result)
{
  const struct upcr_coll *call = ctx->call;
  size_t index = range.first, limit = range.first + range.count;
  bool is_begun = false;

  if (upcr_is_walked (call->source, ctx->size, call->op->bytes))
    {
      if (call->op->is_commutative && range.count >= UPCR_FEW_ELEMENTS * ctx->size)
        fold_columns (ctx, range, result);
      else
        fold_tiles (ctx, range, result);
      return;
    }
  while (index < limit)
    {
      struct upcr_extent s = upcr_extent_at (call->source, ctx->size, index, limit);

      upcr_await_entry (ctx, s.image);
      upcr_fold_on (call->op, result, &is_begun,
                    upcr_src_of (ctx, s.image) + s.first * call->op->bytes, s.count);
      index += s.count;
    }
}

void
upcr_fold_portion (struct upcr_context *ctx, void *result)
{
  const struct upcr_coll *call = ctx->call;
  bool is_begun = false;

  if (upcr_is_local (ctx))
    {
      struct upcr_extent s = upcr_own_extent (ctx);

      upcr_fold_on (call->op, result, &is_begun,
                    upcr_src_of (ctx, ctx->me) + s.first * call->op->bytes, s.count);
    }
  else
    fold_range (ctx, upcr_range_of (ctx, ctx->me), result);
}

void
upcr_put_result (const struct upcr_context *ctx, const void *result)
{
  size_t bytes = ctx->call->op->bytes;

  if (ctx->call->kind == UPCR_REDUCE)
    memcpy (upcr_dst_of (ctx, ctx->call->root), result, bytes);
  else
    for (uint32_t m = 0; m < ctx->size; m++)
      memcpy (upcr_dst_of (ctx, m), result, bytes);
}

/* COUNT elements of SRC to DST, each reduced with all before it; *CARRY is the reduction
   of those before, and of these too afterwards. */
static void
scan_through (const struct upcr_operator *op, char *dst, const char *src, size_t count, void *carry,
              bool *is_begun)
{
  op->scan (op, dst, src, count, *is_begun ? carry : NULL);
  upcr_copy (carry, dst + (count - 1) * op->bytes, op->bytes);
  *is_begun = true;
}

/* The same with each reduced with those before it alone; where there are none DST is left
   as it is. */
static void
scan_before (const struct upcr_operator *op, char *dst, const char *src, size_t count, void *carry,
             bool *is_begun)
{
  if (*is_begun)
    memcpy (dst, carry, op->bytes);
  if (count > 1)
    {
      op->scan (op, dst + op->bytes, src, count - 1, *is_begun ? carry : NULL);
      memcpy (carry, dst + (count - 1) * op->bytes, op->bytes);
      *is_begun = true;
    }
  upcr_fold_on (op, carry, is_begun, src + (count - 1) * op->bytes, 1);
}

static void
scan_before_in_place (const struct upcr_operator *op, char *data, size_t count, void *carry,
                      bool *is_begun)
{
  _Alignas(16) char near[UPCR_TILE_BYTES];
  size_t most = op->bytes < sizeof near ? sizeof near / op->bytes : 1;
  char *tile = op->bytes <= sizeof near ? near : upcr_element_alloc (op, near);

  for (size_t i = 0; i < count; i += most)
    {
      size_t some = count - i < most ? count - i : most;

      memcpy (tile, data + i * op->bytes, some * op->bytes);
      scan_before (op, data + i * op->bytes, tile, some, carry, is_begun);
    }
  upcr_element_free (tile, near);
}

static void
scan_any (const struct upcr_coll *call, char *dst, const char *src, size_t count, void *carry,
          bool *is_begun)
{
  if (upcr_call_has (call, GASNET_COLL_INCLUSIVE_SCAN))
    scan_through (call->op, dst, src, count, carry, is_begun);
  else if (dst != src)
    scan_before (call->op, dst, src, count, carry, is_begun);
  else
    scan_before_in_place (call->op, dst, count, carry, is_begun);
}

/* The same as scan_range where blocks of elements or results are short. */
static void
scan_tiles (struct upcr_context *ctx, struct upcr_range range, void *carry, bool is_begun)
{
  const struct upcr_coll *call = ctx->call;
  _Alignas(64) char tile[UPCR_TILE_BYTES];
  struct upcr_walk from, to;

  upcr_walk_begin (&from, ctx, call->source, source_of, range.first);
  upcr_walk_begin (&to, ctx, call->destination, upcr_dst_of, range.first);
  for (size_t left = range.count, some, stored; left > 0; left -= some)
    {
      /* An exclusive scan does not store its first result. */
      bool is_stored = is_begun || upcr_call_has (call, GASNET_COLL_INCLUSIVE_SCAN);

      some = tile_elements (call->op, left);
      upcr_walk_gather (&from, tile, some);
      scan_any (call, tile, tile, some, carry, &is_begun);
      if (!is_stored)
        upcr_walk_skip (&to);
      stored = some - !is_stored;
      upcr_walk_scatter (&to, tile + (some - stored) * call->op->bytes, stored);
    }
}

/* Elements to the next row, whole rows, and what is left. */
static void
scan_by_rows (struct upcr_context *ctx, struct upcr_range range, void *carry, bool is_begun)
{
  const struct upcr_coll *call = ctx->call;
  uint32_t size = ctx->size;
  size_t before = (size - (call->source.offset + range.first) % size) % size;
  size_t rows = (range.count - before) / size, rest = range.count - before - rows * size;

  if (before > 0)
    scan_tiles (ctx, (struct upcr_range){ range.first, before }, carry, is_begun);
  is_begun |= before > 0;
  upcr_scan_rows (ctx, (call->source.offset + range.first + before) / size, rows, carry, is_begun);
  if (rest > 0)
    scan_tiles (ctx, (struct upcr_range){ range.first + range.count - rest, rest }, carry, true);
}

/* Elements to the next round of blocks, of which there must be some, whole periods, and what is left. */
static void
scan_by_periods (struct upcr_context *ctx, struct upcr_range range, void *carry, bool is_begun)
{
  const struct upcr_coll *call = ctx->call;
  size_t round = call->source.block * ctx->size,
         period = upcr_apart_period (call->source.block, ctx->size);
  size_t before = round - (call->source.offset + range.first) % round;
  size_t periods = (range.count - before) / period, rest = range.count - before - periods * period;

  scan_tiles (ctx, (struct upcr_range){ range.first, before }, carry, is_begun);
  upcr_scan_apart (ctx, range.first + before, periods, carry);
  if (rest > 0)
    scan_tiles (ctx, (struct upcr_range){ range.first + range.count - rest, rest }, carry, true);
}

static void
scan_range (struct upcr_context *ctx, struct upcr_range range, void *carry, bool is_begun)
{
  const struct upcr_coll *call = ctx->call;
  size_t index = range.first, limit = range.first + range.count, bytes = call->op->bytes;

  if (upcr_has_rows (ctx, range))
    {
      scan_by_rows (ctx, range, carry, is_begun);
      return;
    }
  if (upcr_is_scanned_apart (ctx, range))
    {
      scan_by_periods (ctx, range, carry, is_begun);
      return;
    }
  if (upcr_is_walked (call->source, ctx->size, bytes)
      || upcr_is_walked (call->destination, ctx->size, bytes))
    {
      scan_tiles (ctx, range, carry, is_begun);
      return;
    }
  while (index < limit)
    {
      struct upcr_extent from = upcr_extent_at (call->source, ctx->size, index, limit);
      struct upcr_extent to = upcr_extent_at (call->destination, ctx->size, index, limit);
      size_t count = from.count < to.count ? from.count : to.count;

      upcr_await_entry (ctx, from.image);
      upcr_await_entry (ctx, to.image);
      scan_any (call, upcr_dst_of (ctx, to.image) + to.first * bytes,
                upcr_src_of (ctx, from.image) + from.first * bytes, count, carry, &is_begun);
      index += count;
    }
}

void
upcr_scan_portion (struct upcr_context *ctx, void *carry, bool has_carry)
{
  const struct upcr_coll *call = ctx->call;
  struct upcr_extent own;

  if (!upcr_is_scan_local (ctx))
    {
      scan_range (ctx, upcr_range_of (ctx, ctx->me), carry, has_carry);
      return;
    }
  own = upcr_own_extent (ctx);
  if (own.count > 0)
    scan_any (call, upcr_dst_of (ctx, ctx->me) + own.first * call->op->bytes,
              upcr_src_of (ctx, ctx->me) + own.first * call->op->bytes, own.count, carry,
              &has_carry);
}

/* Folds what lies with each member, where the order of operands allows that. */
static void
fold_members (struct upcr_context *ctx, void *result)
{
  struct upcr_context its = *ctx;
  bool is_begun = false;

  for (its.me = 0; its.me < ctx->size; its.me++)
    {
      struct upcr_extent s = upcr_own_extent (&its);

      upcr_fold_on (ctx->call->op, result, &is_begun,
                    upcr_src_of (ctx, its.me) + s.first * ctx->call->op->bytes, s.count);
    }
}

void
upcr_compute_all (struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;
  struct upcr_range all = { 0, call->count };
  _Alignas(16) char near[UPCR_NEAR_BYTES];
  void *result;

  if (call->count == 0)
    return;
  result = upcr_element_alloc (call->op, near);
  if (call->kind == UPCR_SCAN)
    scan_range (ctx, all, result, false);
  else
    {
      if (ctx->partition == UPCR_OWN_BLOCKS && call->count >= UPCR_FEW_ELEMENTS * ctx->size)
        fold_members (ctx, result);
      else
        fold_range (ctx, all, result);
      upcr_put_result (ctx, result);
    }
  upcr_element_free (result, near);
}
