/* Two threads that have been put on one CPU by force, and may use more: the barrier parts
   them, and they may use what they could before. */

#include "tests/unit/upc_threads.h"

#include <sched.h>

enum
{
  ROUNDS = 10
};

static cpu_set_t before;
static _Atomic int cpus[2];

static void
go_to_cpu (int cpu)
{
  cpu_set_t one;

  CPU_ZERO (&one);
  CPU_SET (cpu, &one);
  CHECK (sched_setaffinity (0, sizeof one, &one) == 0);
}

static int
first_cpu (void)
{
  int cpu = 0;

  while (!CPU_ISSET (cpu, &before))
    cpu++;
  return cpu;
}

/* As long as it takes: how soon is a question for the benchmarks. */
static void
meet_until_apart (void)
{
  cpu_set_t after;

  go_to_cpu (first_cpu ());
  barrier ();
  CHECK (sched_setaffinity (0, sizeof before, &before) == 0);
  do
    {
      barrier ();
      cpus[MYTHREAD] = sched_getcpu ();
      barrier ();
    }
  while (cpus[0] == cpus[1]);
  CHECK (sched_getaffinity (0, sizeof after, &after) == 0 && CPU_EQUAL (&after, &before));
}

static void
meet_again_and_again (void)
{
  for (int i = 0; i < ROUNDS; i++)
    meet_until_apart ();
}

static void
threads_part (void **state)
{
  (void) state;
  assert_int_equal (sched_getaffinity (0, sizeof before, &before), 0);
  if (CPU_COUNT (&before) < 2)
    skip ();
  expect_good (2, 0, meet_again_and_again);
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (threads_part) };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
