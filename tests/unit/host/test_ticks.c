/* Ticks against the kernel's clock, and the arithmetic of their rate. */

#include "runtime/host/host.h"
#include "runtime/host/ticks.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static uint64_t
clock_ns (void)
{
  struct timespec time;

  clock_gettime (upcr_ticks_are_counted (CLOCKSOURCE) ? CLOCK_MONOTONIC_RAW : CLOCK_MONOTONIC,
                 &time);
  return time.tv_sec * 1000000000ul + time.tv_nsec;
}

/* A tick, the clock's time before it, and how long both readings took. */
struct moment
{
  uint64_t ticks, ns, width;
};

static struct moment
tightest (void)
{
  struct moment best = { .width = UINT64_MAX };

  for (int i = 0; i < 200; i++)
    {
      uint64_t before = clock_ns ();
      uint64_t ticks = upcr_ticks_now ();
      uint64_t after = clock_ns ();

      if (after - before < best.width)
        best = (struct moment){ ticks, before, after - before };
    }
  return best;
}

/* A rate that is wrong by a part in a million would show as 300 ns. */
static void
test_intervals_are_the_clock_s (void **state)
{
  struct moment first, last;
  int64_t ours, theirs, allowed;

  (void) state;
  upcr_ticks_to_ns (upcr_ticks_now ());
  first = tightest ();
  usleep (300000);
  last = tightest ();
  ours = upcr_ticks_to_ns (last.ticks - first.ticks);
  theirs = last.ns - first.ns;
  allowed = first.width + last.width + 50;
  if (ours - theirs > allowed || theirs - ours > allowed)
    fail_msg ("%ld ns in ticks, %ld ns on the clock", (long) ours, (long) theirs);
}

static void
test_conversion_is_a_function_of_the_interval (void **state)
{
  const uint64_t day = 86400ul * 3000000000ul, year = 365 * day;
  uint64_t of_year = upcr_ticks_to_ns (year);

  (void) state;
  assert_int_equal (upcr_ticks_to_ns (0), 0);
  assert_int_equal (upcr_ticks_to_ns (year), of_year);
  /* No more than rounding apart. */
  assert_in_range (of_year - 365 * upcr_ticks_to_ns (day), 0, 365);
  assert_in_range (upcr_ticks_to_ns (100 * year) - 100 * of_year, 0, 100);
  assert_true (upcr_ticks_to_ns (UINT64_MAX) > 100 * of_year);
}

/* What the kernel says of such counters when it starts ("clocksource: tsc: mask …"). */
static void
test_rates_are_the_kernel_s (void **state)
{
  struct upcr_tick_rate rate;

  (void) state;
  rate = upcr_tick_rate_of_khz (1000000);
  assert_int_equal (rate.mult, 1 << 23);
  assert_int_equal (rate.shift, 23);
  rate = upcr_tick_rate_of_khz (2596122);
  assert_int_equal (rate.mult, 6462414);
  assert_int_equal (rate.shift, 24);
  rate = upcr_tick_rate_of_khz (3000000);
  assert_int_equal (rate.mult, 5592405);
  assert_int_equal (rate.shift, 24);
  rate = upcr_tick_rate_of_khz (25000);
  assert_int_equal (rate.mult >> (rate.shift - 3), 320);
}

static void
test_measured_rates_become_exact (void **state)
{
  (void) state;
  for (uint64_t khz = 800000; khz < 5200000; khz += 99991)
    {
      struct upcr_tick_rate wanted = upcr_tick_rate_of_khz (khz);
      double its = 1e6 * (double) (1ul << wanted.shift) / wanted.mult;

      for (double error = -0.15; error < 0.2; error += 0.1)
        {
          struct upcr_tick_rate found = upcr_tick_rate_near (its + error);

          assert_int_equal (found.mult, wanted.mult);
          assert_int_equal (found.shift, wanted.shift);
        }
    }
}

