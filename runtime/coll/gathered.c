/* Short scans of small blocks: see algorithms.h. */

#include "runtime/coll/gathered.h"

#include "runtime/coll/algorithms.h"
#include "runtime/shared/shared.h"

#include <string.h>

/* The elements in bytes: ROUNDS of a piece for each member, then what is left. OWN are this member's. */
struct rounds
{
  uint32_t piece, round, count, rest;
  const char *own;
};

/* Divided as numbers of 32 bits: else that would be a good part of the time. */
static inline struct rounds
rounds_of (const struct upcr_coll *call, uint32_t size, const char *own)
{
  uint32_t all = call->count * call->op->bytes, piece = call->source.block * call->op->bytes;
  uint32_t round = piece * size;

  return (struct rounds){ piece, round, all / round, all % round, own };
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

/* The most bytes that a member has. */
static inline uint32_t
column_bytes (const struct rounds *rounds)
{
  return rounds->count * rounds->piece + rest_of (rounds, 0);
}

/* Where the elements of member RANK are, once they are there: in its slot, so that nobody waits until
   others have read them; or where no synchronisation is asked for, and so no slots, in its memory. */
static const char *
await_column (const struct upcr_context *ctx, const struct rounds *rounds, uint32_t rank)
{
  if (rank == ctx->me)
    return rounds->own;
  if (!ctx->slot)
    return upcr_src_of (ctx, rank);
  return upcr_slot_data (upcr_mailbox_await (ctx->team, rank, ctx->number, ctx->call->what),
                         column_bytes (rounds));
}

/* Blocks of one element, by rows as in rows.h: each row's sum, and the sum up to this member. */
static void
scan_rows (struct upcr_context *ctx, const struct rounds *rounds, char *dst)
{
  const struct upcr_operator *op = ctx->call->op;
  _Alignas(64) char sums[UPCR_TILE_BYTES], before[UPCR_TILE_BYTES], kept[UPCR_TILE_BYTES];
  const char *sum = await_column (ctx, rounds, 0), *mine = sum;
  size_t count = rounds->count;

  for (uint32_t m = 1; m < ctx->size; m++)
    {
      op->join (sums, sum, await_column (ctx, rounds, m), count);
      sum = sums;
      if (m == ctx->me)
        mine = m == ctx->size - 1 ? sums : memcpy (kept, sums, count * op->bytes);
    }
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
      const char *column = await_column (ctx, r, m);

      upcr_gather_pieces (tile + m * r->piece, column, r->piece, r->round, r->count);
      upcr_copy (last + m * r->piece, column + r->count * r->piece, rest_of (r, m));
    }
  op->scan (op, tile, tile, ctx->call->count, NULL);
  upcr_scatter_pieces (own, dst, r->piece, r->round, r->count);
  upcr_copy (dst + r->count * r->piece, last + ctx->me * r->piece, rest_of (r, ctx->me));
}

static void
scan (struct upcr_context *ctx, const struct rounds *rounds, char *dst)
{
  if (ctx->call->source.block == 1 && rounds->rest == 0)
    scan_rows (ctx, rounds, dst);
  else
    scan_tile (ctx, rounds, dst);
}

/* This member's elements, for all others. */
static void
publish (struct upcr_context *ctx, const struct rounds *rounds)
{
  uint32_t most = column_bytes (rounds);

  ctx->slot = upcr_mailbox_enter (ctx->team, ctx->me, &ctx->number);
  upcr_copy_into_slot (upcr_slot_data (ctx->slot, most), rounds->own,
                       rounds->count * rounds->piece + rest_of (rounds, ctx->me));
  upcr_mailbox_publish_and_notify (ctx->team, ctx->me, ctx->slot, ctx->number, most);
}

/* By slots. */
static inline void
meet_and_scan (struct upcr_context *ctx, const char *src, char *dst)
{
  struct rounds rounds = rounds_of (ctx->call, ctx->size, src);

  publish (ctx, &rounds);
  scan (ctx, &rounds, dst);
  upcr_mailbox_met_all (ctx->team, ctx->me, ctx->number);
  upcr_mailbox_leave (ctx->team, ctx->me, ctx->number, upcr_implies_fence (ctx->call->flags));
}

void
upcr_scan_gathered (upcr_team *team, uint32_t me, struct upcr_coll *call)
{
  struct upcr_context ctx = { .call = call, .team = team, .me = me, .size = team->size };

  meet_and_scan (&ctx, call->src, call->dst);
}

void
upcr_run_gathered (struct upcr_context *ctx)
{
  const void *src;
  void *dst;

  upcr_own_addresses (ctx, &src, &dst);
  if (unsynchronised_applies (ctx))
    {
      struct rounds rounds = rounds_of (ctx->call, ctx->size, src);

      scan (ctx, &rounds, dst);
    }
  else
    meet_and_scan (ctx, src, dst);
}
