/* Parking above a kernel that does what the test says: each way to lose a wake-up
   is a step of a plain sequential program here. Then the real kernel. */

#include "tests/unit/sync/kernel.h"
#include "tests/unit/sync/threads.h"

#include <errno.h>

static _Atomic uint32_t word;
static int waits, wakes, yields;
static int change_at_wait, change_at_yield, wait_result;

/* What another thread does to release those that wait for WORD. */
static void
change_word (void)
{
  atomic_store (&word, 1);
  upcr_unpark_all (&word);
}

/* Sleeps like the kernel: not at all when the word is another one already. */
static int
fake_wait (_Atomic uint32_t *slept_on, uint32_t seen, const struct timespec *limit)
{
  (void) limit;
  assert_ptr_equal (slept_on, &word);
  if (++waits == change_at_wait)
    change_word ();
  return atomic_load (slept_on) == seen ? wait_result : EAGAIN;
}

static int
fake_wake (_Atomic uint32_t *slept_on, int threads)
{
  (void) threads;
  assert_ptr_equal (slept_on, &word);
  wakes++;
  return 0;
}

static void
fake_yield (void)
{
  if (++yields == change_at_yield)
    change_word ();
}

/* A thread that loses its CPU in a test must not take that for another program's doing. */
static uint64_t
frozen_clock (void)
{
  return 0;
}

static int
set_up (void **state)
{
  struct upcr_kernel fake = upcr_kernel;

  (void) state;
  fake.now_ns = fake.coarse_now_ns = frozen_clock;
  fake.futex_wait = fake_wait;
  fake.futex_wake = fake_wake;
  fake.yield = fake_yield;
  replace_kernel (fake);
  upcr_sync_init (4, CPUS);
  atomic_store (&word, 0);
  waits = wakes = yields = 0;
  change_at_wait = change_at_yield = wait_result = 0;
  return 0;
}

static void
changed_word_costs_no_call (void **state)
{
  (void) state;
  atomic_store (&word, 7);
  upcr_park_while (&word, 0);
  assert_int_equal (waits + yields, 0);
}

static void
wake_without_sleeper_costs_no_call (void **state)
{
  (void) state;
  change_word ();
  assert_int_equal (wakes, 0);
}

static void
change_before_the_sleep_is_seen (void **state)
{
  (void) state;
  change_at_yield = 1;
  upcr_park_while (&word, 0);
  assert_int_equal (waits, 0);
  assert_int_equal (wakes, 0);
}

/* The race of the lost wake-up: the waiter has looked for the last time and is
   on its way into the kernel. The waker must know of it. */
static void
change_on_the_way_to_sleep_wakes (void **state)
{
  (void) state;
  change_at_wait = 1;
  upcr_park_while (&word, 0);
  assert_int_equal (waits, 1);
  assert_int_equal (wakes, 1);
}

static void
spurious_wake_sleeps_again (void **state)
{
  (void) state;
  change_at_wait = 5;
  upcr_park_while (&word, 0);
  assert_int_equal (waits, 5);
}

static void
interrupted_sleep_sleeps_again (void **state)
{
  (void) state;
  wait_result = EINTR;
  change_at_wait = 3;
  upcr_park_while (&word, 0);
  assert_int_equal (waits, 3);
}

static void
sleepers_are_forgotten (void **state)
{
  (void) state;
  change_at_wait = 1;
  upcr_park_while (&word, 0);
  wakes = 0;
  change_word ();
  assert_int_equal (wakes, 0);
}

static void
more_threads_than_cpus_do_not_spin (void **state)
{
  (void) state;
  assert_int_equal (upcr_wait_policy ()->spins, 0);
  upcr_sync_init (CPUS, CPUS);
  assert_true (upcr_wait_policy ()->spins > 0);
}

static void
spin_budget_is_bounded (void **state)
{
  (void) state;
  change_at_wait = 1;
  upcr_park_while (&word, 0);
  assert_int_equal (yields, upcr_wait_policy ()->yields);
}

static void
wait_of (enum upcr_wait wait, int cpus)
{
  upcr_options.wait = wait;
  upcr_sync_init (4, cpus);
  upcr_options.wait = UPCR_WAIT_ADAPTIVE;
}

/* To yield is to give up the rest of a slice to whatever other program runs. */
static void
spinning_does_not_yield (void **state)
{
  (void) state;
  upcr_sync_init (CPUS, CPUS);
  change_at_wait = 1;
  upcr_park_while (&word, 0);
  assert_int_equal (yields, 0);
  assert_int_equal (waits, 1);
}

static void
sleep_mode_sleeps_at_once (void **state)
{
  (void) state;
  for (int cpus = 2; cpus <= 4; cpus += 2)
    {
      wait_of (UPCR_WAIT_SLEEP, cpus);
      atomic_store (&word, 0);
      waits = 0;
      change_at_wait = 1;
      upcr_park_while (&word, 0);
      assert_int_equal (waits, 1);
      assert_int_equal (yields, 0);
    }
}

