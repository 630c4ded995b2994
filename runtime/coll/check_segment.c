/* In the checked heap: does everything that a call reads and writes in the segment belong to one
   object? With UPC_CHECK=1, also: is the memory that DST_IN_SEGMENT and SRC_IN_SEGMENT refer to in
   the segment, and do source and destination overlap? Data with affinity to a thread belongs to
   one member. Each member checks its own data, all of it. An address that has no meaning for the
   member, such as the destination of a gather on a member other than the root, is ignored. */

#include "runtime/coll/context.h"
#include "runtime/coll/layout.h"

/* What the calling member reads, or writes, from ADDRESS on: blocks of SIZES at OFFSETS, or BYTES
   in one piece. FLAG says that it is in the segment. */
struct memory
{
  const char *name;
  int flag;
  const char *address;
  size_t bytes;
  const size_t *sizes, *offsets;
};

static bool
is_in_segment (const char *address, size_t bytes)
{
  uintptr_t offset = (uintptr_t) address - UPCR_SEGMENT_BASE;
  size_t whole = UPCR_STRIDE * (size_t) THREADS;

  return bytes == 0 || (offset < whole && bytes <= whole - offset);
}

static void
check_piece (const struct upcr_coll *call, const struct memory *m, size_t offset, size_t bytes)
{
  const char *address = m->address + offset;

  if (upcr_options.check && upcr_call_has (call, m->flag) && !is_in_segment (address, bytes))
    upcr_fatal ("%s: the %s is not in the segment, although the flags say so", call->what, m->name);
  if (upcr_is_checked)
    upcr_check_address (address, bytes, call->what);
}

static void
check (const struct upcr_context *ctx, const struct memory *m)
{
  size_t next = 0;

  if (!m->sizes)
    check_piece (ctx->call, m, 0, m->bytes);
  else
    for (uint32_t i = 0; i < ctx->size; i++)
      {
        check_piece (ctx->call, m, m->offsets ? m->offsets[i] : next, m->sizes[i]);
        next += m->sizes[i];
      }
}

/* The calling member's elements, of those in LAYOUT. */
static void
set_elements (struct memory *m, const struct upcr_context *ctx, struct upcr_layout layout)
{
  size_t bytes = ctx->call->op->bytes;
  struct upcr_extent own = upcr_extent_of (layout, ctx->size, ctx->me, ctx->call->count);

  m->address += own.first * bytes;
  m->bytes = own.count * bytes;
}

/* The blocks of all members. */
static void
set_all_blocks (struct memory *m, const struct upcr_context *ctx, const size_t *sizes,
                const size_t *offsets)
{
  m->bytes = ctx->call->bytes * ctx->size;
  m->sizes = sizes;
  m->offsets = offsets;
}

/* Have the address arguments a meaning for the calling member? */
static bool
has_source (const struct upcr_context *ctx)
{
  bool is_in_place = upcr_call_has (ctx->call, GASNET_COLL_IN_PLACE);
  bool is_root = ctx->me == ctx->call->root;

  switch (ctx->call->kind)
    {
    case UPCR_BROADCAST:
      return is_root && !is_in_place;
    case UPCR_SCATTER:
      return is_root;
    case UPCR_GATHER:
      return !(is_root && is_in_place);
    default:
      return !is_in_place;
    }
}

static bool
has_destination (const struct upcr_context *ctx)
{
  bool is_root = ctx->me == ctx->call->root;

  switch (ctx->call->kind)
    {
    case UPCR_GATHER:
    case UPCR_REDUCE:
      return is_root;
    case UPCR_SCATTER:
      return !(is_root && upcr_call_has (ctx->call, GASNET_COLL_IN_PLACE));
    default:
      return true;
    }
}

static struct memory
source_of (const struct upcr_context *ctx, const char *address)
{
  const struct upcr_coll *call = ctx->call;
  struct memory m = { "source", GASNET_COLL_SRC_IN_SEGMENT, address, 0, NULL, NULL };

  if (upcr_kind_has (call->kind, COMPUTES))
    set_elements (&m, ctx, call->source);
  else if (call->kind == UPCR_BROADCAST)
    m.bytes = call->bytes;
  else if (call->kind == UPCR_SCATTER)
    set_all_blocks (&m, ctx, call->lists->sizes, call->lists->offsets);
  else if (call->kind == UPCR_EXCHANGE)
    set_all_blocks (&m, ctx, call->lists->src_sizes, call->lists->src_offsets);
  else
    m.bytes = upcr_block_of (call, ctx->me).bytes;
  return m;
}

static struct memory
destination_of (const struct upcr_context *ctx, const char *address)
{
  const struct upcr_coll *call = ctx->call;
  struct memory m = { "destination", GASNET_COLL_DST_IN_SEGMENT, address, 0, NULL, NULL };

  if (call->kind == UPCR_SCAN)
    set_elements (&m, ctx, call->destination);
  else if (upcr_kind_has (call->kind, COMPUTES))
    m.bytes = call->count ? call->op->bytes : 0;
  else if (call->kind == UPCR_BROADCAST || call->kind == UPCR_PERMUTE)
    m.bytes = call->bytes;
  else if (call->kind == UPCR_SCATTER)
    m.bytes = upcr_block_of (call, ctx->me).bytes;
  else
    set_all_blocks (&m, ctx, call->lists->sizes, call->lists->offsets);
  return m;
}

/* Of what is in one piece, as all of UPC's is. Images that pass addresses of their own may have one
   variable for both. */
static void
check_overlap (const struct upcr_coll *call, const struct memory *src, const struct memory *dst)
{
  size_t distance = dst->address - (const char *) UPCR_SEGMENT_BASE;

  if (!upcr_options.check || !upcr_call_has (call, GASNET_COLL_SINGLE) || src->sizes || dst->sizes
      || src->bytes == 0 || dst->bytes == 0 || src->address >= dst->address + dst->bytes
      || dst->address >= src->address + src->bytes)
    return;
  if (is_in_segment (dst->address, dst->bytes))
    upcr_refuse_overlap_at (distance / UPCR_STRIDE, distance % UPCR_STRIDE, call->what);
  upcr_fatal ("%s: the destination overlaps the source", call->what);
}

/* The member's entry, which is in shared memory always. */
static void
check_permutation (const struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;

  upcr_check_address (upcr_rebase (call->permutation, upcr_team_thread (ctx->team, ctx->me)),
                      sizeof *call->permutation, call->what);
}

void
upcr_check_segment (const struct upcr_context *ctx)
{
  const void *src;
  void *dst;
  struct memory from = { 0 }, to = { 0 };

  upcr_own_addresses (ctx, &src, &dst);
  if (has_source (ctx))
    from = source_of (ctx, src);
  if (has_destination (ctx))
    to = destination_of (ctx, dst);
  check (ctx, &from);
  check (ctx, &to);
  check_overlap (ctx->call, &from, &to);
  if (upcr_is_checked && ctx->call->kind == UPCR_PERMUTE)
    check_permutation (ctx);
}
