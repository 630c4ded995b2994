/* The collective functions by the object interface, beside what the same threads do
   without them: a barrier, copies of the same bytes, loops over the same doubles. */

#include "tests/bench/coll.h"

#include "runtime/arch/arch.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { MOST_BYTES = 64 << 20, ALLSYNC = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC,
       NOSYNC = UPC_IN_NOSYNC | UPC_OUT_NOSYNC };

/* MOST_BYTES each for each pair of threads, or a little where there are many. */
static upcr_pts dst, src;
static size_t bytes;

static char *
of (upcr_pts p, int thread)
{
  return upc_cast (upcr_pts_make (thread, upcr_pts_offset (p), 0));
}

static void
meet (void)
{
  __upc_barrier (INT_MIN);
}

#define LOOP(name, statement)                   \
  static void name (long rounds)                \
  {                                             \
    while (rounds--)                            \
      {                                         \
        statement;                              \
      }                                         \
  }

LOOP (barriers, meet ())

/* What a program would write: all meet, each copies its share, all meet. */
#define COPY(name, statement) LOOP (name, meet (); statement; meet ())

COPY (copy_broadcast, memcpy (of (dst, MYTHREAD), of (src, 0), bytes))
COPY (copy_gather, memcpy (of (dst, 0) + MYTHREAD * bytes, of (src, MYTHREAD), bytes))
COPY (copy_exchange,
      for (int i = 0; i < THREADS; i++)
        memcpy (of (dst, MYTHREAD) + i * bytes, of (src, i) + MYTHREAD * bytes, bytes))

LOOP (broadcast, upc_all_broadcast (dst, src, bytes, ALLSYNC))
LOOP (scatter, upc_all_scatter (dst, src, bytes, ALLSYNC))
LOOP (gather, upc_all_gather (dst, src, bytes, ALLSYNC))
LOOP (gather_all, upc_all_gather_all (dst, src, bytes, ALLSYNC))
LOOP (exchange, upc_all_exchange (dst, src, bytes, ALLSYNC))
LOOP (reduce, upc_all_reduceD (dst, src, UPC_ADD, bytes / 8 * THREADS, bytes / 8, NULL, ALLSYNC))
LOOP (scan, upc_all_prefix_reduceD (dst, src, UPC_ADD, bytes / 8 * THREADS, bytes / 8, NULL, ALLSYNC))

/* The same in short blocks, and in whole ones, with any synchronisation. */
static size_t block;
static upc_flag_t mode;
LOOP (short_reduce, upc_all_reduceD (dst, src, UPC_ADD, bytes / 8 * THREADS, block, NULL, mode))
LOOP (whole_reduce, upc_all_reduceD (dst, src, UPC_ADD, bytes / 8 * THREADS, bytes / 8, NULL, mode))
LOOP (short_scan, upc_all_prefix_reduceD (dst, src, UPC_ADD, bytes / 8 * THREADS, block, NULL, mode))
LOOP (whole_scan, upc_all_prefix_reduceD (dst, src, UPC_ADD, bytes / 8 * THREADS, bytes / 8, NULL, mode))

/* A scan of two threads' elements as a program for just that would have it: each thread puts its elements where
   the other finds them, with a number behind which it may read, and adds all in their order. */
enum { POSTS = 16, MOST_BY_HAND = 64 };
struct post { _Alignas (64) _Atomic uint32_t number; _Alignas (64) double elements[MOST_BY_HAND]; };
static upcr_pts posts;

static struct post *
post_of (int thread, uint32_t number)
{
  return (struct post *) of (posts, 0) + thread * POSTS + number % POSTS;
}

static void
scan_by_hand (const double *const *columns)
{
  double *to = (double *) of (dst, MYTHREAD), before = 0;
  size_t each = bytes / 8;

  for (size_t i = 0; i < each; i += block)
    for (int thread = 0; thread < 2; thread++)
      for (size_t e = i; e < i + block && e < each; e++)
        {
          before += columns[thread][e];
          if (thread == MYTHREAD)
            to[e] = before;
        }
}

/* The other thread is at most one call ahead, so that posts are free again. */
static void
meet_by_hand (uint32_t number)
{
  const double *columns[2];
  struct post *mine = post_of (MYTHREAD, number), *other = post_of (1 - MYTHREAD, number);

  columns[MYTHREAD] = (double *) of (src, MYTHREAD);
  columns[1 - MYTHREAD] = other->elements;
  memcpy (mine->elements, columns[MYTHREAD], bytes);
  atomic_store_explicit (&mine->number, number, memory_order_release);
  for (size_t i = 0; i < bytes / 8; i += 8)
    __builtin_prefetch (&post_of (MYTHREAD, number + 4)->elements[i]);
  while (atomic_load_explicit (&other->number, memory_order_acquire) != number)
    upcr_pause ();
  scan_by_hand (columns);
}

static __thread uint32_t met;
LOOP (scans_by_hand, meet_by_hand (++met))

static double sums[1024];

/* With as many sums at a time as the processor adds at once. */
__attribute__ ((target_clones ("avx512f", "avx2", "default"), optimize ("O3", "fast-math")))
static double
sum_of (const double *numbers, size_t count)
{
  double sum = 0;

  for (size_t i = 0; i < count; i++)
    sum += numbers[i];
  return sum;
}

static void
scan_of (double *to, const double *from, size_t count)
{
  double sum = 0;

  for (size_t i = 0; i < count; i++)
    to[i] = sum += from[i];
}

