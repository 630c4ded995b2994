/* UPC's side of moves.h, by the object interface. */

#include "tests/bench/bench.h"
#include "tests/bench/moves.h"

#include <upc_types.h>

enum { LARGEST = 16 << 20, FLAGS = UPC_IN_MYSYNC | UPC_OUT_MYSYNC };

void upc_all_broadcast (upcr_pts dst, upcr_pts src, size_t bytes, int flags);
void upc_all_scatter (upcr_pts dst, upcr_pts src, size_t bytes, int flags);
void upc_all_gather (upcr_pts dst, upcr_pts src, size_t bytes, int flags);
void upc_all_gather_all (upcr_pts dst, upcr_pts src, size_t bytes, int flags);
void upc_all_exchange (upcr_pts dst, upcr_pts src, size_t bytes, int flags);
void upc_all_reduceD (upcr_pts dst, upcr_pts src, upc_op_t op, size_t count, size_t block,
                      double (*function) (double, double), int flags);
void upc_all_prefix_reduceD (upcr_pts dst, upcr_pts src, upc_op_t op, size_t count, size_t block,
                             double (*function) (double, double), int flags);
void *upc_cast (upcr_pts p);

static upcr_pts dst, src;

static void
broadcast (long bytes)
{
  upc_all_broadcast (dst, src, bytes, FLAGS);
}

static void
scatter (long bytes)
{
  upc_all_scatter (dst, src, bytes, FLAGS);
}

static void
gather (long bytes)
{
  upc_all_gather (dst, src, bytes, FLAGS);
}

static void
gather_all (long bytes)
{
  upc_all_gather_all (dst, src, bytes, FLAGS);
}

static void
exchange (long bytes)
{
  upc_all_exchange (dst, src, bytes, FLAGS);
}

static void
reduce (long bytes)
{
  size_t each = bytes / sizeof (double);

  upc_all_reduceD (dst, src, UPC_ADD, each * THREADS, each, NULL, FLAGS);
}

static void
scan (long bytes)
{
  size_t each = bytes / sizeof (double);

  upc_all_prefix_reduceD (dst, src, UPC_ADD, each * THREADS, each, NULL, FLAGS);
}

static void
meet (void)
{
  __upc_barrier (INT_MIN);
}

static void
barrier (long bytes)
{
  (void) bytes;
  meet ();
}

int
upc_main (int argc, char **argv)
{
  static const struct move moves[] = {
    { "barrier", barrier, 8 },
    { "broadcast", broadcast, LARGEST }, { "scatter", scatter, LARGEST },
    { "gather", gather, LARGEST }, { "gather_all", gather_all, LARGEST },
    { "exchange", exchange, LARGEST }, { "reduce", reduce, LARGEST }, { "scan", scan, LARGEST },
  };

  bench_arguments (argc, argv);
  dst = upc_all_alloc (THREADS, (size_t) LARGEST * THREADS);
  src = upc_all_alloc (THREADS, (size_t) LARGEST * THREADS);
  memset (upc_cast (upcr_pts_make (MYTHREAD, upcr_pts_offset (dst), 0)), 0, (size_t) LARGEST * THREADS);
  memset (upc_cast (upcr_pts_make (MYTHREAD, upcr_pts_offset (src), 0)), 0, (size_t) LARGEST * THREADS);
  meet ();
  measure_moves (moves, sizeof moves / sizeof *moves, MYTHREAD, meet);
  return 0;
}
