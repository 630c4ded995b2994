/* Ticks, and how many nanoseconds they are.

   A rate that is measured for a moment is wrong by what reading two clocks costs:
   some parts in ten million, seconds a year. But the kernel has a rate too: it knows
   the counter's frequency in whole kHz, and computes from that, as below, the integers
   by which its vDSO makes nanoseconds of ticks. CLOCK_MONOTONIC_RAW is exactly that
   product. So a measurement need only be good enough to tell one kHz from the next,
   and the rate found is the kernel's, to the last bit: ticks and that clock do not
   drift apart however long the program runs. They lack the corrections of network time that
   other clocks have: an interval has one length.

   Nothing is done before the first call. */

#include "runtime/arch/arch.h"
#include "runtime/host/host.h"
#include "runtime/host/ticks.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

enum
{
  UNKNOWN,
  COUNTER,
  CLOCK
};

/* Both clocks at one moment. */
struct moment
{
  uint64_t ticks;
  uint64_t ns;
};

/* source and rate are each written once: source in `begin`, rate in `calibrate` before
   is_calibrated is set. They are read by threads that see them set. */
static atomic_int source = UNKNOWN;
static struct moment first;
static struct upcr_tick_rate rate;
static atomic_bool is_calibrated;
static pthread_once_t begin_once = PTHREAD_ONCE_INIT;
static pthread_once_t calibrate_once = PTHREAD_ONCE_INIT;

static uint64_t
clock_ns (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return time.tv_sec * 1000000000ul + time.tv_nsec;
}

bool
upcr_ticks_are_counted (const char *clocksource)
{
  static const char wanted[] = UPCR_COUNTER_CLOCKSOURCE;
  char name[sizeof wanted + 8] = "";
  int file;
  ssize_t length;

  if (!upcr_counter_is_invariant ())
    return false;
  file = open (clocksource, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  length = read (file, name, sizeof name - 1);
  close (file);
  name[strcspn (name, "\n")] = '\0';
  return length > 0 && strcmp (name, wanted) == 0;
}

/* The tightest of several readings: a tick is read before and after the clock, which
   stands in the middle unless something came between. */
static struct moment
observe (void)
{
  enum
  {
    READINGS = 64
  };
  struct moment best = { 0, 0 };
  uint64_t width = UINT64_MAX;

  for (int i = 0; i < READINGS; i++)
    {
      uint64_t before = upcr_counter ();
      uint64_t ns = clock_ns (CLOCK_MONOTONIC_RAW);
      uint64_t after = upcr_counter ();

      if (after - before < width)
        {
          width = after - before;
          best = (struct moment){ before + width / 2, ns };
        }
    }
  return best;
}

static void
begin (void)
{
  bool counted = upcr_ticks_are_counted (CLOCKSOURCE);

  if (counted)
    first = observe ();
  atomic_store_explicit (&source, counted ? COUNTER : CLOCK, memory_order_release);
}

/* As clocks_calc_mult_shift of the kernel does it for clock sources: the largest
   shift for which 600 s of ticks times mult fit 64 bits. */
struct upcr_tick_rate
upcr_tick_rate_of_khz (uint64_t khz)
{
  enum
  {
    LONGEST_WAIT_S = 600,
    NS_PER_MS = 1000000
  };
  uint64_t high = khz * LONGEST_WAIT_S * 1000 >> 32;
  unsigned mult_bits = 32;

  for (; high; high >>= 1)
    mult_bits--;
  for (unsigned shift = 32;; shift--)
    {
      uint64_t mult = (((uint64_t) NS_PER_MS << shift) + khz / 2) / khz;

      if (shift == 0 || mult >> mult_bits == 0)
        return (struct upcr_tick_rate){ mult, shift };
    }
}

static double
difference (struct upcr_tick_rate candidate, double khz)
{
  double its_khz = 1e6 * (double) (1ull << candidate.shift) / (double) candidate.mult;

  return its_khz < khz ? khz - its_khz : its_khz - khz;
}

struct upcr_tick_rate
upcr_tick_rate_near (double khz)
{
  uint64_t whole = (uint64_t) (khz + 0.5);
  struct upcr_tick_rate best = upcr_tick_rate_of_khz (whole);

  for (uint64_t other = whole - 1; other <= whole + 1; other++)
    if (difference (upcr_tick_rate_of_khz (other), khz) < difference (best, khz))
      best = upcr_tick_rate_of_khz (other);
  return best;
}

static void
calibrate (void)
{
  struct moment last;
  uint64_t now;

  pthread_once (&begin_once, begin);
  if (atomic_load_explicit (&source, memory_order_acquire) == CLOCK)
    rate = (struct upcr_tick_rate){ 1, 0 };
  else
    {
      while ((now = clock_ns (CLOCK_MONOTONIC_RAW)) - first.ns < UPCR_TICKS_OBSERVED_NS)
        {
          struct timespec rest = { .tv_nsec = first.ns + UPCR_TICKS_OBSERVED_NS - now };

          nanosleep (&rest, NULL);
        }
      last = observe ();
      rate = upcr_tick_rate_near ((double) (last.ticks - first.ticks) * 1e6
                                  / (double) (last.ns - first.ns));
    }
  atomic_store_explicit (&is_calibrated, true, memory_order_release);
}

static __attribute__ ((noinline)) uint64_t
ticks_otherwise (void)
{
  pthread_once (&begin_once, begin);
  return atomic_load_explicit (&source, memory_order_relaxed) == COUNTER
             ? upcr_counter ()
             : clock_ns (CLOCK_MONOTONIC);
}

/* Relaxed: COUNTER says all there is to know. */
uint64_t
upcr_ticks_now (void)
{
  if (__builtin_expect (atomic_load_explicit (&source, memory_order_relaxed) == COUNTER, 1))
    return upcr_counter ();
  return ticks_otherwise ();
}

uint64_t
upcr_ticks_scale (uint64_t ticks, struct upcr_tick_rate r)
{
  unsigned __int128 ns = (unsigned __int128) ticks * r.mult >> r.shift;

  return ns > UINT64_MAX ? UINT64_MAX : (uint64_t) ns;
}

/* Acquire: the rate is there. */
uint64_t
upcr_ticks_to_ns (uint64_t ticks)
{
  if (!atomic_load_explicit (&is_calibrated, memory_order_acquire))
    pthread_once (&calibrate_once, calibrate);
  return upcr_ticks_scale (ticks, rate);
}
