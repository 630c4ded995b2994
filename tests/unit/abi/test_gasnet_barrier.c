/* GASNet's barrier: with and without ids, by wait and by try; what ends the run. */

#include "tests/unit/coll/collective.h"

static int arrived[5];

static void
phases (void)
{
  for (int round = 0; round < 200; round++)
    {
      int flags = round % 3 ? 0 : GASNET_BARRIERFLAG_ANONYMOUS, tries = 0;

      maybe_late (round);
      __atomic_store_n (&arrived[MYTHREAD], round, __ATOMIC_RELAXED);
      gasnet_barrier_notify (round, flags);
      if (round % 2)
        CHECK (gasnet_barrier_wait (round, flags) == GASNET_OK);
      else
        while (gasnet_barrier_try (round, flags) != GASNET_OK)
          tries++;
      for (int t = 0; t < THREADS; t++)
        CHECK (__atomic_load_n (&arrived[t], __ATOMIC_RELAXED) >= round);
    }
}

/* Thread 1 comes when thread 0 has tried. */
static void
not_ready (void)
{
  static _Atomic int tried;

  if (MYTHREAD == 0)
    {
      gasnet_barrier_notify (7, 0);
      CHECK (gasnet_barrier_try (7, 0) == GASNET_ERR_NOT_READY);
      tried = 1;
      CHECK (gasnet_barrier_wait (7, 0) == GASNET_OK);
    }
  else
    {
      while (!tried)
        sched_yield ();
      gasnet_barrier_notify (7, 0);
      CHECK (gasnet_barrier_wait (7, 0) == GASNET_OK);
    }
}

static void
ids_differ (void)
{
  gasnet_barrier_notify (5, 0);
  gasnet_barrier_wait (6, 0);
}

static void
wrong_flags (void)
{
  gasnet_barrier_notify (0, 4);
}

static void
wait_alone (void)
{
  gasnet_barrier_try (0, 0);
}

static void
test_barrier (void **state)
{
  (void) state;
  expect_good (1, 0, phases);
  expect_good (2, 0, phases);
  expect_good (5, 0, phases);
  expect_good (2, 0, not_ready);
}

static void
test_misuse (void **state)
{
  (void) state;
  expect_threads (
      1, 0, ids_differ, 1,
      "prog: error: thread 0: upc_wait: id 6 differs from the id 5 that thread 0 gave to upc_notify\n");
  expect_threads (
      1, 0, wrong_flags, 1,
      "prog: error: thread 0: gasnet_barrier_notify: flags are 4, not 0 or GASNET_BARRIERFLAG_ANONYMOUS\n");
  expect_threads (1, 0, wait_alone, 1, "prog: error: thread 0: upc_wait without upc_notify\n");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_barrier),
    cmocka_unit_test (test_misuse),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
