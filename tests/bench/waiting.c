/* Waiting beside a program that computes, waiting for a thread that is late, and locks
   that all threads want: measures in which the scheduler has its say. All threads run
   each loop; thread 0 measures. */

#include "tests/bench/bench.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

upcr_pts upc_all_lock_alloc (void);
void upc_lock (upcr_pts lock);
void upc_unlock (upcr_pts lock);

enum
{
  SAMPLES = 21,
  LOCK_SAMPLES = 9,
  SLICES_NS = 40000000,
  LATE_NS = 20000000,
  TOGETHER_ROUNDS = 100000,
  MOST_THREADS = 1024
};

static void
barrier (void)
{
  __upc_barrier (INT_MIN);
}

static int
is_wanted (const char *name)
{
  return strstr (name, bench_only) != NULL;
}

static void
head (const char *name, const char *unit, const char *reference, const char *target)
{
  if (MYTHREAD == 0)
    bench_print_head (name, unit, reference, target);
}

static void
name_with_threads (char name[64], const char *what)
{
  snprintf (name, 64, "sync/%s-%d", what, THREADS);
}

/* A program beside this one that takes all the CPU it gets, when it is let. */
static pid_t hog;

static void
start_hog (void)
{
  volatile long forever = 0;

  hog = fork ();
  if (hog != 0)
    return;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  for (;;)
    forever++;
}

static double
barriers_ns (long rounds)
{
  double start = bench_now_ns ();

  for (long i = 0; i < rounds; i++)
    barrier ();
  return (bench_now_ns () - start) / rounds;
}

/* To where the scheduler may have put all threads, in a run that may use other CPUs too. */
static void
go_to_first_cpu (void)
{
  cpu_set_t all, first;
  int cpu = 0;

  sched_getaffinity (0, sizeof all, &all);
  while (!CPU_ISSET (cpu, &all))
    cpu++;
  CPU_ZERO (&first);
  CPU_SET (cpu, &first);
  sched_setaffinity (0, sizeof first, &first);
  barrier ();
  sched_setaffinity (0, sizeof all, &all);
  barrier ();
}

/* Barriers of threads that were all on one CPU a moment before, and of the same later. */
static void
barriers_on_one_cpu (void)
{
  char name[64];

  name_with_threads (name, "barrier-put-together");
  if (!is_wanted (name))
    return;
  head (name, "ns", "later", "<= 1.2 ref");
  for (int i = 0; i < SAMPLES; i++)
    {
      go_to_first_cpu ();
      double together = barriers_ns (TOGETHER_ROUNDS);
      double apart = barriers_ns (TOGETHER_ROUNDS);
      if (MYTHREAD == 0)
        bench_print_sample (together, apart);
    }
}

/* Barriers with the hog and without: many of its slices long. */
static void
barriers_beside_hog (void)
{
  static long rounds;
  char name[64];

  name_with_threads (name, "barrier-beside-load");
  if (!is_wanted (name))
    return;
  head (name, "ns", "quiet", THREADS == 2 ? "<= 2 ref" : "");
  if (MYTHREAD == 0)
    start_hog (), kill (hog, SIGSTOP);
  barrier ();
  barriers_ns (1000);
  double quiet = barriers_ns (1000);
  if (MYTHREAD == 0)
    rounds = SLICES_NS / quiet;
  barrier ();
  for (int i = 0; i < SAMPLES; i++)
    {
      quiet = barriers_ns (rounds);
      if (MYTHREAD == 0)
        kill (hog, SIGCONT);
      double loud = barriers_ns (rounds);
      if (MYTHREAD == 0)
        {
          kill (hog, SIGSTOP);
          bench_print_sample (loud, quiet);
        }
    }
  if (MYTHREAD == 0)
    kill (hog, SIGKILL);
}

