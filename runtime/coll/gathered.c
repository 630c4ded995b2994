/* Short scans of small blocks: see algorithms.h. */

#include "runtime/coll/gathered.h"

#include "runtime/coll/algorithms.h"
#include "runtime/shared/shared.h"

#include <string.h>

/* The elements in bytes: ROUNDS of a piece for each member, then what is left. */
struct rounds
{
  uint32_t piece, round, count, rest;
};

/* Divided as numbers of 32 bits: else that would be a good part of the time. */
static inline struct rounds
rounds_of (const struct upcr_coll *call, uint32_t size)
{
  uint32_t all = call->count * call->op->bytes, piece = call->source.block * call->op->bytes;
  uint32_t round = piece * size;

  return (struct rounds){ piece, round, all / round, all % round };
}

/* What member RANK has of the incomplete round. */
static inline uint32_t
rest_of (const struct rounds *rounds, uint32_t rank)
{
  uint32_t before = rank * rounds->piece;

  if (rounds->rest <= before)
    return 0;
  return rounds->rest - before < rounds->piece ? rounds->rest - before : rounds->piece;
}

/* Where the elements of member RANK are, once they are there. */
static const char *
await_column (const struct upcr_context *ctx, uint32_t rank)
{
  upcr_await_entry (ctx, rank);
  return upcr_src_of (ctx, rank);
}

/* Of the others' elements nothing is needed any more. */
static void
leave_others (struct upcr_context *ctx)
{
  if (upcr_call_has (ctx->call, GASNET_COLL_OUT_MYSYNC))
    upcr_publish_done (ctx);
}

/* Blocks of one element, by rows as in rows.h: each row's sum, and the sum up to this member. */
static void
scan_rows (struct upcr_context *ctx, size_t count, char *dst)
{
  const struct upcr_operator *op = ctx->call->op;
  _Alignas(64) char sums[UPCR_TILE_BYTES], before[UPCR_TILE_BYTES], kept[UPCR_TILE_BYTES];
  const char *sum = await_column (ctx, 0), *mine = sum;

  for (uint32_t m = 1; m < ctx->size; m++)
    {
      op->join (sums, sum, await_column (ctx, m), count);
      sum = sums;
      if (m == ctx->me)
        mine = m == ctx->size - 1 ? sums : memcpy (kept, sums, count * op->bytes);
    }
  leave_others (ctx);
  op->scan (op, before, sums, count, NULL);
  upcr_copy (dst, mine, op->bytes);
  op->join (dst + op->bytes, before, mine + op->bytes, count - 1);
}

static void
scan_tile (struct upcr_context *ctx, const struct rounds *r, char *dst)
{
  const struct upcr_operator *op = ctx->call->op;
  _Alignas(64) char tile[UPCR_TILE_BYTES];
  char *last = tile + r->count * r->round, *own = tile + ctx->me * r->piece;

  for (uint32_t m = 0; m < ctx->size; m++)
    {
      const char *column = await_column (ctx, m);

      upcr_gather_pieces (tile + m * r->piece, column, r->piece, r->round, r->count);
      upcr_copy (last + m * r->piece, column + r->count * r->piece, rest_of (r, m));
    }
  leave_others (ctx);
  op->scan (op, tile, tile, ctx->call->count, NULL);
  upcr_scatter_pieces (own, dst, r->piece, r->round, r->count);
  upcr_copy (dst + r->count * r->piece, last + ctx->me * r->piece, rest_of (r, ctx->me));
}

static void
scan (struct upcr_context *ctx)
{
  struct rounds rounds = rounds_of (ctx->call, ctx->size);
  const void *src;
  void *dst;

  upcr_own_addresses (ctx, &src, &dst);
  if (ctx->call->source.block == 1 && rounds.rest == 0)
    scan_rows (ctx, rounds.count, dst);
  else
    scan_tile (ctx, &rounds, dst);
}

void
upcr_run_gathered (struct upcr_context *ctx)
{
  if (unsynchronised_applies (ctx))
    {
      scan (ctx);
      return;
    }
  upcr_begin (ctx);
  upcr_publish (ctx);
  scan (ctx);
  if (upcr_call_has (ctx->call, GASNET_COLL_OUT_MYSYNC))
    upcr_await_all_done (ctx);
  upcr_mailbox_leave (ctx->team, ctx->me, ctx->number, upcr_implies_fence (ctx->call->flags));
}
