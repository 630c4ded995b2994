/* The library's functions by the object interface: atomics beside C11's on the same
   objects, ticks beside the kernel's clock, non-blocking copies beside blocking ones. */

#include "tests/bench/bench.h"

#include <upct/domain.h>

#include <stdatomic.h>
#include <stdlib.h>

enum { LARGE = 1 << 20 };

upcr_pts upc_all_atomicdomain_alloc (upc_type_t type, upc_op_t ops, int hints);
void upc_atomic_relaxed (upcr_pts domain, void *fetch, upc_op_t op, upcr_pts target,
                         const void *operand1, const void *operand2);
void upc_atomic_strict (upcr_pts domain, void *fetch, upc_op_t op, upcr_pts target,
                        const void *operand1, const void *operand2);
uint64_t upc_ticks_now (void);
uint64_t upc_ticks_to_ns (uint64_t ticks);
void upc_memget (void *dst, upcr_pts src, size_t n);
void upc_memput (upcr_pts dst, const void *src, size_t n);
uint64_t upc_memget_nb (void *dst, upcr_pts src, size_t n);
void upc_memput_nbi (upcr_pts dst, const void *src, size_t n);
void upc_sync (uint64_t handle);
void upc_synci (void);
void *upc_cast (upcr_pts p);

static upcr_pts shared, longs, doubles, number;
static _Atomic uint64_t *counter;
static char *from;
static char *to;
static volatile size_t small_bytes = 8, large_bytes = LARGE;
static uint64_t one = 1;

/* N bytes of a copy; OLD is what an atomic operation fetches. */
#define LOOP(name, bytes, statement)            \
  static void name (long rounds)                \
  {                                             \
    size_t n = bytes;                           \
    uint64_t old = 0;                           \
    while (rounds--)                            \
      {                                         \
        statement;                              \
        bench_use (n + old);                    \
      }                                         \
  }

LOOP (upc_add, 0, upc_atomic_relaxed (longs, NULL, UPC_ADD, number, &one, NULL))
LOOP (c11_add, 0, atomic_fetch_add_explicit (counter, one, memory_order_relaxed))
LOOP (upc_fetch_add, 0, upc_atomic_relaxed (longs, &old, UPC_ADD, number, &one, NULL))
LOOP (c11_fetch_add, 0, old = atomic_fetch_add_explicit (counter, one, memory_order_relaxed))
LOOP (upc_get, 0, upc_atomic_relaxed (longs, &old, UPC_GET, number, NULL, NULL))
LOOP (c11_get, 0, old = atomic_load_explicit (counter, memory_order_relaxed))
LOOP (upc_set, 0, upc_atomic_strict (longs, NULL, UPC_SET, number, &one, NULL))
LOOP (c11_set, 0, atomic_store_explicit (counter, one, memory_order_seq_cst))
LOOP (upc_cswap, 0, upc_atomic_strict (longs, &old, UPC_CSWAP, number, &one, &one))
LOOP (c11_cswap, 0, (old = one, atomic_compare_exchange_strong (counter, &old, one)))

static void
c11_add_double (long rounds)
{
  _Atomic double *sum = (_Atomic double *) counter;

  while (rounds--)
    {
      double old = atomic_load_explicit (sum, memory_order_relaxed);

      while (!atomic_compare_exchange_weak_explicit (sum, &old, old + 1, memory_order_relaxed,
                                                     memory_order_relaxed))
        continue;
    }
}

LOOP (upc_add_double, 0, upc_atomic_relaxed (doubles, NULL, UPC_INC, number, NULL, NULL))
LOOP (upc_ticks, 0, old = upc_ticks_now ())
LOOP (kernel_clock, 0, old = (uint64_t) bench_now_ns ())
LOOP (upc_convert, 0, old = upc_ticks_to_ns (old + one))
LOOP (plain_convert, 0, old = (uint64_t) ((unsigned __int128) (old + one) * 6462414 >> 24))
LOOP (upc_casts, 0, old = (uintptr_t) upc_cast (shared))
LOOP (nothing, 0, (void) old)

