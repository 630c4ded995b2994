/* The deadlock detector, called as often as can be: thread 0 looks as it
   does when its sleep has lasted for long, again and again, while the others hand a
   token round and sleep in between. There is always one that goes on. */

#include "tests/unit/upc_threads.h"

#include "runtime/sync/diagnosis/deadlock.c"
#include "runtime/sync/diagnosis/proof.c"

/* The kernel's comparison of a word, with a moment before it that is the test's. */
static void (*before_comparison) (void);
static struct upcr_kernel real;

static int
compare_word (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit)
{
  before_comparison ();
  return real.futex_wait (word, seen, limit);
}

enum
{
  LOOKS = 20000
};

static _Atomic uint32_t token;
static _Atomic uint32_t never;
static atomic_bool stop;

static void
look_often (void)
{
  upcr_set_wait_reason ("the test", NULL);
  upcr_sleep_begins (&never, 0);
  for (int i = 0; i < LOOKS; i++)
    detect_deadlock ();
  upcr_sleep_ends ();
  atomic_store (&stop, true);
}

/* Thread I waits for turns I - 1, I - 1 + N, …; whoever has the token ends the others
   too, once it is to. */
static void
hand_on (void)
{
  uint32_t others = THREADS - 1, mine = MYTHREAD - 1;

  upcr_set_wait_reason ("the ring", NULL);
  for (;;)
    {
      uint32_t now = atomic_load (&token);
      if (now == UINT32_MAX)
        return;
      if (now % others != mine)
        {
          upcr_park_while (&token, now);
          continue;
        }
      atomic_store (&token, atomic_load (&stop) ? UINT32_MAX : now + 1);
      upcr_unpark_all (&token);
    }
}

static void
ring (void)
{
  if (MYTHREAD == 0)
    look_often ();
  else
    hand_on ();
}

static void
test_never_said_of_a_run_that_goes_on (void **state)
{
  (void) state;
  upcr_options.wait = UPCR_WAIT_SLEEP;
  for (int threads = 2; threads <= 5; threads++)
    expect_good (threads, 0, ring);
  upcr_options.wait = UPCR_WAIT_ADAPTIVE;
}

/* The same with no one to hand it on. */
static void
stand_still (void)
{
  upcr_set_wait_reason ("the test", NULL);
  upcr_park_while (&never, 0);
}

static void
test_said_when_no_thread_goes_on (void **state)
{
  static const char begin[] = "prog: error: deadlock: thread 0 waits in the test\n"
                              "  threads 0-2: waiting in the test";
  struct child child = run_child (run_upc_threads, &(struct upc_run){ 3, 0, stand_still });

  (void) state;
  assert_memory_equal (child.text, begin, sizeof begin - 1);
  assert_int_equal (child.status, 1);
}

/* Where nobody can count the process's threads. */
static void
stand_still_uncounted (void)
{
  if (MYTHREAD > 0)
    {
      upcr_park_while (&never, 0);
      return;
    }
  process_file = "/proc/none";
  while (!upcr_is_asleep (1))
    upcr_poll ();
  upcr_sleep_begins (&never, 0);
  for (int i = 0; i < LOOKS; i++)
    detect_deadlock ();
  upcr_sleep_ends ();
  atomic_store (&never, 1);
  upcr_unpark_all (&never);
}

static void
test_without_proc_one_line_says_that_it_is_off (void **state)
{
  (void) state;
  expect_threads (
      2, 0, stand_still_uncounted, 0,
      "prog: note: all threads wait: without /proc deadlocks are not told from other waits\n");
}

/* Thread 1 wakes up and goes to sleep again, on a word that is as seen too. */
static atomic_bool is_to_move, has_moved;

static void
move_sleeper (void)
{
  atomic_store (&is_to_move, true);
  while (!atomic_load (&has_moved))
    upcr_poll ();
}

static void
sleep_on_one_then_other (void)
{
  upcr_sleep_begins (&never, 0);
  while (!atomic_load (&is_to_move))
    upcr_poll ();
  upcr_sleep_ends ();
  upcr_sleep_begins (&token, 0);
  atomic_store (&has_moved, true);
  while (!atomic_load (&stop))
    upcr_poll ();
  upcr_sleep_ends ();
}

static void
look_while_sleeper_moves (void)
{
  if (MYTHREAD == 1)
    {
      sleep_on_one_then_other ();
      return;
    }
  upcr_sleep_begins (&never, 0);
  while (!upcr_is_asleep (1))
    upcr_poll ();
  CHECK (prove () != 0);
  real = upcr_kernel;
  before_comparison = move_sleeper;
  upcr_kernel.futex_wait = compare_word;
  CHECK (prove () == 0);
  upcr_kernel = real;
  CHECK (prove () != 0);
  upcr_sleep_ends ();
  atomic_store (&stop, true);
}

/* All sleep at the first look, and all words are as seen: only the counts tell. */
static void
test_going_on_between_looks_counts (void **state)
{
  (void) state;
  expect_good (2, 0, look_while_sleeper_moves);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_never_said_of_a_run_that_goes_on),
    cmocka_unit_test (test_said_when_no_thread_goes_on),
    cmocka_unit_test (test_without_proc_one_line_says_that_it_is_off),
    cmocka_unit_test (test_going_on_between_looks_counts),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
