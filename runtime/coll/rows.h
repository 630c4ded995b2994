/* Inside the room: scans of arrays in blocks of one element, row by row. A row has an element of
   each member, so that what all rows have of a member lies one behind the other, and vectors take
   many rows at a time:

     sums      of the elements of each row
     before    the sums, scanned: the reduction of all before a row
     results   of a member: before, joined with the row's elements up to the member's own  */

#ifndef UPCR_COLL_ROWS_H
#define UPCR_COLL_ROWS_H

#include "runtime/coll/context.h"
#include "runtime/coll/partition.h"
#include "runtime/coll/walk.h"

/* Fewer rows than this are not worth it. */
enum
{
  UPCR_FEW_ROWS = 8
};

/* Has an inclusive scan of blocks like these rows? */
static inline bool
upcr_has_rows (const struct upcr_context *ctx, struct upcr_range range)
{
  const struct upcr_coll *call = ctx->call;

  return call->source.block == 1 && call->destination.block == 1
         && call->source.offset == call->destination.offset && call->op->join
         && upcr_call_has (call, GASNET_COLL_INCLUSIVE_SCAN) && ctx->size > 1
         && range.count >= (UPCR_FEW_ROWS + 1) * (size_t) ctx->size;
}

/* Scans COUNT rows, not 0, from row FIRST on, behind *CARRY, which then is the reduction up to
   their end. Without IS_BEGUN nothing is before them. */
void upcr_scan_rows (struct upcr_context *ctx, size_t first, size_t count, void *carry,
                     bool is_begun);

#endif
