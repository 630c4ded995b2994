/* Locks: they exclude, an attempt never waits, the head of the queue is not
   starved, no wake-up is lost, misuse is named. */

#include "runtime/sync/mechanism/kernel.h"
#include "tests/unit/sync/threads.h"

#include <errno.h>
#include <stdalign.h>

static alignas (UPCR_LOCK_BYTES) char memory[2][UPCR_LOCK_BYTES];
#define LOCK ((struct upcr_lock *) memory[0])
#define OTHER_LOCK ((struct upcr_lock *) memory[1])

static int
new_locks (void **state)
{
  (void) state;
  THREADS = 4;
  MYTHREAD = 0;
  upcr_sync_init (THREADS, CPUS);
  upcr_lock_init (LOCK, (struct upcr_lock_origin){ 0 });
  upcr_lock_init (OTHER_LOCK, (struct upcr_lock_origin){ 0 });
  return 0;
}

/* Plain on purpose: the lock alone must order it. */
static long counter;

static long
rounds (void)
{
  return 20000 / THREADS;
}

static void
count (void)
{
  for (long i = 0; i < rounds (); i++)
    {
      upcr_lock_acquire (LOCK);
      counter++;
      upcr_lock_release (LOCK);
    }
}

static void
count_by_attempts (void)
{
  for (long i = 0; i < rounds (); i++)
    {
      if (i % 2)
        upcr_lock_acquire (LOCK);
      else
        while (!upcr_lock_try (LOCK))
          sched_yield ();
      counter++;
      upcr_lock_release (LOCK);
    }
}

/* A holder that loses its CPU: the others go to sleep. */
static void
count_with_pauses (void)
{
  unsigned random = MYTHREAD;

  for (long i = 0; i < rounds () / 50; i++)
    {
      upcr_lock_acquire (LOCK);
      if (next_random (&random) % 8 == 0)
        sleep_us (20);
      counter++;
      upcr_lock_release (LOCK);
      if (next_random (&random) % 8 == 0)
        sleep_us (20);
    }
}

static void
check_count (void (*body) (void), long divisor)
{
  static const int sizes[] = { 1, 2, 3, 4, 8, 64, 256 };

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      counter = 0;
      run_threads (sizes[i], body);
      assert_int_equal (counter, rounds () / divisor * THREADS);
    }
}

static void
one_holder_at_a_time (void **state)
{
  (void) state;
  check_count (count, 1);
}

static void
one_holder_with_attempts (void **state)
{
  (void) state;
  check_count (count_by_attempts, 1);
}

static void
one_holder_that_sleeps (void **state)
{
  (void) state;
  check_count (count_with_pauses, 50);
}

static int
never_wait (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit)
{
  (void) limit;
  (void) word;
  (void) seen;
  fail_msg ("an attempt slept");
  return 0;
}

static void
attempt_never_waits (void **state)
{
  struct upcr_kernel real = upcr_kernel;

  (void) state;
  upcr_lock_acquire (LOCK);
  upcr_kernel.futex_wait = never_wait;
  MYTHREAD = 1;
  for (int i = 0; i < 100; i++)
    assert_false (upcr_lock_try (LOCK));
  MYTHREAD = 0;
  upcr_lock_release (LOCK);
  MYTHREAD = 1;
  assert_true (upcr_lock_try (LOCK));
  upcr_lock_release (LOCK);
  upcr_kernel = real;
}

/* The simulated kernel plays thread 0, which holds the lock, while thread 1 is on
   its way to sleep. */
static int sleeps, wakes, taken_again;

static int
count_wake (_Atomic uint32_t *word, int threads)
{
  (void) word;
  assert_int_equal (threads, 1);
  wakes++;
  return 0;
}

static int
release_and_retake (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit)
{
  if (limit)
    return ETIMEDOUT;
  sleeps++;
  MYTHREAD = 0;
  if (sleeps == 1 || taken_again == sleeps - 1)
    {
      upcr_lock_release (LOCK);
      taken_again += upcr_lock_try (LOCK);
    }
  MYTHREAD = 1;
  return atomic_load (word) == seen ? 0 : EAGAIN;
}

static void
waiter_is_not_starved (void **state)
{
  struct upcr_kernel real = upcr_kernel;

  (void) state;
  sleeps = wakes = taken_again = 0;
  upcr_kernel.futex_wait = release_and_retake;
  upcr_kernel.futex_wake = count_wake;
  upcr_lock_acquire (LOCK);
  MYTHREAD = 1;
  upcr_lock_acquire (LOCK);
  upcr_kernel = real;
  assert_in_range (taken_again, 1, 8);
  assert_int_equal (wakes, sleeps);
  upcr_lock_release (LOCK);
  upcr_lock_destroy (LOCK, "upc_lock_free");
}

