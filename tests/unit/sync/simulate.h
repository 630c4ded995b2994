/* The code of the room on simulated threads: coroutines of one real thread, with a
   scheduler and a futex of the test's. Every atomic operation of the files included
   behind this one is a point where the scheduler may switch, so that a seed is a
   schedule, and a wake-up that is lost leaves no thread to run: always, not now and
   then. The order of memory is sequential consistency.

   Each access also counts the transfers of cache lines that it needs, with one cache a
   thread: a read of a line that this cache has not, a write to one that others have. */

#ifndef TESTS_SYNC_SIMULATE_H
#define TESTS_SYNC_SIMULATE_H

#include "runtime/host/host.h"
#include "runtime/sync/mechanism/placement.h"
#include "runtime/sync/policy/preemption.h"
#include "runtime/sync/policy/spin.h"
/* The lock's fast paths are included once the atomics are the simulation's. */
#define UPCR_SYNC_LOCK_H
#include "runtime/sync/sync.h"
#undef UPCR_SYNC_LOCK_H
#include "tests/unit/sync/kernel.h"
#include "tests/unit/sync/threads.h"

#include <errno.h>
#include <ucontext.h>
#ifdef UPCR_TSAN
#include <sanitizer/tsan_interface.h>
#endif

enum
{
  SIM_STACK_BYTES = 64 << 10,
  SIM_LINES = 1 << 13,
  SIM_MOST_STEPS = 20000000,
  SIM_FIRST_TID = 1000
};

struct sim_line;

static struct
{
  ucontext_t context;
  char *stack;
  void (*body) (void);
  bool is_done;
  _Atomic uint32_t *asleep_on;
  struct sim_line *loaded;   /* by its last access; NULL: that was no load */
  struct sim_line *spins_on; /* has been loaded, has not changed, is to be loaded again */
  void *fiber;
} sim_threads[UPCR_MAX_THREADS];

static struct
{
  ucontext_t scheduler;
  void *fiber;
  unsigned random;
  bool is_running;
  bool is_random;    /* else each thread runs until it waits */
  bool skips_spins;  /* do not run threads that would see what they saw */
  unsigned spurious; /* one of so many steps wakes a sleeper for nothing; 0: none */
  long steps, sleeps, wakes;
  uint64_t ns;
  unsigned ns_a_look; /* how far the clock goes each time that it is read */
} sim;

static void
sim_switch (void)
{
  int self = MYTHREAD;

#ifdef UPCR_TSAN
  __tsan_switch_to_fiber (sim.fiber, 0);
#endif
  swapcontext (&sim_threads[self].context, &sim.scheduler);
  MYTHREAD = self;
}

/* Lines by address; who has a copy, one bit a thread; who alone may write it, or -1.
   Times are in transfers, one behind the other: when the line was written; of a thread,
   where it is, and where it was at its last read-modify-write. Loads behind that overlap,
   as processors have them; stores do not keep their thread waiting. */
struct sim_line
{
  uintptr_t address;
  int writer;
  long time;
  uint64_t sharers[UPCR_MAX_THREADS / 64];
};
static struct sim_line sim_lines[SIM_LINES];
static long sim_transfers;
static struct
{
  long now;
  long issue;
} sim_times[UPCR_MAX_THREADS];

static struct sim_line *
sim_line_of (const volatile void *p)
{
  uintptr_t address = (uintptr_t) p / 64;
  unsigned i = address * 0x9E3779B97F4A7C15u >> 51;

  while (sim_lines[i].address != address && sim_lines[i].address != 0)
    i = (i + 1) % SIM_LINES;
  if (sim_lines[i].address == 0)
    {
      sim_lines[i].address = address;
      sim_lines[i].writer = -1;
    }
  return &sim_lines[i];
}

enum sim_kind
{
  SIM_LOAD,
  SIM_STORE,
  SIM_RMW
};

static void
sim_take_time (struct sim_line *line, enum sim_kind kind, int is_transfer)
{
  long start = kind == SIM_LOAD ? sim_times[MYTHREAD].issue : sim_times[MYTHREAD].now;
  long end = (start > line->time ? start : line->time) + is_transfer;

  if (kind != SIM_STORE && end > sim_times[MYTHREAD].now)
    sim_times[MYTHREAD].now = end;
  if (kind == SIM_RMW)
    sim_times[MYTHREAD].issue = sim_times[MYTHREAD].now;
  if (kind != SIM_LOAD)
    line->time = end;
}