static void
spin_mode_never_sleeps (void **state)
{
  (void) state;
  wait_of (UPCR_WAIT_SPIN, 2);
  change_at_yield = upcr_wait_policy ()->yields;
  upcr_park_while (&word, 0);
  assert_int_equal (waits, 0);
  wait_of (UPCR_WAIT_SPIN, 4);
  assert_false (upcr_wait_policy ()->sleeps);
}

static void
change_without_a_wake (void)
{
  if (MYTHREAD == 1)
    upcr_sleep (&word, 0);
  else
    {
      sleep_us (1000);
      atomic_store (&word, 1);
    }
}

/* Nor in the part of a long wait where others do: nobody has to wake it. */
static void
spin_mode_needs_no_wake (void **state)
{
  (void) state;
  upcr_kernel = real_kernel;
  upcr_options.wait = UPCR_WAIT_SPIN;
  run_threads (2, change_without_a_wake);
  upcr_options.wait = UPCR_WAIT_ADAPTIVE;
}

/* As taskset or a new quota changes it while the program runs. */
static void
change_of_cpus_changes_the_policy (void **state)
{
  (void) state;
  assert_true (__upc_oversubscribed);
  upcr_wait_policy_set_cpus (4);
  assert_false (__upc_oversubscribed);
  assert_true (upcr_wait_policy ()->spins > 0);
  upcr_wait_policy_set_cpus (3);
  assert_true (__upc_oversubscribed);
  assert_int_equal (upcr_wait_policy ()->spins, 0);
}

/* Work appears in the hook's turns 3 and LAST_TURN. */
static int turns, work_done, last_turn;

static bool
count_progress (void)
{
  assert_null (upcr_progress[0].function);
  if (++turns != 3 && turns != last_turn)
    return false;
  work_done++;
  if (turns == last_turn)
    change_word ();
  return true;
}

static void
wait_makes_progress (void **state)
{
  (void) state;
  turns = work_done = 0;
  last_turn = 12;
  upcr_set_progress (count_progress);
  upcr_park_while (&word, 0);
  upcr_set_progress (NULL);
  assert_int_equal (work_done, 2);
  assert_int_equal (waits, 0);
}

static int
broken_wait (_Atomic uint32_t *slept_on, uint32_t seen, const struct timespec *limit)
{
  (void) limit;
  (void) slept_on;
  (void) seen;
  return EINVAL;
}

static void
sleep_on_broken_kernel (void)
{
  upcr_kernel.futex_wait = broken_wait;
  upcr_park_while (&word, 0);
}

static int
broken_wake (_Atomic uint32_t *slept_on, int threads)
{
  (void) slept_on;
  (void) threads;
  return ENOSYS;
}

static void
wake_with_broken_kernel (void)
{
  upcr_kernel.futex_wake = broken_wake;
  upcr_wake (&word, 1);
}

static void
other_results_are_fatal (void **state)
{
  (void) state;
  expect_fatal (1, sleep_on_broken_kernel,
                "prog: error: thread 0: cannot sleep: futex: Invalid argument\n");
  expect_fatal (1, wake_with_broken_kernel,
                "prog: error: thread 0: cannot wake threads: futex: Function not implemented\n");
}

static int
vanished (_Atomic uint32_t *slept_on, int threads)
{
  (void) slept_on;
  (void) threads;
  return EFAULT;
}

static void
memory_gone_before_the_wake_is_fine (void **state)
{
  (void) state;
  upcr_kernel.futex_wake = vanished;
  upcr_wake (&word, 1);
}

enum
{
  ROUNDS = 200
};

/* Plain on purpose: parking alone must order it. */
static int published;

static void
follow_thread_0 (void)
{
  unsigned random = MYTHREAD;

  for (int round = 1; round <= ROUNDS; round++)
    if (MYTHREAD == 0)
      {
        if (next_random (&random) % 2)
          sleep_us (100);
        published = round;
        atomic_store_explicit (&word, round, memory_order_release);
        upcr_unpark_all (&word);
        upcr_collective_barrier ("test");
      }
    else
      {
        upcr_park_while (&word, round - 1);
        REQUIRE (published == round);
        upcr_collective_barrier ("test");
      }
}

static void
real_kernel_wakes_all (void **state)
{
  (void) state;
  upcr_kernel = real_kernel;
  run_threads (8, follow_thread_0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (changed_word_costs_no_call, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (wake_without_sleeper_costs_no_call, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (change_before_the_sleep_is_seen, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (change_on_the_way_to_sleep_wakes, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (spurious_wake_sleeps_again, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (interrupted_sleep_sleeps_again, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (sleepers_are_forgotten, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (more_threads_than_cpus_do_not_spin, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (spin_budget_is_bounded, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (spinning_does_not_yield, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (sleep_mode_sleeps_at_once, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (spin_mode_never_sleeps, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (spin_mode_needs_no_wake, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (change_of_cpus_changes_the_policy, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (wait_makes_progress, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (other_results_are_fatal, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (memory_gone_before_the_wake_is_fine, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (real_kernel_wakes_all, set_up, restore_kernel),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
