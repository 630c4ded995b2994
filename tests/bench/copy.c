/* Bulk copies beside memcpy. The sizes are variables, so that memcpy is a call for
   the reference too, not a mov of the compiler's. */

#include "tests/bench/bench.h"

#include <stdlib.h>

enum { LARGE = 1 << 20 };

void upc_memget (void *dst, upcr_pts src, size_t n);
void upc_memput (upcr_pts dst, const void *src, size_t n);

static upcr_pts shared;
static char *from, *to;
static volatile size_t small_bytes = 8, large_bytes = LARGE;

#define LOOP(name, bytes, statement)            \
  static void name (long rounds)                \
  {                                             \
    size_t n = bytes;                           \
    upcr_pts p = shared;                        \
    while (rounds--)                            \
      {                                         \
        statement;                              \
        bench_use (n);                          \
      }                                         \
    (void) p;                                   \
  }

LOOP (small_memcpy, small_bytes, memcpy (to, from, n))
LOOP (small_get, small_bytes, upc_memget (to, p, n))
LOOP (small_put, small_bytes, upc_memput (p, from, n))
LOOP (large_memcpy, large_bytes, memcpy (to, from, n))
LOOP (large_get, large_bytes, upc_memget (to, p, n))
LOOP (large_put, large_bytes, upc_memput (p, from, n))

static const struct bench benches[] = {
  BENCH ("copy/memget-8", small_get, "memcpy", small_memcpy, "<= ref + 3"),
  BENCH ("copy/memput-8", small_put, "memcpy", small_memcpy, "<= ref + 3"),
  BENCH ("copy/memget-1M", large_get, "memcpy", large_memcpy, ">= 0.95 ref", .bytes = LARGE),
  BENCH ("copy/memput-1M", large_put, "memcpy", large_memcpy, ">= 0.95 ref", .bytes = LARGE),
};

/* The other thread's block: a get from one's own is no different. */
int
upc_main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  upcr_pts block = upc_all_alloc (THREADS, LARGE);
  if (MYTHREAD == 0)
    {
      shared = upcr_pts_make (THREADS - 1, upcr_pts_offset (block), 0);
      from = aligned_alloc (4096, LARGE);
      to = aligned_alloc (4096, LARGE);
      memset (from, 1, LARGE);
      memset (to, 2, LARGE);
      upc_memput (shared, from, LARGE);
      for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        bench_compare (&benches[i]);
    }
  __upc_barrier (INT_MIN);
  return 0;
}