static void
sim_count (struct sim_line *line, enum sim_kind kind)
{
  uint64_t *sharers = &line->sharers[MYTHREAD / 64];
  bool is_transfer = kind == SIM_LOAD ? !(*sharers >> MYTHREAD % 64 & 1) : line->writer != MYTHREAD;

  sim_transfers += is_transfer;
  sim_take_time (line, kind, is_transfer);
  if (kind != SIM_LOAD)
    {
      memset (line->sharers, 0, sizeof line->sharers);
      line->writer = MYTHREAD;
      for (int t = 0; t < THREADS; t++)
        if (sim_threads[t].spins_on == line)
          sim_threads[t].spins_on = NULL;
    }
  else if (is_transfer)
    line->writer = -1;
  *sharers |= 1ull << MYTHREAD % 64;
}

/* A thread that has loaded the line and does so again spins. */
static void
sim_point (const volatile void *p, enum sim_kind kind)
{
  struct sim_line *line;

  if (!sim.is_running)
    return;
  line = sim_line_of (p);
  if (sim.skips_spins && kind == SIM_LOAD && sim_threads[MYTHREAD].loaded == line
      && line->sharers[MYTHREAD / 64] >> MYTHREAD % 64 & 1)
    {
      sim_threads[MYTHREAD].spins_on = line;
      sim_switch ();
    }
  else if (sim.is_random && next_random (&sim.random) % 4 == 0)
    sim_switch ();
  sim_count (line, kind);
  sim_threads[MYTHREAD].loaded = kind == SIM_LOAD ? line : NULL;
}

static inline uint32_t
sim_load (_Atomic uint32_t *p)
{
  sim_point (p, SIM_LOAD);
  return atomic_load (p);
}

static inline void
sim_store (_Atomic uint32_t *p, uint32_t value)
{
  sim_point (p, SIM_STORE);
  atomic_store (p, value);
}

#define SIM_OPERATION(name, operation)                              \
  static inline uint32_t name (_Atomic uint32_t *p, uint32_t value) \
  {                                                                 \
    sim_point (p, SIM_RMW);                                         \
    return operation (p, value);                                    \
  }

SIM_OPERATION (sim_exchange, atomic_exchange)
SIM_OPERATION (sim_fetch_add, atomic_fetch_add)
SIM_OPERATION (sim_fetch_sub, atomic_fetch_sub)
SIM_OPERATION (sim_fetch_or, atomic_fetch_or)
SIM_OPERATION (sim_fetch_and, atomic_fetch_and)

static inline bool
sim_compare (_Atomic uint32_t *p, uint32_t *expected, uint32_t value)
{
  sim_point (p, SIM_RMW);
  return atomic_compare_exchange_strong (p, expected, value);
}

static int
sim_futex_wait (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit)
{
  if (limit)
    {
      sim_switch ();
      return ETIMEDOUT;
    }
  if (sim.is_random)
    sim_switch ();
  if (atomic_load (word) != seen)
    return EAGAIN;
  sim.sleeps++;
  sim_threads[MYTHREAD].asleep_on = word;
  sim_switch ();
  return sim.is_random && next_random (&sim.random) % 8 == 0 ? EINTR : 0;
}

static int
sim_futex_wake (_Atomic uint32_t *word, int threads)
{
  if (sim.is_random)
    sim_switch ();
  sim.wakes++;
  for (int t = 0; t < THREADS && threads > 0; t++)
    if (sim_threads[t].asleep_on == word)
      {
        sim_threads[t].asleep_on = NULL;
        threads--;
      }
  return 0;
}

/* All threads are on one CPU, as far as they can tell. */
static int
sim_cpu (void)
{
  return 0;
}

static int
sim_runs_on (pid_t thread)
{
  (void) thread;
  return -1;
}

static bool
sim_get_mask (pid_t thread, cpu_set_t *mask)
{
  (void) thread, (void) mask;
  return false;
}

static uint64_t
sim_now_ns (void)
{
  return sim.ns += sim.ns_a_look;
}

/* CPUs are never counted anew. */
static uint64_t
sim_coarse_now_ns (void)
{
  return 0;
}

/* All of it is the run's: no other program is there. */
static uint64_t
sim_used_ns (uint64_t *then_ns)
{
  return *then_ns = sim.ns;
}

static void
sim_main (void)
{
  sim_threads[MYTHREAD].body ();
  sim_threads[MYTHREAD].is_done = true;
  sim_switch ();
}

static void
sim_begin (int thread, void (*body) (void))
{
  if (!sim_threads[thread].stack)
    sim_threads[thread].stack = malloc (SIM_STACK_BYTES);
  sim_threads[thread].body = body;
  sim_threads[thread].is_done = false;
  sim_threads[thread].asleep_on = NULL;
  sim_threads[thread].loaded = sim_threads[thread].spins_on = NULL;
  getcontext (&sim_threads[thread].context);
  sim_threads[thread].context.uc_stack.ss_sp = sim_threads[thread].stack;
  sim_threads[thread].context.uc_stack.ss_size = SIM_STACK_BYTES;
  makecontext (&sim_threads[thread].context, sim_main, 0);
#ifdef UPCR_TSAN
  sim_threads[thread].fiber = __tsan_create_fiber (0);
#endif
}

