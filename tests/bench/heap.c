/* Allocation beside the jemalloc that UPCT links, and beside libc's malloc. */

#include "tests/bench/bench.h"

#include <jemalloc/jemalloc.h>
#include <stdlib.h>

enum { BYTES = 64, BATCH = 64 };

static void *
jemalloc_alloc (size_t bytes)
{
  return mallocx (bytes, 0);
}

static void
jemalloc_free (void *block)
{
  dallocx (block, 0);
}

#define PAIR_LOOP(name, type, alloc, release, bits)     \
  static void name (long rounds)                        \
  {                                                     \
    while (rounds--)                                    \
      {                                                 \
        type block = alloc;                             \
        bench_use (bits);                               \
        release (block);                                \
      }                                                 \
  }

/* BATCH blocks live at a time; a round is still one block. */
#define BATCH_LOOP(name, type, alloc, release)          \
  static void name (long rounds)                        \
  {                                                     \
    type blocks[BATCH];                                 \
    for (; rounds > 0; rounds -= BATCH)                 \
      {                                                 \
        for (int i = 0; i < BATCH; i++)                 \
          blocks[i] = alloc;                            \
        bench_use ((uintptr_t) blocks);                 \
        for (int i = 0; i < BATCH; i++)                 \
          release (blocks[i]);                          \
      }                                                 \
  }

PAIR_LOOP (upc_pair, upcr_pts, upc_alloc (BYTES), upc_free, block.bits)
PAIR_LOOP (global_pair, upcr_pts, upc_global_alloc (THREADS, BYTES), upc_free, block.bits)
PAIR_LOOP (jemalloc_pair, void *, jemalloc_alloc (BYTES), jemalloc_free, (uintptr_t) block)
PAIR_LOOP (libc_pair, void *, malloc (BYTES), free, (uintptr_t) block)
BATCH_LOOP (upc_batch, upcr_pts, upc_alloc (BYTES), upc_free)
BATCH_LOOP (jemalloc_batch, void *, jemalloc_alloc (BYTES), jemalloc_free)

static const struct bench benches[] = {
  BENCH ("heap/alloc-free-64", upc_pair, "mallocx", jemalloc_pair, "<= 2 ref"),
  BENCH ("heap/alloc-free-64", upc_pair, "malloc", libc_pair, "<= 2 ref"),
  BENCH ("heap/batch-of-64", upc_batch, "mallocx", jemalloc_batch, "<= 2 ref"),
  BENCH ("heap/global-alloc-free", global_pair, "upc_alloc", upc_pair, "<= 1.5 ref"),
};

int
upc_main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  bench_compare_all (benches, sizeof benches / sizeof *benches);
  return 0;
}
