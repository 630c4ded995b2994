/* How many CPUs there are for how many threads, and what follows for waits.

   field             written by                 read by     order
   upcr_patience     who holds looking          all         relaxed: old or new, both do
   __upc_oversubscribed     who holds looking          all         relaxed
   next_look_ms      who holds looking          all         relaxed: a hint
   looking           a thread that looks        all         acquire, release */

#include "runtime/sync/crowd.h"

#include "runtime/host/host.h"
#include "runtime/sync/load.h"
#include "runtime/sync/seats.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

enum { LOOK_MS = 100, QUOTA_MS = 1000 };

struct upcr_patience upcr_patience;
int __upc_oversubscribed;

static int threads_of_run;
static atomic_flag looking = ATOMIC_FLAG_INIT;
static _Atomic int64_t next_look_ms;
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
  __atomic_store_n (&__upc_oversubscribed, is_crowded, __ATOMIC_RELAXED);
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
  upcr_load_init ();
  quota = 0;
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
