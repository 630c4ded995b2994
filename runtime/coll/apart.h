/* Inside the room: scans of arrays in short blocks whose elements are not first copied together. After a
   few rounds of blocks, a period, an element is in the same lane of a vector and on the same member again.
   So a vector is loaded from up to four places, scanned, and its results are stored to four. */

#ifndef UPCR_COLL_APART_H
#define UPCR_COLL_APART_H

#include "runtime/coll/context.h"
#include "runtime/coll/partition.h"

enum
{
  UPCR_MOST_APART = 64, /* elements of a period */
  UPCR_APART_LANES = 4,
  UPCR_FEW_PERIODS = 8 /* fewer are not worth it */
};

/* The elements of a period of blocks of BLOCK on SIZE members; 0: too many. */
static inline size_t
upcr_apart_period (size_t block, uint32_t size)
{
  size_t period;

  if (block - 1 >= UPCR_MOST_APART || block * size > UPCR_MOST_APART)
    return 0;
  for (period = block * size; period % UPCR_APART_LANES != 0; period += period)
    continue;
  return period <= UPCR_MOST_APART ? period : 0;
}

/* Has an inclusive scan of blocks like these periods enough? */
static inline bool
upcr_is_scanned_apart (const struct upcr_context *ctx, struct upcr_range range)
{
  const struct upcr_coll *call = ctx->call;
  size_t period;

  return call->op->scan_apart && upcr_has_wide_vectors () && ctx->size > 1
         && upcr_call_has (call, GASNET_COLL_INCLUSIVE_SCAN)
         && call->source.block == call->destination.block
         && call->source.offset == call->destination.offset
         && (period = upcr_apart_period (call->source.block, ctx->size))
         && range.count >= (UPCR_FEW_PERIODS + 2) * period;
}

/* Scans PERIODS from element FIRST on, with which a round of blocks begins. *CARRY is the reduction of what is
   before, and then of these too. */
void upcr_scan_apart (struct upcr_context *ctx, size_t first, size_t periods, void *carry);

#endif
