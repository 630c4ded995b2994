/* The split-phase barrier: it separates, it overlaps, it checks ids, it says what
   is used wrongly. */

#include "runtime/sync/primitives/tree.h"
#include "tests/unit/sync/threads.h"

static const int sizes[] = { 1, 2, 3, 4, 8, 9, 64, 65, 256 };

/* Plain on purpose: the barrier alone must order it. */
static int step[UPCR_MAX_THREADS];

static void
run_each_size (void (*body) (void))
{
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    run_threads (sizes[i], body);
}

static int
rounds (void)
{
  return THREADS > 64 ? 10 : THREADS > 8 ? 40 : 1000;
}

static void
require_all_at (int round)
{
  for (int t = 0; t < THREADS; t++)
    REQUIRE (step[t] == round);
}

static void
barrier_body (void)
{
  for (int round = 1; round <= rounds (); round++)
    {
      step[MYTHREAD] = round;
      upcr_barrier (round % 3 ? UPCR_NO_ID : round);
      require_all_at (round);
      upcr_barrier (UPCR_NO_ID);
    }
}

static void
barrier_separates (void **state)
{
  (void) state;
  run_each_size (barrier_body);
}

static void
collective_body (void)
{
  for (int round = 1; round <= rounds (); round++)
    {
      step[MYTHREAD] = round;
      upcr_collective_barrier ("test");
      require_all_at (round);
      upcr_collective_barrier ("test");
    }
}

static void
collective_barrier_separates (void **state)
{
  (void) state;
  run_each_size (collective_body);
}

/* Each thread's own work between notify and wait. */
static int overlap[UPCR_MAX_THREADS];

static void
split_body (void)
{
  unsigned random = MYTHREAD;

  for (int round = 1; round <= rounds (); round++)
    {
      step[MYTHREAD] = round;
      upcr_notify (UPCR_NO_ID);
      overlap[MYTHREAD] = round;
      if (THREADS <= 8 && next_random (&random) % 64 == 0)
        sleep_us (50);
      upcr_wait (UPCR_NO_ID);
      require_all_at (round);
      upcr_notify (UPCR_NO_ID);
      upcr_wait (UPCR_NO_ID);
      for (int t = 0; t < THREADS; t++)
        REQUIRE (overlap[t] == round);
      upcr_barrier (UPCR_NO_ID);
    }
}

static void
work_between_notify_and_wait (void **state)
{
  (void) state;
  run_each_size (split_body);
}

/* Thread 0 notifies and goes on although no one else has arrived yet. */
static atomic_bool thread_0_passed_notify;

static void
late_others (void)
{
  if (MYTHREAD == 0)
    {
      upcr_notify (UPCR_NO_ID);
      atomic_store (&thread_0_passed_notify, true);
      upcr_wait (UPCR_NO_ID);
    }
  else
    {
      while (!atomic_load (&thread_0_passed_notify))
        sleep_us (100);
      upcr_barrier (UPCR_NO_ID);
    }
}

static void
notify_does_not_wait (void **state)
{
  (void) state;
  atomic_store (&thread_0_passed_notify, false);
  run_threads (4, late_others);
}

/* Every mixture of given and missing ids that agrees, the extreme ids too. */
static void
right_ids (void)
{
  static const int values[] = { 0, 1, -1, INT_MAX, INT_MIN + 1, 42 };

  for (int round = 0; round < 600; round++)
    {
      int id = values[round % 6];
      int mine = (round + MYTHREAD) % 3 ? id : UPCR_NO_ID;

      if (round % 2)
        upcr_barrier (mine);
      else
        {
          upcr_notify (mine);
          upcr_wait (MYTHREAD % 2 ? id : UPCR_NO_ID);
        }
      if (round % 5 == 0)
        {
          upcr_notify (UPCR_NO_ID);
          /* No id was given to upc_notify, so any will do here. */
          upcr_wait (round + MYTHREAD);
        }
    }
}

static void
equal_and_missing_ids_pass (void **state)
{
  (void) state;
  for (int n = 3; n <= 8; n++)
    run_threads (n, right_ids);
  run_threads (64, right_ids);
}

/* Runs BODY where the test can tell who reports: thread 0 stays out of it. */
static void
thread_0_never_waits (int id)
{
  upcr_notify (id);
  while (1)
    pause ();
}

static void
two_ids (void)
{
  if (MYTHREAD == 0)
    {
      at ("a.upc", 10);
      thread_0_never_waits (1);
    }
  at ("b.upc", 20);
  upcr_barrier (5);
}

static void
two_ids_split (void)
{
  if (MYTHREAD == 0)
    thread_0_never_waits (-7);
  upcr_notify (INT_MAX);
  upcr_wait (INT_MAX);
}

/* Threads 1 and 2 give none; thread 2 reports. */
static void
two_ids_of_four (void)
{
  static const int ids[] = { 3, UPCR_NO_ID, UPCR_NO_ID, 4 };

  at ("c.upc", MYTHREAD + 1);
  if (MYTHREAD != 2)
    thread_0_never_waits (ids[MYTHREAD]);
  upcr_barrier (ids[MYTHREAD]);
}

