/* Yields that took long: other programs had the CPU, or other threads of the run. */

#include "runtime/sync/policy/preemption.h"
#include "tests/unit/sync/kernel.h"
#include "tests/unit/sync/threads.h"

#define MS 1000000ull

static uint64_t now_ns, used_ns;
static int yields, sleeps;
static _Atomic uint32_t word;

static uint64_t
fake_used (uint64_t *then_ns)
{
  *then_ns = now_ns;
  return used_ns;
}

/* The process has used all the time that has passed. */
static uint64_t
all_used (uint64_t *then_ns)
{
  return *then_ns = now_ns;
}

static uint64_t
fake_now (void)
{
  return now_ns;
}

static void
slow_yield (void)
{
  yields++;
  now_ns += 3 * MS;
}

static int
fake_wait (_Atomic uint32_t *slept_on, uint32_t seen, const struct timespec *limit)
{
  (void) limit;
  sleeps++;
  atomic_store (slept_on, seen + 1);
  return 0;
}

static int
set_up (void **state)
{
  struct upcr_kernel fake = upcr_kernel;

  (void) state;
  now_ns = 1000 * MS;
  fake.now_ns = fake.coarse_now_ns = fake_now;
  fake.used_ns = fake_used;
  fake.yield = slow_yield;
  fake.futex_wait = fake_wait;
  replace_kernel (fake);
  upcr_sync_init (4, CPUS);
  used_ns = 0;
  yields = sleeps = 0;
  atomic_store (&word, 0);
  return 0;
}

/* A yield of NS in which the process used USED. */
static bool
yield_was_good (uint64_t ns, uint64_t used)
{
  uint64_t start_ns = now_ns;

  assert_true (upcr_may_yield (start_ns));
  now_ns += ns;
  used_ns += used;
  return upcr_was_yield_useful (start_ns, now_ns);
}

static void
other_program_keeps_the_run_from_yields (void **state)
{
  (void) state;
  assert_false (yield_was_good (4 * MS, MS / 10));
  assert_false (upcr_may_yield (now_ns + 90 * MS));
  assert_true (upcr_may_yield (now_ns + 110 * MS));
}

/* Work of a thread in turn with this one, for as long as it likes. */
static void
work_of_the_run_does_not (void **state)
{
  (void) state;
  for (int i = 0; i < 100; i++)
    assert_true (yield_was_good ((i + 2) * MS, (i + 2) * MS));
}

static void
quick_yields_do_not (void **state)
{
  (void) state;
  for (int i = 0; i < 10000; i++)
    assert_true (yield_was_good (MS / 1000, 0));
}

/* What was used before the yield is not what it gave. */
static void
use_before_the_yield_does_not_count (void **state)
{
  (void) state;
  assert_true (yield_was_good (MS / 100, MS / 100));
  now_ns += 100 * MS;
  used_ns += 200 * MS;
  assert_false (yield_was_good (4 * MS, 0));
}

/* Another thread reads what the process used while this one has yielded. */
static void
reading_in_a_yield_does_not_shorten_it (void **state)
{
  uint64_t start_ns = now_ns;

  (void) state;
  assert_true (upcr_may_yield (now_ns));
  now_ns += 4 * MS;
  used_ns += 4 * MS;
  assert_true (upcr_may_yield (now_ns));
  now_ns += 2 * MS;
  used_ns += 2 * MS;
  assert_true (upcr_was_yield_useful (start_ns, now_ns));
}

static uint64_t
end_of_avoidance (void)
{
  uint64_t ns = now_ns;

  while (!upcr_may_yield (ns))
    ns += MS;
  return ns;
}

static void
program_that_stays_is_met_ever_more_rarely (void **state)
{
  uint64_t before_ms = 0;

  (void) state;
  for (int i = 0; i < 3; i++)
    {
      uint64_t begin_ns, ms;

      assert_false (yield_was_good (4 * MS, 0));
      begin_ns = now_ns;
      now_ns = end_of_avoidance ();
      ms = (now_ns - begin_ns) / MS;
      assert_true (ms > before_ms);
      before_ms = ms;
    }
}

static void
program_that_went_is_forgotten (void **state)
{
  uint64_t first_ns = 0, later_ns;

  (void) state;
  for (int i = 0; i < 4; i++)
    {
      assert_false (yield_was_good (4 * MS, 0));
      first_ns = i == 0 ? end_of_avoidance () - now_ns : first_ns;
      now_ns = end_of_avoidance ();
    }
  for (int i = 0; i < 5000; i++)
    {
      now_ns += MS;
      assert_true (yield_was_good (1000, 1000));
    }
  assert_false (yield_was_good (4 * MS, 0));
  later_ns = end_of_avoidance () - now_ns;
  assert_int_equal (later_ns, first_ns);
}

/* All sleep at once while the other program is there. */
static void
waits_sleep_beside_it (void **state)
{
  (void) state;
  upcr_park_while (&word, 0);
  assert_int_equal (yields, 1);
  assert_int_equal (sleeps, 1);
  upcr_park_while (&word, 1);
  assert_int_equal (yields, 1);
  assert_int_equal (sleeps, 2);
}

static void
waits_for_busy_threads_yield_on (void **state)
{
  (void) state;
  upcr_kernel.used_ns = all_used;
  upcr_park_while (&word, 0);
  assert_int_equal (yields, upcr_wait_policy ()->yields);
  assert_int_equal (sleeps, 1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (other_program_keeps_the_run_from_yields, set_up,
                                     restore_kernel),
    cmocka_unit_test_setup_teardown (work_of_the_run_does_not, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (quick_yields_do_not, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (use_before_the_yield_does_not_count, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (reading_in_a_yield_does_not_shorten_it, set_up,
                                     restore_kernel),
    cmocka_unit_test_setup_teardown (program_that_stays_is_met_ever_more_rarely, set_up,
                                     restore_kernel),
    cmocka_unit_test_setup_teardown (program_that_went_is_forgotten, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (waits_sleep_beside_it, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (waits_for_busy_threads_yield_on, set_up, restore_kernel),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
