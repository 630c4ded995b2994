/* Parking, the barrier and the lock in many schedules of simulated threads above a
   simulated kernel: no wake-up is lost, none that is spurious is believed, no thread
   is let through too early. Each schedule is a seed: a failure names it. */

#include "tests/unit/sync/simulate.h"

static unsigned seed;

/* With UPCT_TEST_FULL=1 fifty times as many. */
static unsigned
schedules (void)
{
  const char *full = getenv ("UPCT_TEST_FULL");

  return full && strcmp (full, "1") == 0 ? 20000 : 400;
}

/* Schedules in which threads sleep are what is to be seen. */
static void
shorten_spin_phase (void)
{
  static struct upcr_wait_policy policy;

  policy = *upcr_wait_policy ();
  policy.yields = policy.yields ? 2 : 0;
  policy.spins = policy.spins ? 3 : 0;
  upcr_current_wait_policy = &policy;
}

/* BODY in each schedule, each way to wait and each size up to MOST; every other schedule
   with wake-ups that nobody meant. */
static void
run_schedules (int most, void (*begin) (void), void (*body) (void))
{
  for (seed = 1; seed <= schedules (); seed++)
    {
      THREADS = 2 + seed % (most - 1);
      upcr_options.wait = seed / 2 % 2 ? UPCR_WAIT_SLEEP : UPCR_WAIT_ADAPTIVE;
      upcr_sync_init (THREADS, seed % 3 ? THREADS - 1 : THREADS);
      shorten_spin_phase ();
      sim.random = seed;
      sim.spurious = seed % 2 ? 0 : 64;
      begin ();
      if (!sim_run (body))
        fail_msg ("seed %u, %d threads: some never go on", seed, THREADS);
    }
}

#define SIM_REQUIRE(condition)                                                                   \
  do                                                                                             \
    if (!(condition))                                                                            \
      {                                                                                          \
        fprintf (stderr, "seed %u, thread %d of %d: not true: " #condition "\n", seed, MYTHREAD, \
                 THREADS);                                                                       \
        abort ();                                                                                \
      }                                                                                          \
  while (0)

static _Atomic uint32_t word;
static int published;

static void
begin_word (void)
{
  atomic_store (&word, 0);
  published = 0;
}

static void
follow_word (void)
{
  for (uint32_t round = 0; round < 3; round++)
    if (MYTHREAD == (int) round % THREADS)
      {
        published = round + 1;
        sim_store (&word, round + 1);
        upcr_unpark_all (&word);
      }
    else
      {
        while (sim_load (&word) < round + 1)
          upcr_park_while (&word, round);
        SIM_REQUIRE (published >= (int) round + 1);
      }
}

static void
parking (void **state)
{
  (void) state;
  run_schedules (5, begin_word, follow_word);
}

static struct upcr_tree tree;
static int step[UPCR_MAX_THREADS];
static int last_ones;

static void
begin_tree (void)
{
  upcr_tree_init (&tree, THREADS, UINT32_MAX - 1);
  last_ones = 0;
  memset (step, 0, sizeof step);
}

static void
meet (void)
{
  for (int round = 1; round <= 4; round++)
    {
      uint32_t epoch = upcr_tree_epoch (&tree);

      step[MYTHREAD] = round;
      if (upcr_tree_arrive (&tree, epoch))
        {
          last_ones++;
          for (int t = 0; t < THREADS; t++)
            SIM_REQUIRE (step[t] == round);
          upcr_tree_release (&tree, epoch);
        }
      sim_switch ();
      upcr_tree_await (&tree, epoch);
      for (int t = 0; t < THREADS; t++)
        SIM_REQUIRE (step[t] == round || step[t] == round + 1);
    }
  SIM_REQUIRE (last_ones <= 4);
}

static void
barrier (void **state)
{
  (void) state;
  run_schedules (11, begin_tree, meet);
}

static struct upcr_lock lock;
static int holders;
static long taken;

static void
begin_lock (void)
{
  upcr_lock_init (&lock, (struct upcr_lock_origin){ 0 });
  holders = 0;
  taken = 0;
}

static void
hold (void)
{
  SIM_REQUIRE (holders++ == 0);
  for (int i = 0; i < 3; i++)
    sim_switch ();
  taken++;
  SIM_REQUIRE (--holders == 0);
  upcr_lock_release (&lock);
}

static void
contend (void)
{
  for (int i = 0; i < 3; i++)
    {
      if (i == 1 && upcr_lock_try (&lock))
        hold ();
      upcr_lock_acquire (&lock);
      hold ();
    }
}

static void
locking (void **state)
{
  (void) state;
  run_schedules (5, begin_lock, contend);
  SIM_REQUIRE (taken >= 3 * THREADS);
}

/* The test itself must find a wake-up that is lost: a waker that does not look for
   sleepers. */
static void
forget_to_wake (void)
{
  if (MYTHREAD == 0)
    sim_store (&word, 1);
  else
    upcr_park_while (&word, 0);
}

static void
lost_wake_up_is_found (void **state)
{
  int stuck = 0;

  (void) state;
  THREADS = 2;
  upcr_options.wait = UPCR_WAIT_SLEEP;
  sim.spurious = 0;
  for (seed = 1; seed <= 50; seed++)
    {
      upcr_sync_init (THREADS, 1);
      begin_word ();
      sim.random = seed;
      stuck += !sim_run (forget_to_wake);
    }
  assert_in_range (stuck, 1, 49);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (parking, sim_set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (barrier, sim_set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (locking, sim_set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (lost_wake_up_is_found, sim_set_up, sim_tear_down),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
