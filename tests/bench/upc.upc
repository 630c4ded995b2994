/* What upcc makes of shared accesses and upc_forall, beside the same loop over private
   memory in the same program.

   Thread 0 measures alone while the others sleep in a barrier: what counts is the
   code of the loops, not who gets the CPU. */

#include <upc_relaxed.h>

#include "tests/bench/bench.h"

#include <stdlib.h>

/* BLOCK ints are a thread's own, and in the first-level cache. The triads lie once
   there, once in memory as STREAM has them; a block is at most 2^20 - 1 elements. */
enum { BLOCK = 4096, CACHED = 1024, STREAM = 1 << 22, LARGE = 1 << 19 };

shared int cyclic[BLOCK * THREADS];
shared [BLOCK] int blocked[BLOCK * THREADS];
shared double a[STREAM * THREADS], b[STREAM * THREADS], c[STREAM * THREADS];
shared [LARGE] double d[STREAM * THREADS], e[STREAM * THREADS], f[STREAM * THREADS];
shared double ca[CACHED * THREADS], cb[CACHED * THREADS], cc[CACHED * THREADS];
shared [CACHED] double cd[CACHED * THREADS], ce[CACHED * THREADS], cf[CACHED * THREADS];

static int *plain;
/* Of the first element that another thread has. No constant to the compiler, as
   neither is the number of elements of a real loop. */
static volatile int other, elements = BLOCK;
static volatile int own_cached = CACHED, own_streamed = STREAM;
static volatile double scalar = 3;

/* A round is an element; whole passes over BLOCK of them are made. LOOP adds up N. */
#define SUM_LOOP(name, declarations, loop)                   \
  static void name (long rounds)                             \
  {                                                          \
    for (; rounds > 0; rounds -= BLOCK)                      \
      {                                                      \
        int i, n = elements, sum = 0;                        \
        declarations;                                        \
        loop;                                                \
        bench_use (sum);                                     \
      }                                                      \
  }

SUM_LOOP (sum_private, int *p = plain, for (i = 0; i < n; i++) sum += p[i])
SUM_LOOP (sum_blocked, int at = other, for (i = at; i < at + n; i++) sum += blocked[i])
SUM_LOOP (sum_cyclic, , for (i = 0; i < n; i++) sum += cyclic[i])
SUM_LOOP (walk_blocked, shared [BLOCK] int *p = &blocked[other],
          for (i = 0; i < n; i++) sum += *p++)
SUM_LOOP (walk_cyclic, shared int *p = cyclic, for (i = 0; i < n; i++) sum += *p++)
SUM_LOOP (sum_indefinite, shared [] int *q = (shared [] int *) &blocked[other],
          for (i = 0; i < n; i++) sum += q[i])
SUM_LOOP (forall_blocked, n *= THREADS,
          upc_forall (i = 0; i < n; i++; &blocked[i]) sum += blocked[i])
SUM_LOOP (forall_cyclic, n *= THREADS,
          upc_forall (i = 0; i < n; i++; &cyclic[i]) sum += cyclic[i])

/* A round is a whole triad. */
#define TRIAD(name, own, x, y, z)                            \
  static void name (long rounds)                             \
  {                                                          \
    while (rounds--)                                         \
      {                                                      \
        int i, n = own * THREADS;                            \
        double s = scalar;                                   \
        upc_forall (i = 0; i < n; i++; &x[i])                \
          x[i] = y[i] + s * z[i];                            \
        bench_use (0);                                       \
      }                                                      \
  }

#define LOCAL_TRIAD(name, own, x, y, z)                      \
  static void name (long rounds)                             \
  {                                                          \
    while (rounds--)                                         \
      {                                                      \
        int i, n = own;                                      \
        double s = scalar;                                   \
        double *p = (double *) x, *q = (double *) y;         \
        double *r = (double *) z;                            \
        for (i = 0; i < n; i++)                              \
          p[i] = q[i] + s * r[i];                            \
        bench_use (0);                                       \
      }                                                      \
  }