LOOP (small_get, small_bytes, upc_memget (to, shared, n))
LOOP (small_get_nb, small_bytes, upc_sync (upc_memget_nb (to, shared, n)))
LOOP (small_put, small_bytes, upc_memput (shared, from, n))
LOOP (small_put_nbi, small_bytes, (upc_memput_nbi (shared, from, n), upc_synci ()))
LOOP (large_get, large_bytes, upc_memget (to, shared, n))
LOOP (large_get_nb, large_bytes, upc_sync (upc_memget_nb (to, shared, n)))
LOOP (large_put, large_bytes, upc_memput (shared, from, n))
LOOP (large_put_nbi, large_bytes, (upc_memput_nbi (shared, from, n), upc_synci ()))

static const struct bench benches[] = {
  BENCH ("library/add", upc_add, "C11", c11_add, "<= ref + 10"),
  BENCH ("library/fetch-add", upc_fetch_add, "C11", c11_fetch_add, "<= ref + 10"),
  BENCH ("library/get", upc_get, "C11", c11_get, "<= ref + 10"),
  BENCH ("library/strict-set", upc_set, "C11", c11_set, "<= ref + 10"),
  BENCH ("library/strict-cswap", upc_cswap, "C11", c11_cswap, "<= ref + 10"),
  BENCH ("library/add-double", upc_add_double, "C11", c11_add_double, "<= ref + 10"),
  BENCH ("library/ticks-now", upc_ticks, "clock_gettime", kernel_clock, "<= 12"),
  BENCH ("library/ticks-to-ns", upc_convert, "multiplication", plain_convert, "<= 12"),
  BENCH ("library/cast", upc_casts, "an empty loop", nothing, "<= ref + 3"),
  /* Two calls for one; a cycle is 0.25 ns. */
  BENCH ("library/memget-nb-8", small_get_nb, "upc_memget", small_get, "<= ref + 0.3"),
  BENCH ("library/memput-nbi-8", small_put_nbi, "upc_memput", small_put, "<= ref + 0.3"),
  BENCH ("library/memget-nb-1M", large_get_nb, "upc_memget", large_get, ">= 0.95 ref", .bytes = LARGE),
  BENCH ("library/memput-nbi-1M", large_put_nbi, "upc_memput", large_put, ">= 0.95 ref",
         .bytes = LARGE),
};

/* All threads at one object. */

static void
together (bench_loop *loop, long rounds)
{
  __upc_barrier (INT_MIN);
  loop (rounds);
  __upc_barrier (INT_MIN);
}

static void
upc_add_together (long rounds)
{
  together (upc_fetch_add, rounds);
}

static void
c11_add_together (long rounds)
{
  together (c11_fetch_add, rounds);
}

int
upc_main (int argc, char **argv)
{
  static const struct bench contended = BENCH ("library/fetch-add-contended", upc_add_together, "C11",
                                               c11_add_together, "<= ref + 10", .rounds = 20000);

  bench_arguments (argc, argv);
  upcr_pts block = upc_all_alloc (THREADS, LARGE);
  upcr_pts of_longs
    = upc_all_atomicdomain_alloc (UPC_LONG, UPC_ADD | UPC_GET | UPC_SET | UPC_CSWAP, 0);
  upcr_pts of_doubles = upc_all_atomicdomain_alloc (UPC_DOUBLE, UPC_INC, 0);
  if (MYTHREAD == 0)
    {
      longs = of_longs;
      doubles = of_doubles;
      /* The other thread's. */
      shared = number = upcr_pts_make (THREADS - 1, upcr_pts_offset (block), 0);
      counter = upc_cast (number);
      from = aligned_alloc (4096, LARGE);
      to = aligned_alloc (4096, LARGE);
      memset (from, 0, LARGE);
      memset (to, 2, LARGE);
      upc_memput (shared, from, LARGE);
      upc_ticks_to_ns (upc_ticks_now ());
      for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        bench_compare (&benches[i]);
    }
  __upc_barrier (INT_MIN);
  bench_compare (&contended);
  return 0;
}