static void
different_ids_end_the_run (void **state)
{
  (void) state;
  expect_fatal (2, two_ids,
                "b.upc:20: error: thread 1: upc_barrier: the ids differ: "
                "thread 0 gave 1 at a.upc:10, thread 1 gave 5 at b.upc:20\n");
  expect_fatal (2, two_ids_split,
                "prog: error: thread 1: upc_wait: the ids differ: "
                "thread 0 gave -7, thread 1 gave 2147483647\n");
  expect_fatal (4, two_ids_of_four,
                "c.upc:3: error: thread 2: upc_barrier: the ids differ: "
                "thread 0 gave 3 at c.upc:1, thread 3 gave 4 at c.upc:4\n");
}

static void
other_id_at_wait (void)
{
  at ("a.upc", 1 + MYTHREAD);
  upcr_notify (MYTHREAD == 0 ? 11 : UPCR_NO_ID);
  at ("b.upc", 30 + MYTHREAD);
  upcr_wait (MYTHREAD == 1 ? 12 : UPCR_NO_ID);
  upcr_barrier (UPCR_NO_ID);
}

static void
other_id_of_its_own (void)
{
  upcr_notify (1);
  upcr_wait (2);
}

static void
wait_with_another_id_ends_the_run (void **state)
{
  (void) state;
  expect_fatal (2, other_id_at_wait,
                "b.upc:31: error: thread 1: upc_wait: id 12 differs from the id 11 "
                "that thread 0 gave to upc_notify at a.upc:1\n");
  expect_fatal (1, other_id_of_its_own,
                "prog: error: thread 0: upc_wait: id 2 differs from the id 1 "
                "that thread 0 gave to upc_notify\n");
}

/* All threads see it; one says it. */
static void
all_differ (void)
{
  upcr_barrier (MYTHREAD);
}

static void
message_appears_once (void **state)
{
  char text[MESSAGE_BYTES];

  (void) state;
  assert_int_equal (run_child (8, all_differ, text), 1);
  assert_non_null (strstr (text, "thread 0 gave 0, thread 1 gave 1\n"));
  assert_ptr_equal (strchr (text, '\n'), text + strlen (text) - 1);
}

static void
wait_first (void)
{
  at ("m.upc", 7);
  upcr_wait (UPCR_NO_ID);
}

static void
notify_twice (void)
{
  upcr_notify (UPCR_NO_ID);
  upcr_notify (UPCR_NO_ID);
}

static void
barrier_between (void)
{
  upcr_notify (UPCR_NO_ID);
  upcr_barrier (UPCR_NO_ID);
}

static void
wait_twice (void)
{
  upcr_notify (UPCR_NO_ID);
  upcr_wait (UPCR_NO_ID);
  upcr_wait (UPCR_NO_ID);
}

static void
collective_between (void)
{
  upcr_notify (UPCR_NO_ID);
  upcr_collective_barrier ("upc_all_alloc");
}

static void
misuse_ends_the_run (void **state)
{
  (void) state;
  expect_fatal (1, wait_first, "m.upc:7: error: thread 0: upc_wait without upc_notify\n");
  expect_fatal (1, wait_twice, "prog: error: thread 0: upc_wait without upc_notify\n");
  expect_fatal (1, notify_twice,
                "prog: error: thread 0: upc_notify twice without upc_wait between\n");
  expect_fatal (1, barrier_between,
                "prog: error: thread 0: upc_barrier between upc_notify and upc_wait\n");
  expect_fatal (1, collective_between,
                "prog: error: thread 0: upc_all_alloc between upc_notify and upc_wait\n");
}

/* The library's barrier has a state of its own. */
static void
library_inside_program (void)
{
  for (int round = 0; round < 100; round++)
    {
      upcr_collective_barrier ("test");
      upcr_notify (round);
      upcr_wait (round);
      upcr_collective_barrier ("test");
    }
}

static void
both_barriers_alternate (void **state)
{
  (void) state;
  run_threads (4, library_inside_program);
}

static struct upcr_tree tree;
enum
{
  PHASES_AROUND_WRAP = 200
};

static void
wrap_body (void)
{
  upcr_collective_barrier ("test");
  for (int round = 1; round <= PHASES_AROUND_WRAP; round++)
    {
      uint32_t epoch = upcr_tree_epoch (&tree);

      step[MYTHREAD] = round;
      if (upcr_tree_arrive (&tree, epoch))
        upcr_tree_release (&tree, epoch);
      upcr_tree_await (&tree, epoch);
      for (int t = 0; t < THREADS; t++)
        REQUIRE (step[t] >= round);
      upcr_collective_barrier ("test");
    }
}

static void
epoch_wraps (void **state)
{
  static const int threads[] = { 2, 4, 20, 70 };

  (void) state;
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
    {
      upcr_tree_init (&tree, threads[i], UINT32_MAX - PHASES_AROUND_WRAP / 2);
      run_threads (threads[i], wrap_body);
      assert_int_equal (atomic_load (&tree.nodes[0].arrived), PHASES_AROUND_WRAP / 2 - 1);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (barrier_separates),
    cmocka_unit_test (collective_barrier_separates),
    cmocka_unit_test (work_between_notify_and_wait),
    cmocka_unit_test (notify_does_not_wait),
    cmocka_unit_test (equal_and_missing_ids_pass),
    cmocka_unit_test (different_ids_end_the_run),
    cmocka_unit_test (wait_with_another_id_ends_the_run),
    cmocka_unit_test (message_appears_once),
    cmocka_unit_test (misuse_ends_the_run),
    cmocka_unit_test (both_barriers_alternate),
    cmocka_unit_test (epoch_wraps),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