LOOP (plain_sums, meet (); sums[MYTHREAD] = sum_of ((double *) of (src, MYTHREAD), bytes / 8); meet ())
/* Each needs the sum of those before it first. */
LOOP (plain_scans,
      meet (); sums[MYTHREAD] = sum_of ((double *) of (src, MYTHREAD), bytes / 8); meet ();
      scan_of ((double *) of (dst, MYTHREAD), (double *) of (src, MYTHREAD), bytes / 8); meet ())

static long
rounds_for (size_t each)
{
  return THREADS > 2 ? 20 : each <= 4096 ? 2000 : each <= 65536 ? 400 : each <= 1 << 20 ? 30
         : each <= 16 << 20 ? 3 : 1;
}

static void
compare (const char *name, size_t each, bench_loop *ours, const char *reference, bench_loop *theirs,
         const char *target, size_t moved)
{
  char whole[64];

  snprintf (whole, sizeof whole, "coll/%s-%zu-%d", name, each, THREADS);
  if (!strstr (whole, bench_only))
    return;
  /* One variable for all threads: none may be still, or already, at another comparison. */
  meet ();
  bytes = each;
  meet ();
  struct bench bench = BENCH (whole, ours, reference, theirs, target, .bytes = moved,
                              .rounds = rounds_for (each));
  bench_compare (&bench);
}

static void
compare_small (void)
{
  const char *target = THREADS > 2 ? "<= 4 ref" : "";

  compare ("broadcast", 8, broadcast, "barrier", barriers, THREADS > 2 ? target : "<= 1.5 ref", 0);
  compare ("scatter", 8, scatter, "barrier", barriers, target, 0);
  compare ("gather", 8, gather, "barrier", barriers, target, 0);
  compare ("gather_all", 8, gather_all, "barrier", barriers, target, 0);
  compare ("exchange", 8, exchange, "barrier", barriers, target, 0);
  compare ("reduce", 512, reduce, "barrier", barriers, target, 0);
  compare ("scan", 512, scan, "barrier", barriers, target, 0);
}

/* Of SIZE elements, synchronised as FLAGS say. */
static void
compare_short (size_t each, size_t size, upc_flag_t flags, const char *synchronisation)
{
  char name[64];

  meet ();
  block = size;
  mode = flags;
  snprintf (name, sizeof name, "short-blocks/reduce-%zu-%s", size, synchronisation);
  compare (name, each, short_reduce, "whole blocks", whole_reduce, "<= 2 ref", 0);
  snprintf (name, sizeof name, "short-blocks/scan-%zu-%s", size, synchronisation);
  compare (name, each, short_scan, "whole blocks", whole_scan, "<= 2 ref", 0);
  if (THREADS > 2 || each / 8 > MOST_BY_HAND || flags != (UPC_IN_MYSYNC | UPC_OUT_MYSYNC))
    return;
  snprintf (name, sizeof name, "short-blocks/scan-%zu-mysync-by-hand", size);
  compare (name, each, short_scan, "by hand", scans_by_hand, "<= 1.2 ref", 0);
}

static void
compare_short_blocks (size_t each)
{
  static const size_t sizes[] = { 1, 2, 3, 4, 8 };

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      compare_short (each, sizes[i], ALLSYNC, "allsync");
      if (THREADS > 2)
        continue;
      compare_short (each, sizes[i], UPC_IN_MYSYNC | UPC_OUT_MYSYNC, "mysync");
      compare_short (each, sizes[i], NOSYNC, "nosync");
    }
}

static void
compare_large (size_t each)
{
  size_t all = each * THREADS;

  compare ("broadcast", each, broadcast, "memcpy", copy_broadcast, ">= 0.9 ref", all);
  compare ("gather", each, gather, "memcpy", copy_gather, ">= 0.9 ref", all);
  compare ("exchange", each, exchange, "memcpy", copy_exchange, ">= 0.9 ref", all * THREADS);
  compare ("reduce", each, reduce, "plain loop", plain_sums, ">= 0.8 ref", all);
  compare ("scan", each, scan, "plain loops", plain_scans, ">= 0.8 ref", all);
}

/* The root of a broadcast without synchronisation: its calls alone, in runs that are shorter
   than it may be ahead of the others. */
static void
measure_root (void)
{
  enum { AHEAD = 8 };
  char name[64];

  snprintf (name, sizeof name, "coll/nosync-root-%d", THREADS);
  if (!strstr (name, bench_only))
    return;
  if (MYTHREAD == 0)
    bench_print_head (name, "ns", "100 ns", "<= 100");
  for (int sample = 0; sample < BENCH_SAMPLES; sample++)
    {
      double start, ns;

      meet ();
      start = bench_now_ns ();
      for (int i = 0; i < AHEAD; i++)
        upc_all_broadcast (dst, src, 8, NOSYNC);
      ns = (bench_now_ns () - start) / AHEAD;
      meet ();
      if (MYTHREAD == 0)
        bench_print_sample (ns, 100);
    }
}

int
upc_main (int argc, char **argv)
{
  static const size_t large[] = { 4096, 65536, 1 << 20, 16 << 20, MOST_BYTES };
  size_t room = (THREADS > 2 ? 4096 : MOST_BYTES) * (size_t) THREADS;

  bench_arguments (argc, argv);
  dst = upc_all_alloc (THREADS, room);
  src = upc_all_alloc (THREADS, room);
  posts = upc_all_alloc (1, 2 * POSTS * sizeof (struct post));
  memset (of (dst, MYTHREAD), 0, room);
  memset (of (src, MYTHREAD), 0, room);
  meet ();
  measure_root ();
  compare_small ();
  compare_short_blocks (512);
  if (THREADS == 2)
    {
      compare_short_blocks (4096);
      compare_short_blocks (65536);
      for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        compare_large (large[i]);
    }
  return 0;
}
