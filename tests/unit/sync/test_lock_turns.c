/* Where CPUs are short the owner of a lock ends its turn itself, when others wait: also
   when those that wait never run. */

#include "runtime/sync/crowd.h"
#include "runtime/sync/lock.h"
#include "tests/unit/sync/threads.h"

enum { MOST_TAKES = 10000 };

static struct upcr_lock lock;

/* Takes it until it is promised to another; WAITER is the tail of its queue. */
static int
takes_of_a_turn (int cpus, uint32_t waiter)
{
  int takes = 0;

  THREADS = 4;
  upcr_sync_init (THREADS, cpus);
  upcr_lock_init (&lock);
  atomic_store (&lock.tail, waiter);
  while (takes < MOST_TAKES && upcr_lock_try (&lock))
    {
      upcr_lock_count (&lock);
      upcr_lock_release (&lock);
      takes++;
    }
  return takes;
}

static void
turn_ends_when_others_wait (void **state)
{
  (void) state;
  assert_in_range (takes_of_a_turn (CPUS, 2), 1, MOST_TAKES - 1);
}

static void
turn_does_not_end_when_nobody_waits (void **state)
{
  (void) state;
  assert_int_equal (takes_of_a_turn (CPUS, 0), MOST_TAKES);
}

static void
turn_is_ended_by_the_head_when_it_has_a_cpu (void **state)
{
  (void) state;
  assert_int_equal (takes_of_a_turn (4, 2), MOST_TAKES);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (turn_ends_when_others_wait),
    cmocka_unit_test (turn_does_not_end_when_nobody_waits),
    cmocka_unit_test (turn_is_ended_by_the_head_when_it_has_a_cpu),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