static int
release_once (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit)
{
  if (limit)
    return ETIMEDOUT;
  MYTHREAD = 0;
  if (sleeps++ == 2)
    upcr_lock_release (LOCK);
  MYTHREAD = 1;
  return atomic_load (word) == seen ? 0 : EAGAIN;
}

/* Spurious wake-ups first; then the release must call the kernel. */
static void
release_wakes_who_is_about_to_sleep (void **state)
{
  struct upcr_kernel real = upcr_kernel;

  (void) state;
  sleeps = wakes = 0;
  upcr_kernel.futex_wait = release_once;
  upcr_kernel.futex_wake = count_wake;
  upcr_lock_acquire (LOCK);
  MYTHREAD = 1;
  upcr_lock_acquire (LOCK);
  upcr_kernel = real;
  assert_int_equal (sleeps, 3);
  assert_int_equal (wakes, 1);
  upcr_lock_release (LOCK);
}

/* Threads that want nothing but the lock go on until each has had a share of it. What is
   bounded is how often the others may have it meanwhile, not the time: a thread that
   the system does not run asks for nothing. */
enum
{
  SHARE = 10,
  MOST_TURNS = 100000000
};
static _Atomic long taken[UPCR_MAX_THREADS], turns;

static bool
all_have_shares (void)
{
  for (int t = 0; t < THREADS; t++)
    if (atomic_load (&taken[t]) < SHARE)
      return false;
  return true;
}

static void
hammer (void)
{
  atomic_store (&taken[MYTHREAD], 0);
  atomic_store (&turns, 0);
  upcr_barrier (UPCR_NO_ID);
  while (!all_have_shares () && atomic_fetch_add (&turns, 1) < MOST_TURNS)
    {
      upcr_lock_acquire (LOCK);
      atomic_fetch_add (&taken[MYTHREAD], 1);
      upcr_lock_release (LOCK);
    }
}

static void
each_thread_gets_a_share (void **state)
{
  (void) state;
  for (int n = 2; n <= 64; n *= 2)
    {
      run_threads (n, hammer);
      assert_true (all_have_shares ());
    }
}

static void
freeing_a_held_lock_succeeds (void **state)
{
  (void) state;
  upcr_lock_acquire (LOCK);
  upcr_lock_destroy (LOCK, "upc_lock_free");
  upcr_lock_init (LOCK, (struct upcr_lock_origin){ 0 });
  upcr_lock_acquire (LOCK);
  upcr_lock_release (LOCK);
}

static void
lock_twice (void)
{
  at ("l.upc", 3);
  upcr_lock_acquire (LOCK);
  upcr_lock_acquire (LOCK);
}

static void
attempt_by_holder (void)
{
  upcr_lock_acquire (LOCK);
  upcr_lock_try (LOCK);
}

static void
unlock_free (void)
{
  upcr_lock_release (LOCK);
}

static void
unlock_of_another (void)
{
  if (MYTHREAD == 1)
    upcr_lock_acquire (LOCK);
  upcr_barrier (UPCR_NO_ID);
  if (MYTHREAD == 0)
    upcr_lock_release (LOCK);
  upcr_barrier (UPCR_NO_ID);
}

static void
wrong_use_by_threads (void **state)
{
  (void) state;
  expect_fatal (1, lock_twice,
                "l.upc:3: error: thread 0: upc_lock: this thread already holds the lock\n");
  expect_fatal (1, attempt_by_holder,
                "prog: error: thread 0: upc_lock_attempt: this thread already holds the lock\n");
  expect_fatal (1, unlock_free, "prog: error: thread 0: upc_unlock: no thread holds the lock\n");
  expect_fatal (2, unlock_of_another,
                "prog: error: thread 0: upc_unlock: thread 1 holds the lock\n");
}

static void
lock_zeros (void)
{
  memset (memory[0], 0, UPCR_LOCK_BYTES);
  upcr_lock_acquire (LOCK);
}

static void
attempt_ones (void)
{
  memset (memory[0], 0xff, UPCR_LOCK_BYTES);
  upcr_lock_try (LOCK);
}

static void
unlock_text (void)
{
  strcpy (memory[0], "no lock at all");
  upcr_lock_release (LOCK);
}

static void
free_zeros (void)
{
  memset (memory[0], 0, UPCR_LOCK_BYTES);
  upcr_lock_destroy (LOCK, "upc_lock_free");
}

