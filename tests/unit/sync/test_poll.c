/* Loops that wait without the runtime: they give the CPU away where threads exceed CPUs,
   and only there; reads that find something new are no such loop. */

#include "tests/unit/sync/kernel.h"
#include "tests/unit/sync/threads.h"

static int yields;

static void
count_yield (void)
{
  yields++;
}

static int
set_up (void **state)
{
  struct upcr_kernel fake = upcr_kernel;

  (void) state;
  fake.yield = count_yield;
  replace_kernel (fake);
  THREADS = 4;
  upcr_sync_init (THREADS, CPUS);
  yields = 0;
  return 0;
}

enum
{
  TURNS = 1000
};
static const char place[64];

static void
loop_of_one_flag_yields (void **state)
{
  (void) state;
  for (int i = 0; i < TURNS; i++)
    upcr_strict_read_at (&place[0], 7);
  assert_in_range (yields, TURNS / 20, TURNS / 2);
}

/* Several flags, each read at its place or all at one. */
static void
loop_of_many_flags_yields (void **state)
{
  (void) state;
  for (int i = 0; i < TURNS; i++)
    upcr_strict_read_at (&place[i % 3 * 5], i % 3);
  assert_in_range (yields, TURNS / 20, TURNS / 2);
}

static void
reads_of_new_values_do_not_yield (void **state)
{
  (void) state;
  for (int i = 0; i < TURNS; i++)
    upcr_strict_read_at (&place[0], i);
  assert_int_equal (yields, 0);
}

/* A flag that is found as awaited after a few looks. */
static void
short_waits_do_not_yield (void **state)
{
  (void) state;
  for (int i = 0; i < TURNS; i++)
    upcr_strict_read_at (&place[0], i / 4);
  assert_int_equal (yields, 0);
}

/* Answers that take longer than a loop is waited for at first, but come without a yield. */
static void
answers_of_running_threads_are_awaited (void **state)
{
  (void) state;
  for (int i = 0; i < 20 * TURNS; i++)
    upcr_strict_read_at (&place[0], i / 50);
  yields = 0;
  for (int i = 0; i < 20 * TURNS; i++)
    upcr_strict_read_at (&place[0], i / 50);
  assert_int_equal (yields, 0);
  for (int i = 0; i < TURNS; i++)
    upcr_strict_read_at (&place[0], 0);
  assert_in_range (yields, TURNS / 20, TURNS / 2);
}

static void
fences_yield_now_and_then (void **state)
{
  (void) state;
  for (int i = 0; i < TURNS; i++)
    upcr_fence ();
  assert_in_range (yields, 1, TURNS / 10);
}

static void
polls_yield_now_and_then (void **state)
{
  (void) state;
  for (int i = 0; i < TURNS; i++)
    upcr_poll ();
  assert_in_range (yields, TURNS / 64, TURNS / 8);
}

static _Alignas(UPCR_LOCK_BYTES) char lock[UPCR_LOCK_BYTES];
#define LOCK ((struct upcr_lock *) lock)

static void
failed_attempts_yield (void **state)
{
  (void) state;
  upcr_lock_init (LOCK, (struct upcr_lock_origin){ 0 });
  upcr_lock_acquire (LOCK);
  MYTHREAD = 1;
  for (int i = 0; i < TURNS; i++)
    assert_false (upcr_lock_try (LOCK));
  MYTHREAD = 0;
  upcr_lock_release (LOCK);
  assert_in_range (yields, TURNS / 20, TURNS / 2);
}

static void
enough_cpus_cost_no_call (void **state)
{
  (void) state;
  upcr_wait_policy_set_cpus (4);
  upcr_lock_init (LOCK, (struct upcr_lock_origin){ 0 });
  upcr_lock_acquire (LOCK);
  MYTHREAD = 1;
  for (int i = 0; i < TURNS; i++)
    {
      upcr_poll ();
      upcr_fence ();
      assert_false (upcr_lock_try (LOCK));
    }
  MYTHREAD = 0;
  assert_false (upcr_is_oversubscribed ());
  assert_int_equal (yields, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (loop_of_one_flag_yields, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (loop_of_many_flags_yields, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (reads_of_new_values_do_not_yield, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (short_waits_do_not_yield, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (answers_of_running_threads_are_awaited, set_up,
                                     restore_kernel),
    cmocka_unit_test_setup_teardown (fences_yield_now_and_then, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (polls_yield_now_and_then, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (failed_attempts_yield, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (enough_cpus_cost_no_call, set_up, restore_kernel),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
