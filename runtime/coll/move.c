/* Data movement. Each member moves its own blocks directly from source to destination. A member
   that gets data fetches it. To the root of a gather, the members that have data bring it. So
   the work is shared evenly. */

#include "runtime/coll/context.h"
#include "runtime/shared/shared.h"

/* Unit UNIT of a block: the whole, or with a descriptor one of its pieces. */
static void
copy_unit (const struct upcr_context *ctx, char *dst, const char *src, size_t bytes, uint32_t unit)
{
  size_t offset = (size_t) unit * UPCR_UNIT_BYTES;

  if (!ctx->addresses || ctx->call->lists->src_sizes)
    upcr_copy (dst, src, bytes);
  else if (offset < bytes)
    upcr_copy (dst + offset, src + offset,
               bytes - offset < UPCR_UNIT_BYTES ? bytes - offset : UPCR_UNIT_BYTES);
}

static struct upcr_block
broadcast_block (const struct upcr_context *ctx)
{
  if (ctx->call->kind == UPCR_BROADCAST)
    return (struct upcr_block){ 0, ctx->call->bytes };
  return upcr_block_of (ctx->call, ctx->me);
}

static void
fetch_from_root (struct upcr_context *ctx, uint32_t unit)
{
  struct upcr_block block = broadcast_block (ctx);
  uint32_t root = ctx->call->root;

  upcr_await_entry (ctx, root);
  copy_unit (ctx, upcr_dst_of (ctx, ctx->me), upcr_src_of (ctx, root) + block.offset, block.bytes,
             unit);
}

static void
bring_to_root (struct upcr_context *ctx, uint32_t unit)
{
  struct upcr_block block = upcr_block_of (ctx->call, ctx->me);
  uint32_t root = ctx->call->root;

  upcr_await_entry (ctx, root);
  copy_unit (ctx, upcr_dst_of (ctx, root) + block.offset, upcr_src_of (ctx, ctx->me), block.bytes,
             unit);
}

static size_t
source_offset (const struct upcr_coll *view, uint32_t image)
{
  size_t offset = 0;

  if (view->lists->src_offsets)
    return view->lists->src_offsets[image];
  for (uint32_t i = 0; i < image; i++)
    offset += view->lists->src_sizes[i];
  return offset;
}

/* What FROM has for this member. */
static const char *
source_at (struct upcr_context *ctx, uint32_t from)
{
  if (ctx->call->kind == UPCR_GATHER_ALL)
    return upcr_src_of (ctx, from);
  if (!ctx->call->lists->src_sizes)
    return upcr_src_of (ctx, from) + ctx->me * ctx->call->bytes;
  return upcr_src_of (ctx, from) + source_offset (upcr_call_of (ctx, from), ctx->me);
}

/* The block from the member STEP behind this one: each begins with its own, so that not
   all fetch from the same one. */
static void
fetch_one (struct upcr_context *ctx, uint32_t step, uint32_t unit)
{
  uint32_t from = (ctx->me + step) % ctx->size;
  struct upcr_block block;

  upcr_await_entry (ctx, from);
  block = upcr_block_of (upcr_call_of (ctx, ctx->me), from);
  copy_unit (ctx, upcr_dst_of (ctx, ctx->me) + block.offset, source_at (ctx, from), block.bytes,
             unit);
}

/* Of two members one swaps their blocks; which, alternates, so that all have as much to
   do. */
static void
exchange_in_place (struct upcr_context *ctx)
{
  size_t bytes = ctx->call->bytes;
  uint32_t me = ctx->me;

  for (uint32_t other = 0; other < ctx->size; other++)
    {
      bool is_mine = ((me + other) & 1) == (me < other);

      if (other == me || !is_mine)
        continue;
      upcr_await_entry (ctx, other);
      upcr_swap (upcr_dst_of (ctx, me) + other * bytes, upcr_dst_of (ctx, other) + me * bytes,
                 bytes);
    }
}