static void
what_is_no_lock (void **state)
{
  (void) state;
  expect_fatal (1, lock_zeros, "prog: error: thread 0: upc_lock: not a lock\n");
  expect_fatal (1, attempt_ones, "prog: error: thread 0: upc_lock_attempt: not a lock\n");
  expect_fatal (1, unlock_text, "prog: error: thread 0: upc_unlock: not a lock\n");
  expect_fatal (1, free_zeros, "prog: error: thread 0: upc_lock_free: not a lock\n");
}

static void
lock_freed (void)
{
  upcr_lock_destroy (LOCK, "upc_lock_free");
  upcr_lock_acquire (LOCK);
}

static void
attempt_freed (void)
{
  upcr_lock_destroy (LOCK, "upc_lock_free");
  upcr_lock_try (LOCK);
}

static void
unlock_freed_by_another (void)
{
  if (MYTHREAD == 0)
    upcr_lock_acquire (LOCK);
  upcr_barrier (UPCR_NO_ID);
  if (MYTHREAD == 1)
    upcr_lock_destroy (LOCK, "upc_lock_free");
  upcr_barrier (UPCR_NO_ID);
  if (MYTHREAD == 0)
    upcr_lock_release (LOCK);
  upcr_barrier (UPCR_NO_ID);
}

static void
free_freed (void)
{
  upcr_lock_destroy (LOCK, "upc_lock_free");
  upcr_lock_destroy (LOCK, "upc_lock_free");
}

static void
what_was_freed (void **state)
{
  (void) state;
  expect_fatal (1, lock_freed, "prog: error: thread 0: upc_lock: the lock was freed\n");
  expect_fatal (1, attempt_freed, "prog: error: thread 0: upc_lock_attempt: the lock was freed\n");
  expect_fatal (2, unlock_freed_by_another,
                "prog: error: thread 0: upc_unlock: the lock was freed\n");
  expect_fatal (1, free_freed, "prog: error: thread 0: upc_lock_free: the lock was freed\n");
}

/* Thread 0 holds the lock and frees it once thread 1 sleeps on it. */
static int (*real_wait) (_Atomic uint32_t *, uint32_t, const struct timespec *);
static atomic_bool about_to_sleep;

static int
tell_and_wait (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit)
{
  atomic_store (&about_to_sleep, true);
  return real_wait (word, seen, limit);
}

static void
free_while_waited_for (void)
{
  if (MYTHREAD == 1)
    {
      while (upcr_lock_try (OTHER_LOCK))
        {
          upcr_lock_release (OTHER_LOCK);
          sched_yield ();
        }
      upcr_lock_acquire (LOCK);
    }
  upcr_lock_acquire (LOCK);
  upcr_lock_acquire (OTHER_LOCK);
  while (!atomic_load (&about_to_sleep))
    sched_yield ();
  upcr_lock_destroy (LOCK, "upc_lock_free");
}

static void
free_waited_for (void **state)
{
  (void) state;
  real_wait = upcr_kernel.futex_wait;
  upcr_kernel.futex_wait = tell_and_wait;
  expect_fatal (2, free_while_waited_for,
                "prog: error: thread 0: upc_lock_free: thread 1 waits for the lock\n");
  upcr_kernel.futex_wait = real_wait;
}

static void
free_held (void)
{
  if (MYTHREAD == 2)
    upcr_lock_acquire (LOCK);
  upcr_barrier (UPCR_NO_ID);
  if (MYTHREAD == 1)
    upcr_lock_destroy (LOCK, "upc_lock_free");
  upcr_barrier (UPCR_NO_ID);
}

static void
check_forbids_freeing_a_held_lock (void **state)
{
  (void) state;
  upcr_options.check = true;
  expect_fatal (3, free_held, "prog: error: thread 1: upc_lock_free: thread 2 holds the lock\n");
  upcr_options.check = false;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (one_holder_at_a_time, new_locks),
    cmocka_unit_test_setup (one_holder_with_attempts, new_locks),
    cmocka_unit_test_setup (one_holder_that_sleeps, new_locks),
    cmocka_unit_test_setup (attempt_never_waits, new_locks),
    cmocka_unit_test_setup (waiter_is_not_starved, new_locks),
    cmocka_unit_test_setup (release_wakes_who_is_about_to_sleep, new_locks),
    cmocka_unit_test_setup (each_thread_gets_a_share, new_locks),
    cmocka_unit_test_setup (freeing_a_held_lock_succeeds, new_locks),
    cmocka_unit_test_setup (wrong_use_by_threads, new_locks),
    cmocka_unit_test_setup (what_is_no_lock, new_locks),
    cmocka_unit_test_setup (what_was_freed, new_locks),
    cmocka_unit_test_setup (free_waited_for, new_locks),
    cmocka_unit_test_setup (check_forbids_freeing_a_held_lock, new_locks),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
