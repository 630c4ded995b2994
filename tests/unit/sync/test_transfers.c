/* How many transfers of cache lines a barrier and the hand-over of a lock need, of the
   very code, with a cache a thread, from 2 threads to 1024. The table is printed; what
   is required is how it grows.

   transfers   all that a barrier needs, for each thread
   chain       the most that follow one another, each after the one before: what takes
               the time
   central     the same for a barrier of one counter and one epoch, for comparison
   hand-over   all that one thread needs from the end of another's barging quantum to its own,
               looks of the waiting thread during the quantum included */

#include "tests/unit/sync/simulate.h"

enum
{
  PHASES_COUNTED = 4,
  QUANTA_COUNTED = 64
};

static int
set_up (void **state)
{
  sim_set_up (state);
  upcr_options.wait = UPCR_WAIT_SPIN;
  sim.skips_spins = true;
  return 0;
}

struct count
{
  double transfers;
  double chain;
};

static struct upcr_tree tree;
static struct
{
  _Alignas(64) _Atomic uint32_t arrived;
  _Alignas(64) _Atomic uint32_t epoch;
} central;

static void
meet_in_tree (void)
{
  uint32_t epoch = upcr_tree_epoch (&tree);

  if (upcr_tree_arrive (&tree, epoch))
    upcr_tree_release (&tree, epoch);
  upcr_tree_await (&tree, epoch);
}

static void
meet_at_counter (void)
{
  uint32_t epoch = sim_load (&central.epoch);

  if (sim_fetch_add (&central.arrived, 1) == (uint32_t) THREADS - 1)
    {
      sim_store (&central.arrived, 0);
      sim_store (&central.epoch, epoch + 1);
    }
  while (sim_load (&central.epoch) == epoch)
    sim_switch ();
}

static void (*meet_once) (void);

static void
meet_often (void)
{
  for (int phase = 0; phase < PHASES_COUNTED; phase++)
    meet_once ();
}

/* From caches as a run of the same has left them. */
static struct count
count_barrier (int threads, void (*meet) (void))
{
  long end = 0;

  THREADS = threads;
  upcr_sync_init (threads, threads);
  upcr_tree_init (&tree, threads, 0);
  meet_once = meet;
  assert_true (sim_run (meet_often));
  sim_transfers = 0;
  memset (sim_times, 0, sizeof sim_times);
  for (int i = 0; i < SIM_LINES; i++)
    sim_lines[i].time = 0;
  assert_true (sim_run (meet_often));
  for (int t = 0; t < threads; t++)
    end = sim_times[t].now > end ? sim_times[t].now : end;
  return (struct count){ (double) sim_transfers / PHASES_COUNTED / threads,
                         (double) end / PHASES_COUNTED };
}

static struct upcr_lock lock;
static int last_holder, quanta, first_quantum;
static long transfers_before, transfers_counted;

static void
begin_to_hold (void)
{
  last_holder = MYTHREAD;
  quanta++;
  if (quanta == first_quantum)
    transfers_before = sim_transfers;
  if (quanta == first_quantum + QUANTA_COUNTED)
    transfers_counted = sim_transfers - transfers_before;
}

static void
want_lock (void)
{
  while (quanta < first_quantum + QUANTA_COUNTED)
    {
      upcr_lock_acquire (&lock);
      if (last_holder != MYTHREAD)
        begin_to_hold ();
      upcr_lock_release (&lock);
    }
}

/* Once all have been in the queue. */
static double
count_hand_over (int threads)
{
  THREADS = threads;
  upcr_sync_init (threads, threads);
  upcr_lock_init (&lock, (struct upcr_lock_origin){ 0 });
  quanta = 0;
  first_quantum = 2 * threads;
  last_holder = -1;
  assert_true (sim_run (want_lock));
  return (double) transfers_counted / QUANTA_COUNTED;
}

/* With UPCT_TEST_FULL=1 as many as there can be. */
static int
most_threads (void)
{
  const char *full = getenv ("UPCT_TEST_FULL");

  return full && strcmp (full, "1") == 0 ? UPCR_MAX_THREADS : 128;
}

static void
barriers_grow_with_the_logarithm (void **state)
{
  (void) state;
  printf ("threads  transfers  chain  central: transfers  chain\n");
  for (int n = 2, levels = 1; n <= most_threads (); n *= 2)
    {
      struct count combining = count_barrier (n, meet_in_tree);
      struct count counter = count_barrier (n, meet_at_counter);

      printf ("%7d  %9.1f  %5.1f  %18.1f  %5.1f\n", n, combining.transfers, combining.chain,
              counter.transfers, counter.chain);
      levels += n > 1 << 2 * levels;
      assert_true (combining.transfers <= 8);
      assert_true (combining.chain <= 8 + 4 * levels);
    }
}

static void
hand_overs_cost_the_same_for_all (void **state)
{
  (void) state;
  printf ("threads  hand-over\n");
  for (int n = 2; n <= most_threads (); n *= 2)
    {
      double transfers = count_hand_over (n);

      printf ("%7d  %9.1f\n", n, transfers);
      assert_true (transfers <= 120);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (barriers_grow_with_the_logarithm, set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (hand_overs_cost_the_same_for_all, set_up, sim_tear_down),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
