/* The loops of patterns.h over shared data, beside the same over private data. Thread 0 measures
   alone. Compiled for any number of threads, and with -DFIXED for two; and all of it once more with
   checks, see bench.py. */

#include <upc_relaxed.h>

#include "tests/bench/bench.h"

#include <stdlib.h>

#ifdef FIXED
#define KIND "-fixed"
#else
#define KIND ""
#endif

enum { ELEMENTS = 4096, BLOCK = 512, N = 40 };

/* No constants to the compiler. */
static volatile int elements = ELEMENTS, order = N;
static volatile double factor = 1;

static __attribute__ ((noinline)) double
changed (double x)
{
  return x * factor;
}

#define NAME(name) name##_shared
#define DATA(block) shared [block]
#define EACH(i, n, at) upc_forall (int i = 0; i < n; i++; at)
#define OWNERS THREADS
#define SHARE THREADS
#define ALLOCATE(bytes) upc_alloc (bytes)
#define ALLOCATE_ALL(count, bytes) upc_global_alloc (count, bytes)
#include "tests/bench/patterns.h"

#undef NAME
#undef DATA
#undef EACH
#undef OWNERS
#undef SHARE
#undef ALLOCATE
#undef ALLOCATE_ALL
#define NAME(name) name##_private
#define DATA(block)
#define EACH(i, n, at) for (int i = 0; i < n; i++)
#define OWNERS 1
#define SHARE 1
#define ALLOCATE(bytes) malloc (bytes)
#define ALLOCATE_ALL(count, bytes) malloc ((count) * (bytes))
#include "tests/bench/patterns.h"

#define ROW(loop) BENCH ("pattern/" #loop KIND, loop_##loop##_shared, "private", loop_##loop##_private, "<= 1.5 ref")

static const struct bench patterns[] = {
  ROW (product_ijk), ROW (product_ikj), ROW (product_jik), ROW (product_jki), ROW (product_kij),
  ROW (product_kji), ROW (wide_product), ROW (wide_stencil), ROW (wide_transpose), ROW (wide_sum), ROW (tiles),
  ROW (sparse), ROW (histogram), ROW (updates), ROW (list), ROW (tree), ROW (rows),
  ROW (fields), ROW (fields_by_pointer), ROW (records), ROW (calls), ROW (search), ROW (search_blocked),
  ROW (length), ROW (bisection), ROW (insertion), ROW (merge), ROW (partition), ROW (largest), ROW (conditional),
  ROW (conditional_cyclic), ROW (stride), ROW (parameters), ROW (parameters_short), ROW (forall_pointer), ROW (forall_fields),
  ROW (walk_cyclic), ROW (walk_local),
};

int
main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  if (MYTHREAD == 0)
    {
      fill_shared ();
      fill_private ();
      for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        bench_compare (&patterns[i]);
    }
  upc_barrier;
  return 0;
}