static void
test_scale_rounds_down_and_saturates (void **state)
{
  (void) state;
  assert_int_equal (upcr_ticks_scale (7, (struct upcr_tick_rate){ 1, 1 }), 3);
  assert_int_equal (upcr_ticks_scale (UINT64_MAX, (struct upcr_tick_rate){ 1, 0 }), UINT64_MAX);
  assert_int_equal (upcr_ticks_scale (UINT64_MAX, (struct upcr_tick_rate){ 3, 1 }), UINT64_MAX);
}

static void
test_ticks_never_decrease_across_cpus (void **state)
{
  cpu_set_t allowed, one;
  uint64_t last = upcr_ticks_now ();
  int moves = 0;

  (void) state;
  assert_int_equal (sched_getaffinity (0, sizeof allowed, &allowed), 0);
  for (int round = 0; round < 20; round++)
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
      if (CPU_ISSET (cpu, &allowed))
        {
          CPU_ZERO (&one);
          CPU_SET (cpu, &one);
          if (sched_setaffinity (0, sizeof one, &one) != 0)
            continue;
          moves++;
          for (int i = 0; i < 50; i++)
            {
              uint64_t now = upcr_ticks_now ();

              assert_true (now >= last);
              last = now;
            }
        }
  sched_setaffinity (0, sizeof allowed, &allowed);
  assert_true (moves > 0);
}

static inline void
finish_instructions (void)
{
#ifdef __x86_64__
  __builtin_ia32_lfence ();
#else
  __asm__ volatile("isb" : : : "memory");
#endif
}

/* Two threads in turn: a handover lies between their readings. The counter must not be read
   before the handover is seen. */
enum
{
  TURNS = 2000
};
static _Atomic uint64_t latest;
static _Atomic int turn;
static _Atomic int went_back;

static void *
take_turns (void *argument)
{
  int me = argument != NULL;

  for (int i = 0; i < TURNS; i++)
    {
      while (atomic_load (&turn) != me)
        sched_yield ();
      finish_instructions ();
      uint64_t now = upcr_ticks_now ();
      finish_instructions ();
      if (now < atomic_load (&latest))
        atomic_store (&went_back, 1);
      atomic_store (&latest, now);
      atomic_store (&turn, !me);
    }
  return NULL;
}

static void
test_threads_see_one_time (void **state)
{
  pthread_t other;

  (void) state;
  assert_int_equal (pthread_create (&other, NULL, take_turns, ""), 0);
  take_turns (NULL);
  pthread_join (other, NULL);
  assert_int_equal (went_back, 0);
}

static bool
counted_if_kernel_says (const char *text)
{
  char path[] = "/tmp/upct-clocksource-XXXXXX";
  int file = mkstemp (path);
  bool counted;

  assert_true (file >= 0);
  assert_int_equal (write (file, text, strlen (text)), strlen (text));
  close (file);
  counted = upcr_ticks_are_counted (path);
  unlink (path);
  return counted;
}

static void
test_counter_is_the_kernel_s_choice (void **state)
{
  (void) state;
  assert_false (counted_if_kernel_says ("hpet\n"));
  assert_false (counted_if_kernel_says ("tsc-early\n"));
  assert_false (counted_if_kernel_says (""));
  assert_false (upcr_ticks_are_counted ("/nowhere"));
  assert_true (!upcr_ticks_are_counted (CLOCKSOURCE)
               || counted_if_kernel_says (UPCR_COUNTER_CLOCKSOURCE "\n"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_intervals_are_the_clock_s),
    cmocka_unit_test (test_conversion_is_a_function_of_the_interval),
    cmocka_unit_test (test_rates_are_the_kernel_s),
    cmocka_unit_test (test_measured_rates_become_exact),
    cmocka_unit_test (test_scale_rounds_down_and_saturates),
    cmocka_unit_test (test_ticks_never_decrease_across_cpus),
    cmocka_unit_test (test_threads_see_one_time),
    cmocka_unit_test (test_counter_is_the_kernel_s_choice),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
