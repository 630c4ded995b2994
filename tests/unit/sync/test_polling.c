/* Threads that poll are told from those that compute, also where they seldom get a CPU. */

#include "tests/unit/sync/threads.h"

#include "runtime/diag/diag.h"
#include "tests/unit/sync/kernel.h"

#define MS 1000000ull

/* Thread 0 reports, thread 1 polls, thread 2 computes. */
enum
{
  POLLS = 1,
  COMPUTES = 2,
  LOOP_STATES = 9
};

static uint64_t now_ns, round_ns;
static int rounds, rounds_per_slice;
static struct upcr_sample given[3];

static uint64_t
fake_now (void)
{
  return now_ns;
}

/* The threads have a CPU in one of ROUNDS_PER_SLICE rounds. */
static bool
take_samples (void)
{
  bool has_run = ++rounds % rounds_per_slice == 0;

  now_ns += round_ns;
  for (int t = 0; t < THREADS; t++)
    given[t].is_given = true;
  given[POLLS].state = has_run ? 1 + rounds / rounds_per_slice % LOOP_STATES : 0;
  given[COMPUTES].state = has_run ? 1000 + rounds : 0;
  return true;
}

static void
release_samples (void)
{
}

static const struct upcr_sample *
sample_of (int index)
{
  return &given[index];
}

/* The samples are the test's. */
#define upcr_samples_take take_samples
#define upcr_samples_release release_samples
#define upcr_sample_of sample_of
#include "runtime/sync/diagnosis/polling.c"

static int
set_up (void **state)
{
  struct upcr_kernel fake = upcr_kernel;

  (void) state;
  fake.now_ns = fake_now;
  replace_kernel (fake);
  THREADS = 3;
  upcr_in_upc_thread = true;
  now_ns = 1000 * MS;
  rounds = 0;
  return 0;
}

static void
expect_polling (void)
{
  struct upcr_polling polling;

  upcr_polling_watch ();
  assert_false (upcr_is_polling (0, &polling));
  assert_true (upcr_is_polling (POLLS, &polling));
  assert_false (upcr_is_polling (COMPUTES, &polling));
}

static void
loop_comes_back_to_its_states (void **state)
{
  (void) state;
  rounds_per_slice = 1;
  round_ns = MS;
  expect_polling ();
  assert_true (rounds <= 24);
}

static void
slow_rounds_do_not_hide_it (void **state)
{
  (void) state;
  rounds_per_slice = 1;
  round_ns = 40 * MS;
  expect_polling ();
}

static void
rounds_without_a_cpu_do_not_count (void **state)
{
  (void) state;
  rounds_per_slice = 6;
  round_ns = 5 * MS;
  expect_polling ();
}

static void
it_ends_where_threads_get_no_cpu (void **state)
{
  struct upcr_polling polling;

  (void) state;
  rounds_per_slice = 1000000;
  round_ns = 100 * MS;
  upcr_polling_watch ();
  assert_false (upcr_is_polling (POLLS, &polling));
  assert_true (now_ns <= 5000 * MS);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (loop_comes_back_to_its_states, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (slow_rounds_do_not_hide_it, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (rounds_without_a_cpu_do_not_count, set_up, restore_kernel),
    cmocka_unit_test_setup_teardown (it_ends_where_threads_get_no_cpu, set_up, restore_kernel),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
