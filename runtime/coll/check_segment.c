/* With UPC_CHECK=1: is what DST_IN_SEGMENT and SRC_IN_SEGMENT are about in the segment?
   Each member looks at its own, all of it. An address that has no meaning for the member, as the
   destination of a gather elsewhere than at the root, is ignored. */

#include "runtime/coll/context.h"
#include "runtime/coll/layout.h"

/* What the calling member reads, or writes, from ADDRESS on: blocks of SIZES at OFFSETS, or BYTES
   in one piece. */
struct memory
{
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

static bool
are_blocks_in_segment (const struct memory *m, uint32_t size)
{
  size_t next = 0;

  for (uint32_t i = 0; i < size; i++)
    {
      size_t offset = m->offsets ? m->offsets[i] : next;

      if (!is_in_segment (m->address + offset, m->sizes[i]))
        return false;
      next += m->sizes[i];
    }
  return true;
}

static void
check (const struct upcr_context *ctx, const struct memory *m, const char *name)
{
  if (m->sizes ? !are_blocks_in_segment (m, ctx->size) : !is_in_segment (m->address, m->bytes))
    upcr_fatal ("%s: %s is not in the segment, although the flags say so", ctx->call->what, name);
}

static struct memory
elements (const struct upcr_context *ctx, const char *address, struct upcr_layout layout)
{
  size_t bytes = ctx->call->op->bytes;
  struct upcr_extent own = upcr_extent_of (layout, ctx->size, ctx->me, ctx->call->count);

  return (struct memory){ address + own.first * bytes, own.count * bytes, NULL, NULL };
}

/* The blocks of all members. */
static struct memory
all_blocks (const struct upcr_context *ctx, const char *address)
{
  const struct upcr_coll *call = ctx->call;

  return (struct memory){ address, call->bytes * ctx->size, call->lists->sizes,
                          call->lists->offsets };
}

static struct memory
own_block (const struct upcr_context *ctx, const char *address)
{
  return (struct memory){ address, upcr_block_of (ctx->call, ctx->me).bytes, NULL, NULL };
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

static void
check_source (const struct upcr_context *ctx, const char *address)
{
  const struct upcr_coll *call = ctx->call;
  struct memory m = { address, call->bytes, NULL, NULL };

  if (upcr_kind_has (call->kind, COMPUTES))
    m = elements (ctx, address, call->source);
  else if (call->kind == UPCR_SCATTER)
    m = all_blocks (ctx, address);
  else if (call->kind == UPCR_EXCHANGE)
    m = (struct memory){ address, call->bytes * ctx->size, call->lists->src_sizes,
                         call->lists->src_offsets };
  else if (call->kind != UPCR_BROADCAST)
    m = own_block (ctx, address);
  check (ctx, &m, "the source");
}

static void
check_destination (const struct upcr_context *ctx, const char *address)
{
  const struct upcr_coll *call = ctx->call;
  struct memory m = { address, call->bytes, NULL, NULL };

  if (call->kind == UPCR_SCAN)
    m = elements (ctx, address, call->destination);
  else if (upcr_kind_has (call->kind, COMPUTES))
    m.bytes = call->count ? call->op->bytes : 0;
  else if (call->kind == UPCR_SCATTER)
    m = own_block (ctx, address);
  else if (call->kind != UPCR_BROADCAST)
    m = all_blocks (ctx, address);
  check (ctx, &m, "the destination");
}

void
upcr_check_segment (const struct upcr_context *ctx)
{
  const void *src;
  void *dst;

  if (!upcr_call_has (ctx->call, GASNET_COLL_DST_IN_SEGMENT | GASNET_COLL_SRC_IN_SEGMENT))
    return;
  upcr_own_addresses (ctx, &src, &dst);
  if (upcr_call_has (ctx->call, GASNET_COLL_SRC_IN_SEGMENT) && has_source (ctx))
    check_source (ctx, src);
  if (upcr_call_has (ctx->call, GASNET_COLL_DST_IN_SEGMENT) && has_destination (ctx))
    check_destination (ctx, dst);
}