static void
sim_step (int thread)
{
  MYTHREAD = thread;
  sim.steps++;
#ifdef UPCR_TSAN
  __tsan_switch_to_fiber (sim_threads[thread].fiber, 0);
#endif
  swapcontext (&sim.scheduler, &sim_threads[thread].context);
}

/* The next thread that can run from THREAD on, or -1. */
static int
sim_next (int thread)
{
  for (int i = 0; i < THREADS; i++)
    {
      int t = (thread + i) % THREADS;
      if (!sim_threads[t].is_done && !sim_threads[t].asleep_on && !sim_threads[t].spins_on)
        return t;
    }
  return -1;
}

/* Where all spin, their looks are counted, and they give up at last. */
static bool
sim_end_spins (void)
{
  bool any = false;

  for (int t = 0; t < THREADS; t++)
    {
      any |= sim_threads[t].spins_on != NULL;
      sim_threads[t].spins_on = NULL;
    }
  return any;
}

static bool
sim_all_done (void)
{
  for (int t = 0; t < THREADS; t++)
    if (!sim_threads[t].is_done)
      return false;
  return true;
}

/* Runs BODY on N threads; false when they cannot end: all sleep, or they take for ever.
   THREADS and the room's state are the caller's to set. */
static bool
sim_run (void (*body) (void))
{
  int thread = 0;

  sim.steps = sim.sleeps = sim.wakes = 0;
#ifdef UPCR_TSAN
  sim.fiber = __tsan_get_current_fiber ();
#endif
  for (int t = 0; t < THREADS; t++)
    sim_begin (t, body);
  sim.is_running = true;
  while (sim.steps < SIM_MOST_STEPS)
    {
      if (sim.spurious && next_random (&sim.random) % sim.spurious == 0)
        sim_threads[next_random (&sim.random) % THREADS].asleep_on = NULL;
      thread = sim.is_random ? (int) (next_random (&sim.random) % THREADS) : thread + 1;
      thread = sim_next (thread % THREADS);
      if (thread < 0 && !sim_end_spins ())
        break;
      if (thread < 0)
        continue;
      sim_step (thread);
    }
  sim.is_running = false;
  MYTHREAD = 0;
#ifdef UPCR_TSAN
  for (int t = 0; t < THREADS; t++)
    __tsan_destroy_fiber (sim_threads[t].fiber);
#endif
  return sim_all_done ();
}

/* From here on the atomics of what is included are the simulation's. */
#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_exchange_explicit
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or_explicit
#undef atomic_fetch_and_explicit
#undef atomic_compare_exchange_strong_explicit
#define atomic_load_explicit(p, order) sim_load ((_Atomic uint32_t *) (p))
#define atomic_store_explicit(p, value, order) sim_store (p, value)
#define atomic_exchange_explicit(p, value, order) sim_exchange (p, value)
#define atomic_fetch_add_explicit(p, value, order) sim_fetch_add (p, value)
#define atomic_fetch_sub_explicit(p, value, order) sim_fetch_sub (p, value)
#define atomic_fetch_or_explicit(p, value, order) sim_fetch_or (p, value)
#define atomic_fetch_and_explicit(p, value, order) sim_fetch_and (p, value)
#define atomic_compare_exchange_strong_explicit(p, expected, value, success, failure) \
  sim_compare (p, expected, value)

#define upcr_is_upc_thread() 1
#define gettid() (MYTHREAD + SIM_FIRST_TID)

#include "runtime/sync/mechanism/placement.c"
#include "runtime/sync/policy/spin.c"
#include "runtime/sync/policy/park.c"
#include "runtime/sync/primitives/tree.c"
#include "runtime/sync/primitives/lock.c"

static const struct upcr_kernel sim_kernel = { .futex_wait = sim_futex_wait,
                                               .futex_wake = sim_futex_wake,
                                               .yield = sim_switch,
                                               .now_ns = sim_now_ns,
                                               .coarse_now_ns = sim_coarse_now_ns,
                                               .used_ns = sim_used_ns,
                                               .cpu = sim_cpu,
                                               .runs_on = sim_runs_on,
                                               .get_mask = sim_get_mask };

/* Of tests whose schedules are random, without wake-ups for nothing. Time passes in long
   steps: the barging quanta of a lock end after a few uses, too. */
static int
sim_set_up (void **state)
{
  (void) state;
  sim.ns_a_look = 60000;
  replace_kernel (sim_kernel);
  sim.is_random = true;
  sim.random = 1;
  sim.spurious = 0;
  return 0;
}

static int
sim_tear_down (void **state)
{
  upcr_options.wait = UPCR_WAIT_ADAPTIVE;
  return restore_kernel (state);
}

#endif
