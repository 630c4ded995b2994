/* In an oversubscribed run the owner of a lock ends its barging quantum itself, when others
   wait: also when those that wait never run. */

#include "runtime/sync/sync.h"
#include "tests/unit/sync/threads.h"

enum
{
  MOST_ACQUISITIONS = 10000
};

static struct upcr_lock lock;

/* Acquires it until it is to be handed to another; WAITER is the tail of its queue. */
static int
acquisitions_in_a_quantum (int cpus, uint32_t waiter)
{
  int count = 0;

  THREADS = 4;
  upcr_sync_init (THREADS, cpus);
  upcr_lock_init (&lock, (struct upcr_lock_origin){ 0 });
  atomic_store (&lock.tail, waiter);
  while (count < MOST_ACQUISITIONS && upcr_lock_try (&lock))
    {
      upcr_lock_count_acquisition (&lock);
      upcr_lock_release (&lock);
      count++;
    }
  return count;
}

static void
quantum_ends_when_others_wait (void **state)
{
  (void) state;
  assert_in_range (acquisitions_in_a_quantum (CPUS, 2), 1, MOST_ACQUISITIONS - 1);
}

static void
quantum_does_not_end_when_nobody_waits (void **state)
{
  (void) state;
  assert_int_equal (acquisitions_in_a_quantum (CPUS, 0), MOST_ACQUISITIONS);
}

static void
quantum_is_ended_by_the_head_when_it_has_a_cpu (void **state)
{
  (void) state;
  assert_int_equal (acquisitions_in_a_quantum (4, 2), MOST_ACQUISITIONS);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (quantum_ends_when_others_wait),
    cmocka_unit_test (quantum_does_not_end_when_nobody_waits),
    cmocka_unit_test (quantum_is_ended_by_the_head_when_it_has_a_cpu),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
