/* Where the members' data is. */

#include "runtime/coll/context.h"
#include "runtime/coll/images.h"

/* Element RANK of a list, or the address that stands for all. */
static inline char *
single (const struct upcr_context *ctx, const void *address, void *const *list, uint32_t rank)
{
  if (list)
    return list[rank];
  return upcr_rebase (address, upcr_team_thread (ctx->team, rank));
}

static inline char *
own (const struct upcr_context *ctx, const void *address, void *const *list)
{
  if (list)
    return list[ctx->team->is_all ? upcr_index_in_node (ctx->me) : 0];
  return (char *) address;
}

/* Without the shifts that IN_PLACE means. */
static inline char *
given_src (const struct upcr_context *ctx, uint32_t rank)
{
  const struct upcr_coll *call = ctx->call;

  if (upcr_call_has (call, GASNET_COLL_SINGLE))
    return single (ctx, call->src, call->lists->src, rank);
  return own (ctx, call->src, call->lists->src);
}

static inline char *
given_dst (const struct upcr_context *ctx, uint32_t rank)
{
  const struct upcr_coll *call = ctx->call;

  if (upcr_call_has (call, GASNET_COLL_SINGLE))
    return single (ctx, call->dst, call->lists->dst, rank);
  return own (ctx, call->dst, call->lists->dst);
}

static char *
src_in_place (const struct upcr_context *ctx, uint32_t rank)
{
  const struct upcr_coll *call = ctx->call;

  switch (call->kind)
    {
    case UPCR_GATHER:
      if (rank != call->root)
        return given_src (ctx, rank);
      /* fall through */
    case UPCR_GATHER_ALL:
      return given_dst (ctx, rank) + upcr_block_of (call, rank).offset;
    case UPCR_SCATTER:
      return given_src (ctx, rank);
    default:
      return given_dst (ctx, rank);
    }
}

static inline char *
meant_src (const struct upcr_context *ctx, uint32_t rank)
{
  if (upcr_call_has (ctx->call, GASNET_COLL_IN_PLACE))
    return src_in_place (ctx, rank);
  return given_src (ctx, rank);
}

static inline char *
meant_dst (const struct upcr_context *ctx, uint32_t rank)
{
  const struct upcr_coll *call = ctx->call;

  if (upcr_call_has (call, GASNET_COLL_IN_PLACE) && call->kind == UPCR_SCATTER
      && rank == call->root)
    return given_src (ctx, rank) + upcr_block_of (call, rank).offset;
  return given_dst (ctx, rank);
}

/* What member RANK has published, which must have entered. */
static inline const struct upcr_addresses *
published (const struct upcr_context *ctx, uint32_t rank)
{
  if (ctx->addresses)
    return &ctx->addresses[rank];
  return &upcr_slot_of (ctx->team, rank, ctx->number)->addresses;
}

const char *
upcr_src_of (const struct upcr_context *ctx, uint32_t rank)
{
  if (upcr_call_has (ctx->call, GASNET_COLL_SINGLE))
    return meant_src (ctx, rank);
  return published (ctx, rank)->src;
}

char *
upcr_dst_of (const struct upcr_context *ctx, uint32_t rank)
{
  if (upcr_call_has (ctx->call, GASNET_COLL_SINGLE))
    return meant_dst (ctx, rank);
  return published (ctx, rank)->dst;
}

const struct upcr_coll *
upcr_call_of (const struct upcr_context *ctx, uint32_t rank)
{
  if (!ctx->call->lists->src_sizes)
    return ctx->call;
  if (!ctx->addresses)
    upcr_await_slot (ctx, rank);
  return published (ctx, rank)->more;
}

void
upcr_own_addresses (const struct upcr_context *ctx, const void **src, void **dst)
{
  *src = meant_src (ctx, ctx->me);
  *dst = meant_dst (ctx, ctx->me);
}
