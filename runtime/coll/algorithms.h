/* Inside the room: the algorithms of collective operations, and which one is taken.

   All members must take the same one, so that it is chosen by single-valued arguments alone.
   With only as much waiting as the flags ask for:

   pipelined       large blocks: a descriptor that all work at, piece by piece (pending.h).
   unsynchronised  nothing to wait for at all: every member knows all addresses, and the flags
                   ask for no synchronisation. It does its portion and returns.
   central         little data, and the flags make all members wait for all anyway: there is
                   one central barrier, and the last one to arrive does the whole work
                   before it lets the others go. Else there would have to be two barriers.
   eager           little data, members that wait for those whose data they get: who has data
                   puts it into its slot, and need not wait until it is fetched.
   one_block       the same for reductions and scans of which each member has one block, and
                   reductions of any blocks whose order does not matter: partial results are
                   put into slots.
   gathered        short scans of small blocks: each member puts its elements into its slot, scans
                   those of all, and stores its own results alone. So members meet once, and no line
                   of results goes from one CPU's cache to another's; members without
                   synchronisation read each other's memory, and do not meet at all.
   direct          each moves its blocks, or folds its portion, straight between the members'
                   memory, after and before as much synchronisation as the flags ask for.

   Where all members touch all others' data there is no difference between MYSYNC and ALLSYNC
   but for how they wait: many of them rather wait in a barrier than look at each other.

   A new one is a row of UPCR_ALGORITHMS with its two conditions here, what they compare with
   in tuning.h, and upcr_run_NAME in a file of its own. */

#ifndef UPCR_COLL_ALGORITHMS_H
#define UPCR_COLL_ALGORITHMS_H

#include "runtime/coll/eager.h"
#include "runtime/coll/gathered.h"
#include "runtime/coll/one_block.h"
#include "runtime/coll/partition.h"

/* ROW (name, kinds): what it is for, data movement or computation or both. */
#define UPCR_ALGORITHMS(ROW)        \
  ROW (pipelined, MOVES | COMPUTES) \
  ROW (unsynchronised, MOVES)       \
  ROW (central, MOVES | COMPUTES)   \
  ROW (eager, MOVES)                \
  ROW (one_block, COMPUTES)         \
  ROW (gathered, COMPUTES)          \
  ROW (direct, MOVES | COMPUTES)

enum upcr_algorithm
{
#define ROW(name, kinds) UPCR_ALGORITHM_##name,
  UPCR_ALGORITHMS (ROW)
#undef ROW
};

#define ROW(name, kinds) void upcr_run_##name (struct upcr_context *ctx);
UPCR_ALGORITHMS (ROW)
#undef ROW

/* For each algorithm: may it carry out the operation? Is it the best, where those above it
   are not? */

static inline bool
pipelined_applies (const struct upcr_context *ctx)
{
  (void) ctx;
  return true;
}

static inline bool
pipelined_suits (const struct upcr_context *ctx)
{
  return !upcr_kind_has (ctx->call->kind, COMPUTES) && ctx->call->bytes >= UPCR_PIPELINED_BYTES
         && ctx->size > 1;
}

static inline bool
unsynchronised_applies (const struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;

  return upcr_call_has (call, GASNET_COLL_IN_NOSYNC) && upcr_call_has (call, GASNET_COLL_OUT_NOSYNC)
         && upcr_call_has (call, GASNET_COLL_SINGLE) && !call->lists->src_sizes;
}

static inline bool
unsynchronised_suits (const struct upcr_context *ctx)
{
  (void) ctx;
  return true;
}

static inline bool
central_applies (const struct upcr_context *ctx)
{
  return upcr_call_has (ctx->call, GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)
         && !ctx->call->lists->sizes;
}

static inline bool
central_suits (const struct upcr_context *ctx)
{
  const struct upcr_coll *call = ctx->call;
  bool are_blocks_of_each = call->kind == UPCR_GATHER_ALL || call->kind == UPCR_EXCHANGE;

  if (upcr_kind_has (call->kind, COMPUTES))
    return call->count * call->op->bytes <= UPCR_CENTRAL_BYTES;
  return call->bytes * ctx->size * (are_blocks_of_each ? ctx->size : 1) <= UPCR_CENTRAL_BYTES;
}

static inline bool
eager_applies (const struct upcr_context *ctx)
{
  return upcr_eager_applies (ctx->call->kind, ctx->call->bytes, ctx->size, ctx->call->flags);
}

static inline bool
eager_suits (const struct upcr_context *ctx)
{
  return upcr_eager_suits (ctx->call->kind, ctx->call->bytes);
}

static inline bool
one_block_applies (const struct upcr_context *ctx)
{
  return upcr_one_block_applies (ctx->call, ctx->partition, ctx->size, ctx->call->flags);
}

static inline bool
one_block_suits (const struct upcr_context *ctx)
{
  (void) ctx;
  return true;
}

static inline bool
gathered_applies (const struct upcr_context *ctx)
{
  return upcr_gathered_applies (ctx->call, ctx->partition, ctx->size, ctx->call->flags);
}

static inline bool
gathered_suits (const struct upcr_context *ctx)
{
  (void) ctx;
  return true;
}

static inline bool
direct_applies (const struct upcr_context *ctx)
{
  (void) ctx;
  return true;
}

static inline bool
direct_suits (const struct upcr_context *ctx)
{
  (void) ctx;
  return true;
}

#endif
