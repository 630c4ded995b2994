/* UPC's side of moves.h, by the object interface. */

#include "tests/bench/coll.h"
#include "tests/bench/moves.h"

enum { FLAGS = UPC_IN_MYSYNC | UPC_OUT_MYSYNC };

static upcr_pts dst, src;

#define MOVE(name)                              \
  static void                                   \
  name (long bytes)                             \
  {                                             \
    upc_all_##name (dst, src, bytes, FLAGS);    \
  }

MOVE (broadcast)
MOVE (scatter)
MOVE (gather)
MOVE (gather_all)
MOVE (exchange)

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
  static const struct move moves[] = MOVES;

  bench_arguments (argc, argv);
  dst = upc_all_alloc (THREADS, (size_t) LARGEST * THREADS);
  src = upc_all_alloc (THREADS, (size_t) LARGEST * THREADS);
  memset (upc_cast (upcr_pts_make (MYTHREAD, upcr_pts_offset (dst), 0)), 0, (size_t) LARGEST * THREADS);
  memset (upc_cast (upcr_pts_make (MYTHREAD, upcr_pts_offset (src), 0)), 0, (size_t) LARGEST * THREADS);
  meet ();
  measure_moves (moves, sizeof moves / sizeof *moves, bench_only, MYTHREAD, meet);
  return 0;
}
