/* Locks and barriers beside those of POSIX and OpenMP.

   The policy of OpenMP is the environment's: active for two threads, passive for more.

   A lock that only one thread takes, in a process of two: glibc leaves the locked
   instructions out in a process of one. Then locks and barriers that all threads
   meet at; there the loops of all threads run at once, and thread 0 measures. */

#include "tests/bench/bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

upcr_pts upc_all_lock_alloc (void);
void upc_lock (upcr_pts lock);
void upc_unlock (upcr_pts lock);
void __upc_notify (int id);
void __upc_wait (int id);
void upc_poll (void);
void omp_barriers (int threads, long rounds);
void omp_rest (void);

static upcr_pts lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

#define LOOP(name, statement)                   \
  static void name (long rounds)                \
  {                                             \
    while (rounds--)                            \
      statement;                                \
  }

LOOP (lock_loop, (upc_lock (lock), upc_unlock (lock)))
LOOP (mutex_loop, (pthread_mutex_lock (&mutex), pthread_mutex_unlock (&mutex)))
LOOP (barrier_loop, __upc_barrier (INT_MIN))
LOOP (barrier_id_loop, __upc_barrier (1))
LOOP (notify_wait_loop, (__upc_notify (INT_MIN), __upc_wait (INT_MIN)))
LOOP (poll_loop, upc_poll ())
LOOP (yield_loop, sched_yield ())
LOOP (posix_barrier_loop, pthread_barrier_wait (&barrier))

/* The least that two threads can do: each writes its line and reads the other's. */
static struct
{
  _Alignas (128) _Atomic long flag;
} lines[2];

static void
exchange_loop (long rounds)
{
  _Atomic long *mine = &lines[MYTHREAD].flag, *other = &lines[!MYTHREAD].flag;
  long next = atomic_load_explicit (mine, memory_order_relaxed);

  while (rounds--)
    {
      atomic_store_explicit (mine, ++next, memory_order_release);
      while (atomic_load_explicit (other, memory_order_acquire) < next)
        continue;
    }
}

/* OpenMP has a team of its own; the UPC threads sleep in the next loop's barrier
   meanwhile. */
static void
omp_loop (long rounds)
{
  if (MYTHREAD == 0)
    omp_barriers (THREADS, rounds);
}

/* Or its idle threads would take a CPU from what is measured next. */
static void
end_omp_threads (void)
{
  if (MYTHREAD == 0)
    omp_rest ();
}

/* Rounds of a sample: fewer where threads take turns on the CPUs. Enough even so that the
   threads of the other side, which have just gone, do not tell where ours are. */
static long
rounds_together (void)
{
  return THREADS <= 2 ? 10000 : 16000 / THREADS;
}

static void
compare (const char *name, bench_loop *ours, const char *reference, bench_loop *theirs,
         const char *target, void (*settle) (void))
{
  char whole[64];

  snprintf (whole, sizeof whole, "sync/%s-%d", name, THREADS);
  struct bench bench = BENCH (whole, ours, reference, theirs, target, .rounds = rounds_together (),
                              .settle = settle);
  bench_compare (&bench);
}

int
upc_main (int argc, char **argv)
{
  static const struct bench alone
    = BENCH ("sync/lock-unlock", lock_loop, "pthread_mutex", mutex_loop, "<= ref");

  bench_arguments (argc, argv);
  lock = upc_all_lock_alloc ();
  if (MYTHREAD == 0)
    {
      pthread_barrier_init (&barrier, NULL, THREADS);
      if (THREADS == 2)
        bench_compare (&alone);
    }
  __upc_barrier (INT_MIN);
  if (THREADS == 2)
    {
      compare ("barrier", barrier_loop, "flag exchange", exchange_loop, "<= 1.3 ref", NULL);
      compare ("barrier", barrier_loop, "libgomp active", omp_loop, "<= 0.75 ref", end_omp_threads);
    }
  else
    compare ("barrier", barrier_loop, "libgomp passive", omp_loop, "<= 0.5 ref", end_omp_threads);
  compare ("barrier", barrier_loop, "pthread_barrier", posix_barrier_loop, "<= 0.5 ref", NULL);
  compare ("barrier-id", barrier_id_loop, "pthread_barrier", posix_barrier_loop, "<= 0.5 ref", NULL);
  compare ("notify-wait", notify_wait_loop, "pthread_barrier", posix_barrier_loop, "<= 0.5 ref", NULL);
  compare ("poll", poll_loop, "sched_yield", yield_loop, "<= 0.3 ref", NULL);
  return 0;
}
