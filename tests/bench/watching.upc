/* What events cost where there is no tool: code compiled with --profile beside the same
   code without. A target is 2 ns for each event. With TRACED: what gets and puts cost where
   the tracing tool is, which hears of some. */

#include <upc_relaxed.h>

#include "tests/bench/bench.h"
#include "tests/bench/watched.h"

upc_lock_t *bench_lock;

#ifdef TRACED
#define TOOL "trace/loop-"
#else
#define TOOL "gasp/no-tool-"
#endif
#define ROW(name, label, target)                                                \
  BENCH (TOOL label, watched_##name, "not instrumented", plain_##name, target)
#define DECLARE(name) bench_loop watched_##name, plain_##name

DECLARE (get);
DECLARE (get_blocked);
DECLARE (get_in_order);
DECLARE (put);
DECLARE (update);
DECLARE (function);
DECLARE (loop);
DECLARE (fence);
DECLARE (allocate);
DECLARE (lock);

int
main (int argc, char **argv)
{
  static const struct bench rows[] = {
#ifdef TRACED
    ROW (get, "get", "<= 3 ref"),
    ROW (get_blocked, "get-blocked", "<= 3 ref"),
    ROW (get_in_order, "get-in-order", "<= 3 ref"),
    ROW (put, "put", "<= 3 ref"),
    ROW (update, "update", "<= 3 ref"),
#else
    ROW (get, "get", "<= ref + 4"),
    ROW (get_blocked, "get-blocked", "<= ref + 4"),
    ROW (put, "put", "<= ref + 4"),
    ROW (update, "update", "<= ref + 8"),
    ROW (function, "function", "<= ref + 4"),
    ROW (loop, "forall", "<= ref + 4"),
    ROW (fence, "fence", "<= ref + 4"),
    ROW (allocate, "malloc-free", "<= ref + 8"),
    ROW (lock, "lock-unlock", "<= ref + 8"),
#endif
  };

  bench_arguments (argc, argv);
  bench_lock = upc_all_lock_alloc ();
  if (MYTHREAD == 0)
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      bench_compare (&rows[i]);
  upc_barrier;
  return 0;
}
