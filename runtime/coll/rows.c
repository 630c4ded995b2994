/* Scans by rows: see rows.h. */

#include "runtime/coll/rows.h"

#include "runtime/coll/operator.h"
#include "runtime/shared/shared.h"

#include <string.h>

/* The sums of up to as many rows as a tile has room for, behind what is before the first. */
struct sums
{
  const struct upcr_operator *op;
  bool is_begun;
  _Alignas(64) char before[UPCR_NEAR_BYTES + UPCR_TILE_BYTES];
};

/* Sums COUNT rows of COLUMNS, and scans the sums. */
static void
sum_rows (struct sums *sums, const char *const *columns, uint32_t size, size_t count)
{
  const struct upcr_operator *op = sums->op;
  char *first = sums->before + op->bytes;

  op->join (first, columns[0], columns[1], count);
  for (uint32_t m = 2; m < size; m++)
    op->join (first, first, columns[m], count);
  op->scan (op, first, first, count, sums->is_begun ? sums->before : NULL);
}

/* The results of the first member: there may be nothing before its first element. */
static void
join_first (const struct sums *sums, char *results, const char *column, size_t count)
{
  size_t bytes = sums->op->bytes, skipped = sums->is_begun ? 0 : bytes;

  if (skipped)
    upcr_copy (results, column, bytes);
  sums->op->join (results + skipped, sums->before + skipped, column + skipped,
                  count - !sums->is_begun);
}

/* What is before the rows that come next. */
static void
step (struct sums *sums, size_t count)
{
  size_t bytes = sums->op->bytes;

  upcr_copy (sums->before, sums->before + count * bytes, bytes);
  sums->is_begun = true;
}

static size_t
rows_at_a_time (const struct upcr_operator *op, size_t left)
{
  size_t most = UPCR_TILE_BYTES / op->bytes;

  return left < most ? left : most;
}

void
upcr_scan_rows (struct upcr_context *ctx, size_t first, size_t count, void *carry, bool is_begun)
{
  struct sums sums;
  const char *from[UPCR_MAX_THREADS];
  char *to[UPCR_MAX_THREADS];
  size_t bytes = ctx->call->op->bytes;

  sums.op = ctx->call->op;
  sums.is_begun = is_begun;
  for (uint32_t m = 0; m < ctx->size; m++)
    {
      upcr_await_entry (ctx, m);
      from[m] = upcr_src_of (ctx, m) + first * bytes;
      to[m] = upcr_dst_of (ctx, m) + first * bytes;
    }
  if (is_begun)
    upcr_copy (sums.before, carry, bytes);
  for (size_t some; count > 0; count -= some)
    {
      some = rows_at_a_time (sums.op, count);
      sum_rows (&sums, from, ctx->size, some);
      join_first (&sums, to[0], from[0], some);
      for (uint32_t m = 1; m < ctx->size; m++)
        sums.op->join (to[m], to[m - 1], from[m], some);
      for (uint32_t m = 0; m < ctx->size; m++)
        from[m] += some * bytes, to[m] += some * bytes;
      step (&sums, some);
    }
  upcr_copy (carry, sums.before, bytes);
}
