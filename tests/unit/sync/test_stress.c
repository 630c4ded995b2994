/* Everything at once on a kernel that wakes for no reason, with delays at the
   race-injection points where the build has them. One second in all; with
   UPCT_TEST_FULL=1 half a minute. */

#include "runtime/sync/mechanism/kernel.h"
#include "tests/unit/sync/threads.h"

#include <errno.h>

enum
{
  LOCKS = 3
};

static struct upcr_kernel real;
static double end_time;

static unsigned
chance (void)
{
  static __thread unsigned state;

  if (state == 0)
    state = (MYTHREAD + 1) * 2654435761u ^ (unsigned) (seconds () * 1e6);
  return next_random (&state);
}

static void
delay (void)
{
  unsigned what = chance () % 64;

  if (what == 0)
    sleep_us (chance () % 200);
  else if (what < 16)
    sched_yield ();
}

static int
unreliable_wait (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit)
{
  unsigned what = chance () % 8;

  if (what == 0)
    return 0;
  if (what == 1)
    return EINTR;
  delay ();
  return real.futex_wait (word, seen, limit);
}

static int
late_wake (_Atomic uint32_t *word, int threads)
{
  delay ();
  return real.futex_wake (word, threads);
}

static int
set_up (void **state)
{
  (void) state;
  real = upcr_kernel;
  upcr_kernel.futex_wait = unreliable_wait;
  upcr_kernel.futex_wake = late_wake;
#ifdef UPCR_HAS_RACE_POINTS
  upcr_race_hook = delay;
#endif
  return 0;
}

static int
tear_down (void **state)
{
  (void) state;
  upcr_kernel = real;
#ifdef UPCR_HAS_RACE_POINTS
  upcr_race_hook = NULL;
#endif
  return 0;
}

/* For each number of threads, BODY until END_TIME. */
static void
run_for_a_while (void (*body) (void))
{
  static const int sizes[] = { 2, 3, 8, 32 };
  const char *full = getenv ("UPCT_TEST_FULL");
  double each = full && strcmp (full, "1") == 0 ? 3 : 0.1;

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      end_time = seconds () + each;
      run_threads (sizes[i], body);
    }
}

/* Plain on purpose, as in all tests: locks and barriers alone must order it. */
static _Alignas(UPCR_LOCK_BYTES) char locks[LOCKS][UPCR_LOCK_BYTES];
static long under_lock[LOCKS];
static long mine[UPCR_MAX_THREADS];
static int step[UPCR_MAX_THREADS];
static int stop;

static void
count_under_lock (void)
{
  int i = chance () % LOCKS;
  struct upcr_lock *lock = (struct upcr_lock *) locks[i];

  if (chance () % 4 != 0)
    upcr_lock_acquire (lock);
  else if (!upcr_lock_try (lock))
    return;
  under_lock[i]++;
  if (chance () % 32 == 0)
    delay ();
  upcr_lock_release (lock);
  mine[MYTHREAD]++;
}

static void
pass_barrier (int round)
{
  int id = chance () % 2 ? round : UPCR_NO_ID;

  step[MYTHREAD] = round;
  if (round % 3 == 0)
    upcr_barrier (id);
  else if (round % 3 == 1)
    upcr_collective_barrier ("test");
  else
    {
      upcr_notify (id);
      count_under_lock ();
      upcr_wait (UPCR_NO_ID);
    }
  for (int t = 0; t < THREADS; t++)
    REQUIRE (step[t] == round);
}

static void
mixture (void)
{
  int round = 0;

  mine[MYTHREAD] = 0;
  if (MYTHREAD == 0)
    {
      stop = 0;
      for (int i = 0; i < LOCKS; i++)
        {
          upcr_lock_init ((struct upcr_lock *) locks[i], (struct upcr_lock_origin){ 0 });
          under_lock[i] = 0;
        }
    }
  upcr_barrier (UPCR_NO_ID);
  while (!stop)
    {
      for (unsigned n = chance () % 8; n > 0; n--)
        count_under_lock ();
      pass_barrier (++round);
      if (MYTHREAD == 0)
        stop = seconds () > end_time;
      upcr_barrier (UPCR_NO_ID);
    }
}

static void
all_primitives_together (void **state)
{
  (void) state;
  run_for_a_while (mixture);
  long total = 0, counted = 0;
  for (int t = 0; t < THREADS; t++)
    total += mine[t];
  for (int i = 0; i < LOCKS; i++)
    {
      counted += under_lock[i];
      upcr_lock_destroy ((struct upcr_lock *) locks[i], "upc_lock_free");
    }
  assert_int_equal (counted, total);
}

/* Two threads write a word each, then read the other's: with a null strict access
   between, one of them sees the other's write (UPC 1.3, B.5, example 12). */
static _Atomic int written[2];
static int seen[2];

static void
litmus (void (*before) (void), void (*between) (void), void (*after) (void))
{
  for (int round = 1; round <= 20000; round++)
    {
      if (before)
        before ();
      atomic_store_explicit (&written[MYTHREAD], round, memory_order_relaxed);
      between ();
      seen[MYTHREAD] = atomic_load_explicit (&written[!MYTHREAD], memory_order_relaxed);
      if (after)
        after ();
      upcr_barrier (UPCR_NO_ID);
      REQUIRE (seen[0] == round || seen[1] == round);
      upcr_barrier (UPCR_NO_ID);
    }
}

static void
notify_once (void)
{
  upcr_notify (UPCR_NO_ID);
}

static void
wait_once (void)
{
  upcr_wait (UPCR_NO_ID);
}

static void
own_lock_and_unlock (void)
{
  struct upcr_lock *lock = (struct upcr_lock *) locks[MYTHREAD];

  upcr_lock_acquire (lock);
  upcr_lock_release (lock);
}

static void
strict_notify (void)
{
  litmus (NULL, notify_once, wait_once);
}

static void
strict_wait (void)
{
  litmus (notify_once, wait_once, NULL);
}

static void
strict_fence (void)
{
  litmus (NULL, upcr_fence, NULL);
}

static void
strict_lock (void)
{
  litmus (NULL, own_lock_and_unlock, NULL);
}

static void
null_strict_accesses_order (void **state)
{
  static void (*const cases[]) (void) = { strict_notify, strict_wait, strict_fence, strict_lock };

  (void) state;
  upcr_lock_init ((struct upcr_lock *) locks[0], (struct upcr_lock_origin){ 0 });
  upcr_lock_init ((struct upcr_lock *) locks[1], (struct upcr_lock_origin){ 0 });
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      atomic_store (&written[0], 0);
      atomic_store (&written[1], 0);
      run_threads (2, cases[i]);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (all_primitives_together, set_up, tear_down),
    cmocka_unit_test (null_strict_accesses_order),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