static double
own_cpu_ns (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static void
sleep_late (void)
{
  static const struct timespec late = { .tv_nsec = LATE_NS };

  nanosleep (&late, NULL);
}

/* The CPU time of thread 1 while it waits for thread 0, in a barrier and spinning. */
static void
wait_for_late_thread (void)
{
  static _Atomic int arrived;
  static double asleep_ns, spinning_ns;
  char name[64];

  name_with_threads (name, "cpu-waiting-for-late");
  if (!is_wanted (name))
    return;
  head (name, "ns", "spinning", "<= 0.05 ref");
  for (int i = 1; i <= SAMPLES; i++)
    {
      barrier ();
      double start = own_cpu_ns ();
      if (MYTHREAD == 0)
        sleep_late ();
      barrier ();
      if (MYTHREAD == 1)
        asleep_ns = own_cpu_ns () - start;
      start = own_cpu_ns ();
      if (MYTHREAD == 0)
        {
          sleep_late ();
          arrived = i;
        }
      else if (MYTHREAD == 1)
        while (arrived != i)
          continue;
      if (MYTHREAD == 1)
        spinning_ns = own_cpu_ns () - start;
      barrier ();
      if (MYTHREAD == 0)
        bench_print_sample (asleep_ns, spinning_ns);
    }
}

static upcr_pts lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int stop;
static struct
{
  _Alignas (64) long taken;
} counts[MOST_THREADS];

#define TAKE_LOOP(name, take, give) \
  static void name (void)           \
  {                                 \
    long taken = 0;                 \
    while (!stop)                   \
      {                             \
        take;                       \
        taken++;                    \
        give;                       \
      }                             \
    counts[MYTHREAD].taken = taken; \
  }

TAKE_LOOP (take_lock, upc_lock (lock), upc_unlock (lock))
TAKE_LOOP (take_mutex, pthread_mutex_lock (&mutex), pthread_mutex_unlock (&mutex))

static void *
stop_after_a_while (void *nothing)
{
  static const struct timespec a_while = { .tv_nsec = 300000000 };

  nanosleep (&a_while, NULL);
  stop = 1;
  return nothing;
}

/* All threads want it for some tenths of a second. Nanoseconds for each time it was taken,
   and the most and the least that one thread took it. */
static double
contend (void (*take) (void), long *most, long *least)
{
  pthread_t timer;
  long total = 0;

  if (MYTHREAD == 0)
    {
      stop = 0;
      pthread_create (&timer, NULL, stop_after_a_while, NULL);
    }
  barrier ();
  double start = bench_now_ns ();
  take ();
  barrier ();
  double elapsed = bench_now_ns () - start;
  if (MYTHREAD == 0)
    pthread_join (timer, NULL);
  *most = 0;
  *least = LONG_MAX;
  for (int t = 0; t < THREADS; t++)
    {
      long taken = counts[t].taken;
      total += taken;
      *most = taken > *most ? taken : *most;
      *least = taken < *least ? taken : *least;
    }
  barrier ();
  return elapsed / total;
}

static void
contended_lock (void)
{
  static struct { long most, least; } samples[LOCK_SAMPLES];
  char name[64], fairness[64];
  long most, least;

  name_with_threads (name, "contended-lock");
  name_with_threads (fairness, "contended-lock-share");
  if (!is_wanted (name) && !is_wanted (fairness))
    return;
  lock = upc_all_lock_alloc ();
  head (name, "ns", "pthread_mutex", "<= ref");
  for (int i = 0; i < LOCK_SAMPLES; i++)
    {
      double ours = contend (take_lock, &most, &least);
      if (MYTHREAD == 0)
        samples[i].most = most, samples[i].least = least ? least : 1;
      double theirs = contend (take_mutex, &most, &least);
      if (MYTHREAD == 0)
        bench_print_sample (ours, theirs);
    }
  head (fairness, "most", "least", "<= 2 ref");
  for (int i = 0; MYTHREAD == 0 && i < LOCK_SAMPLES; i++)
    bench_print_sample (samples[i].most, samples[i].least);
}

int
upc_main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  contended_lock ();
  if (THREADS == 2)
    {
      wait_for_late_thread ();
      barriers_on_one_cpu ();
    }
  barriers_beside_hog ();
  return 0;
}