TRIAD (triad_cyclic, own_streamed, a, b, c)
TRIAD (triad_blocked, own_streamed, d, e, f)
TRIAD (triad_cyclic_cached, own_cached, ca, cb, cc)
TRIAD (triad_blocked_cached, own_cached, cd, ce, cf)
LOCAL_TRIAD (local_cyclic, own_streamed, a, b, c)
LOCAL_TRIAD (local_blocked, own_streamed, d, e, f)
LOCAL_TRIAD (local_cyclic_cached, own_cached, ca, cb, cc)
LOCAL_TRIAD (local_blocked_cached, own_cached, cd, ce, cf)

static const struct bench accesses[] = {
  BENCH ("upc/blocked", sum_blocked, "private loop", sum_private, "<= 1.15 ref"),
  BENCH ("upc/cyclic", sum_cyclic, "private loop", sum_private, "<= 1.15 ref"),
  BENCH ("upc/walk", walk_blocked, "private loop", sum_private, "<= 1.15 ref"),
  BENCH ("upc/walk-cyclic", walk_cyclic, "private loop", sum_private, "<= 1.15 ref"),
  BENCH ("upc/indefinite", sum_indefinite, "private loop", sum_private, "<= 1.15 ref"),
};

enum { STREAM_BYTES = 3 * 8 * STREAM, CACHED_BYTES = 3 * 8 * CACHED };

static const struct bench triads[] = {
  BENCH ("upc/triad-cyclic", triad_cyclic, "local pointers", local_cyclic, ">= 0.5 ref",
         .bytes = STREAM_BYTES),
  BENCH ("upc/triad-blocked", triad_blocked, "local pointers", local_blocked, ">= 0.5 ref",
         .bytes = STREAM_BYTES),
  BENCH ("upc/triad-cyclic-l1", triad_cyclic_cached, "local pointers", local_cyclic_cached,
         ">= 0.5 ref", .bytes = CACHED_BYTES),
  BENCH ("upc/triad-blocked-l1", triad_blocked_cached, "local pointers", local_blocked_cached,
         ">= 0.5 ref", .bytes = CACHED_BYTES),
};

static void
compare_foralls (void)
{
  char name[32];
  struct bench blocks = BENCH (name, forall_blocked, "private loop", sum_private, "<= 1.15 ref");
  struct bench cycle = BENCH (name, forall_cyclic, "private loop", sum_private, "<= 1.15 ref");

  snprintf (name, sizeof name, "upc/forall-%d", THREADS);
  bench_compare (&blocks);
  snprintf (name, sizeof name, "upc/forall-cyclic-%d", THREADS);
  bench_compare (&cycle);
}

/* Pages that were never written are all the same page of zeros. */
static void
fill (double *own, int n)
{
  for (int i = 0; i < n; i++)
    own[i] = i;
}

static void
compare_all (void)
{
  plain = calloc (BLOCK, sizeof *plain);
  other = (THREADS - 1) * BLOCK;
  /* All memory has its pages. */
  for (int i = 0; i < THREADS; i++)
    for (int j = 0; j < BLOCK; j++)
      blocked[i * BLOCK + j] = cyclic[i * BLOCK + j] = plain[j] = j;
  compare_foralls ();
  if (THREADS != 2)
    return;
  fill ((double *) b, STREAM);
  fill ((double *) c, STREAM);
  fill ((double *) e, STREAM);
  fill ((double *) f, STREAM);
  for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
    bench_compare (&accesses[i]);
  for (size_t i = 0; i < sizeof triads / sizeof *triads; i++)
    {
      if (strstr (triads[i].name, bench_only))
        {
          triads[i].ours (1);
          triads[i].theirs (1);
        }
      bench_compare (&triads[i]);
    }
}

int
main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  if (MYTHREAD == 0)
    compare_all ();
  upc_barrier;
  return 0;
}
