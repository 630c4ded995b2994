/* The detector of external preemption.

   A yield that takes long says little by itself: the other threads of this run may have worked
   for that time. But then the process has used the CPU for all that time, on this CPU alone. If
   it used less, on all CPUs together, another program had this CPU.

   The CPU time used is read before yields if the last reading is old, and after yields that took
   long. The shorter the time from the reading to the yield, the less CPU time from before the
   yield is attributed to it.

   field            written by              read by      order
   used_at_…_ns     who holds reading       the same     by reading
   reading          a thread that reads     all          acquire, release
   read_at_ns       who holds reading       all          relaxed: a hint
   avoid_until_ns   who holds reading, who  all          relaxed: a hint
                    yields past it
   avoidance_ns     likewise                all          relaxed: a hint */

#include "runtime/sync/policy/preemption.h"

#include "runtime/sync/mechanism/kernel.h"

#include <stdatomic.h>

#define MS 1000000ull

/* A slice of another program is as long as this or longer; a reading takes some
   microseconds with hundreds of threads. */
#define LONG_YIELD_NS (3 * MS / 2)
#define READING_NS MS

/* The first avoidance costs little where the alarm was false, as when the machine stood
   still; behind each of them one yield is lost where it was not. */
#define SHORTEST_AVOIDANCE_NS (100 * MS)
#define LONGEST_AVOIDANCE_NS (400 * MS)

static atomic_flag reading = ATOMIC_FLAG_INIT;
static uint64_t used_at_reading_ns;
static _Atomic uint64_t read_at_ns;
static _Atomic uint64_t avoid_until_ns; /* 0: yields are quick */
static _Atomic uint64_t avoidance_ns;

void
upcr_preemption_init (void)
{
  used_at_reading_ns = 0;
  atomic_init (&read_at_ns, 0);
  atomic_init (&avoid_until_ns, 0);
  atomic_init (&avoidance_ns, SHORTEST_AVOIDANCE_NS);
}

static bool
begin_reading (uint64_t now_ns)
{
  return now_ns >= atomic_load_explicit (&read_at_ns, memory_order_relaxed) + READING_NS
         && !atomic_flag_test_and_set_explicit (&reading, memory_order_acquire);
}

/* A thread that loses the CPU here notes too little time, never too little use. */
static void
end_reading (void)
{
  uint64_t then_ns;

  used_at_reading_ns = upcr_kernel.used_ns (&then_ns);
  atomic_store_explicit (&read_at_ns, then_ns, memory_order_relaxed);
  atomic_flag_clear_explicit (&reading, memory_order_release);
}

/* Has the process used less than a CPU in a yield from START_NS to END_NS, or since another
   thread's reading in the midst of it? One that was just now tells nothing. */
static bool
was_lost (uint64_t start_ns, uint64_t end_ns)
{
  uint64_t read_ns = atomic_load_explicit (&read_at_ns, memory_order_relaxed);
  uint64_t begin_ns = start_ns > read_ns ? start_ns : read_ns;
  uint64_t then_ns, used_ns = upcr_kernel.used_ns (&then_ns) - used_at_reading_ns;

  return end_ns >= begin_ns + READING_NS && used_ns < (end_ns - begin_ns) / 4 * 3;
}

bool
upcr_may_yield (uint64_t start_ns)
{
  if (start_ns < atomic_load_explicit (&avoid_until_ns, memory_order_relaxed))
    return false;
  if (begin_reading (start_ns))
    end_reading ();
  return true;
}

/* Each time that the other program turns out to be still there the run avoids yields for
   twice as long. */
static void
avoid_yields (uint64_t now_ns)
{
  uint64_t ns = atomic_load_explicit (&avoidance_ns, memory_order_relaxed);

  atomic_store_explicit (&avoid_until_ns, now_ns + ns, memory_order_relaxed);
  if (ns < LONGEST_AVOIDANCE_NS)
    atomic_store_explicit (&avoidance_ns, ns * 2, memory_order_relaxed);
}

/* As long without an alarm as there was one before: the next one is a new one. */
static void
forget_avoidance (uint64_t now_ns)
{
  uint64_t until_ns = atomic_load_explicit (&avoid_until_ns, memory_order_relaxed);

  if (until_ns == 0
      || now_ns < until_ns + atomic_load_explicit (&avoidance_ns, memory_order_relaxed))
    return;
  atomic_store_explicit (&avoid_until_ns, 0, memory_order_relaxed);
  atomic_store_explicit (&avoidance_ns, SHORTEST_AVOIDANCE_NS, memory_order_relaxed);
}

/* Of several threads that come back at a time one judges. */
bool
upcr_was_yield_useful (uint64_t start_ns, uint64_t end_ns)
{
  if (end_ns - start_ns < LONG_YIELD_NS)
    {
      forget_avoidance (end_ns);
      return true;
    }
  if (begin_reading (end_ns))
    {
      if (was_lost (start_ns, end_ns))
        avoid_yields (end_ns);
      end_reading ();
    }
  return end_ns >= atomic_load_explicit (&avoid_until_ns, memory_order_relaxed);
}