static int
target_of (const struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;
  const char *entry;
  int target;

  if (upcr_call_has (call, GASNET_COLL_LOCAL))
    entry = upcr_src_of (ctx, ctx->me) + call->bytes;
  else
    entry = upcr_rebase (call->permutation, upcr_team_thread (ctx->team, ctx->me));
  memcpy (&target, entry, sizeof target);
  return target;
}

static void
permute (struct upcr_context *ctx, uint32_t unit)
{
  const struct upcr_coll *call = ctx->call;
  int to = target_of (ctx);

  if (__builtin_expect ((uint32_t) to >= ctx->size, 0))
    upcr_fatal ("%s: perm[%u] is %d, of %u threads", call->what, ctx->me, to, ctx->size);
  if (__builtin_expect (upcr_options.check && unit == 0, 0))
    upcr_check_target (ctx, ctx->me, to);
  upcr_await_entry (ctx, to);
  copy_unit (ctx, upcr_dst_of (ctx, to), upcr_src_of (ctx, ctx->me), call->bytes, unit);
}

static uint32_t
units_of (size_t bytes)
{
  return bytes <= UPCR_UNIT_BYTES ? 1 : (bytes + UPCR_UNIT_BYTES - 1) / UPCR_UNIT_BYTES;
}

static bool
is_swap (const struct upcr_coll *call)
{
  return call->kind == UPCR_EXCHANGE && upcr_call_has (call, GASNET_COLL_IN_PLACE);
}

/* The units of one of the portion's blocks: as many as the largest needs. */
static uint32_t
block_units (const struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;
  size_t most = call->bytes;

  if (call->lists->sizes && upcr_kind_has (call->kind, ROOTED))
    most = call->lists->sizes[ctx->me];
  else if (call->lists->sizes)
    for (uint32_t i = 0; i < ctx->size; i++)
      most = call->lists->sizes[i] > most ? call->lists->sizes[i] : most;
  return units_of (most);
}

static uint32_t
blocks_in_portion (const struct upcr_context *ctx)
{
  return upcr_kind_has (ctx->call->kind, ROOTED) || ctx->call->kind == UPCR_PERMUTE ? 1 : ctx->size;
}

uint32_t
upcr_portion_units (const struct upcr_context *ctx)
{
  if (is_swap (ctx->call))
    return 1;
  /* Each image has its own view of the sizes: a unit a block is what all agree on. */
  if (ctx->call->lists->src_sizes)
    return ctx->size;
  return block_units (ctx) * blocks_in_portion (ctx);
}

void
upcr_move_unit (struct upcr_context *ctx, uint32_t unit)
{
  const struct upcr_coll *call = ctx->call;
  uint32_t step, pieces;

  switch (call->kind)
    {
    case UPCR_BROADCAST:
    case UPCR_SCATTER:
      fetch_from_root (ctx, unit);
      break;
    case UPCR_GATHER:
      bring_to_root (ctx, unit);
      break;
    case UPCR_PERMUTE:
      permute (ctx, unit);
      break;
    default:
      if (is_swap (call))
        {
          exchange_in_place (ctx);
          return;
        }
      pieces = upcr_portion_units (ctx) / ctx->size;
      step = unit / pieces;
      fetch_one (ctx, step, unit % pieces);
    }
}

/* Without a descriptor a unit is a whole block. */
void
upcr_move_portion (struct upcr_context *ctx)
{
  uint32_t blocks = is_swap (ctx->call) ? 1 : blocks_in_portion (ctx);

  if (blocks == 1)
    upcr_move_unit (ctx, 0);
  else
    for (uint32_t step = 0; step < blocks; step++)
      fetch_one (ctx, step, 0);
}

void
upcr_move_all (struct upcr_context *ctx)
{
  struct upcr_context its = *ctx;

  for (its.me = 0; its.me < ctx->size; its.me++)
    upcr_move_portion (&its);
}
