/* How many CPUs there are for how many threads, and what follows for waits.

   field             written by                 read by     order
   upcr_patience     who holds looking          all         relaxed: old or new, both do
   __upc_crowded     who holds looking          all         relaxed
   next_look_ms      who holds looking          all         relaxed: a hint
   looking           a thread that looks        all         acquire, release
   avoid_until_ms,   who yields                 all         relaxed: a hint
   avoidance_ms */

#include "runtime/sync/crowd.h"

#include "runtime/start/start.h"
#include "runtime/sync/seats.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

enum { LOOK_MS = 100, QUOTA_MS = 1000 };
enum
{
  LONG_YIELD_NS = 1500000,
  /* A wait that sleeps takes about as many times as long as one that yields, with 8
     threads as with 64. */
  SLEEP_PRICE = 4,
  SHORTEST_AVOIDANCE_MS = 12,
  LONGEST_AVOIDANCE_MS = 400
};

struct upcr_patience upcr_patience;
int __upc_crowded;

static int threads_of_run;
static atomic_flag looking = ATOMIC_FLAG_INIT;
static _Atomic int64_t next_look_ms;
static _Atomic int64_t avoid_until_ms;   /* 0: yields are quick */
static _Atomic int avoidance_ms;
static int64_t next_quota_ms;   /* under looking */
static int quota;               /* under looking; 0: none */

/* With a CPU for each thread a wait stays awake for about as long as a sleep and a
   wake-up take, some tens of microseconds: a pause takes 10 to 50 ns. No yields: the
   thread that yields gives up the rest of its slice, milliseconds, where another
   program is there to take it. Measured with two threads in barriers beside a program
   that computes: 0.2 microseconds a barrier with 2000 pauses or more, 0.5 with 500,
   10 to 200 with yields.

   With fewer CPUs the thread waited for may need this one, so it is yielded at once.
   Measured with a barrier of 8 threads on 2 CPUs: 10 pauses before make it slower by a
   third; without the yields it takes 6 times as long; more than 16 gain nothing and
   burn the slices of threads that have work. */
static struct upcr_patience
patience_for (bool is_crowded)
{
  switch (upcr_options.wait)
    {
    case UPCR_WAIT_SPIN:
      return is_crowded ? (struct upcr_patience){ .yields = UPCR_LONG_YIELDS }
                        : (struct upcr_patience){ .spins = UPCR_LONG_SPINS };
    case UPCR_WAIT_SLEEP:
      return (struct upcr_patience){ 0 };
    default:
      return is_crowded ? (struct upcr_patience){ .yields = 16 }
                        : (struct upcr_patience){ .spins = 4000 };
    }
}

void
upcr_crowd_set_cpus (int cpus)
{
  bool is_crowded = threads_of_run > cpus;
  struct upcr_patience now = patience_for (is_crowded);

  upcr_seats_set_cpus (cpus);
  __atomic_store_n (&upcr_patience.spins, now.spins, __ATOMIC_RELAXED);
  __atomic_store_n (&upcr_patience.yields, now.yields, __ATOMIC_RELAXED);
  __atomic_store_n (&__upc_crowded, is_crowded, __ATOMIC_RELAXED);
}

static int64_t
now_ms (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC_COARSE, &time);
  return time.tv_sec * 1000ll + time.tv_nsec / 1000000;
}

void
upcr_crowd_init (int threads, int cpus)
{
  threads_of_run = threads;
  upcr_seats_init (threads);
  quota = 0;
  atomic_init (&avoid_until_ms, 0);
  atomic_init (&avoidance_ms, SHORTEST_AVOIDANCE_MS);
  next_quota_ms = now_ms () + LOOK_MS;
  atomic_init (&next_look_ms, next_quota_ms);
  upcr_crowd_set_cpus (cpus);
}

static void
look (int64_t now)
{
  int cpus;

  atomic_store_explicit (&next_look_ms, now + LOOK_MS, memory_order_relaxed);
  if (now >= next_quota_ms)
    {
      quota = upcr_cgroup_quota_now ();
      next_quota_ms = now + QUOTA_MS;
    }
  cpus = upcr_count_cpus_of_seats ();
  if (quota && quota < cpus)
    cpus = quota;
  if (cpus)
    upcr_crowd_set_cpus (cpus);
}

void
upcr_crowd_look (void)
{
  int64_t now;

  upcr_sit ();
  now = now_ms ();
  if (now < atomic_load_explicit (&next_look_ms, memory_order_relaxed)
      || atomic_flag_test_and_set_explicit (&looking, memory_order_acquire))
    return;
  look (now);
  atomic_flag_clear_explicit (&looking, memory_order_release);
}

/* Is what the calling thread has lost by a yield from START_NS to END_NS, and by one not
   long before, more than it would lose by sleeping? One long yield says little: others of
   this run may have worked for so long, or the machine stood still. */
static bool
yields_lose (uint64_t start_ns, uint64_t end_ns)
{
  static __thread uint64_t last_ns;
  uint64_t between_ns = start_ns - last_ns;

  last_ns = end_ns;
  return end_ns - start_ns > (SLEEP_PRICE - 1) * between_ns;
}

/* Each time it turns out that the other program is still there the run stays away from
   yields for twice as long; each time that it is not, for half as long. */
void
upcr_crowd_note_yield (uint64_t start_ns, uint64_t end_ns)
{
  int64_t until = atomic_load_explicit (&avoid_until_ms, memory_order_relaxed);
  int ms = atomic_load_explicit (&avoidance_ms, memory_order_relaxed);
  bool is_long = end_ns - start_ns > LONG_YIELD_NS;
  int64_t now;

  if (is_long && yields_lose (start_ns, end_ns) && (now = now_ms ()) >= until)
    {
      atomic_store_explicit (&avoid_until_ms, now + ms, memory_order_relaxed);
      if (ms < LONGEST_AVOIDANCE_MS)
        atomic_store_explicit (&avoidance_ms, ms * 2, memory_order_relaxed);
    }
  else if (!is_long && until != 0 && (now = now_ms ()) >= until + ms)
    {
      atomic_store_explicit (&avoid_until_ms, 0, memory_order_relaxed);
      if (ms > SHORTEST_AVOIDANCE_MS)
        atomic_store_explicit (&avoidance_ms, ms / 2, memory_order_relaxed);
    }
}

bool
upcr_crowd_avoids_yields (void)
{
  int64_t until = atomic_load_explicit (&avoid_until_ms, memory_order_relaxed);

  return until != 0 && now_ms () < until;
}
