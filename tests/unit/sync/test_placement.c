/* Threads that the kernel has put on one CPU, above a kernel of the test's that knows
   CPUs: who moves, how often, and what becomes of affinity masks. */

#include "tests/unit/sync/simulate.h"

enum
{
  MACHINE_CPUS = 4,
  PHASES_MET = 400
};

/* A CPU's number as a mask. */
#define BIT(cpu) (1u << (cpu))

static struct
{
  int cpu;
  unsigned mask;  /* what the thread asked for, or was given */
  bool is_asleep; /* elsewhere than in a wait */
  int moves, calls;
} placed[UPCR_MAX_THREADS];

static unsigned cpuset;
static void (*on_narrow) (void);

static unsigned
allowed (int thread)
{
  return placed[thread].mask & cpuset;
}

static int
placed_cpu (void)
{
  return placed[MYTHREAD].cpu;
}

static int
placed_runs_on (pid_t thread)
{
  int t = thread - SIM_FIRST_TID;

  return placed[t].is_asleep || sim_threads[t].asleep_on ? -1 : placed[t].cpu;
}

static bool
placed_get_mask (pid_t thread, cpu_set_t *mask)
{
  int t = thread ? thread - SIM_FIRST_TID : MYTHREAD;

  CPU_ZERO (mask);
  for (int cpu = 0; cpu < MACHINE_CPUS; cpu++)
    if (allowed (t) & BIT (cpu))
      CPU_SET (cpu, mask);
  return true;
}

/* A thread stays where it is if it may. */
static void
give_mask (int t, unsigned mask)
{
  placed[t].mask = mask;
  if (allowed (t) & BIT (placed[t].cpu))
    return;
  placed[t].cpu = __builtin_ctz (allowed (t));
  placed[t].moves++;
}

static bool
placed_set_mask (const cpu_set_t *mask)
{
  unsigned bits = CPU_ISSET (MACHINE_CPUS, mask) ? BIT (MACHINE_CPUS) : 0;

  for (int cpu = 0; cpu < MACHINE_CPUS; cpu++)
    bits |= CPU_ISSET (cpu, mask) ? BIT (cpu) : 0;
  placed[MYTHREAD].calls++;
  give_mask (MYTHREAD, bits);
  if (on_narrow && __builtin_popcount (bits) == 1)
    on_narrow ();
  sim_switch ();
  return true;
}

static struct upcr_tree tree;

static void
meet (void)
{
  for (int phase = 0; phase < PHASES_MET; phase++)
    {
      uint32_t epoch = upcr_tree_epoch (&tree);

      if (upcr_tree_arrive (&tree, epoch))
        upcr_tree_release (&tree, epoch);
      upcr_tree_await (&tree, epoch);
    }
}

static void
place (int threads, int cpus)
{
  THREADS = threads;
  upcr_sync_init (threads, cpus);
  upcr_tree_init (&tree, threads, 0);
  memset (placed, 0, sizeof placed);
  cpuset = BIT (MACHINE_CPUS) - 1;
  on_narrow = NULL;
  for (int t = 0; t < threads; t++)
    placed[t].mask = ~0u;
}

static int
moves (void)
{
  int sum = 0;

  for (int t = 0; t < THREADS; t++)
    sum += placed[t].moves;
  return sum;
}

static int
calls (void)
{
  int sum = 0;

  for (int t = 0; t < THREADS; t++)
    sum += placed[t].calls;
  return sum;
}

static int
set_up (void **state)
{
  sim_set_up (state);
  /* No yield, in which all threads have their turn, is one that lost the CPU to another
     program. */
  sim.ns_a_look = 10000;
  upcr_kernel.cpu = placed_cpu;
  upcr_kernel.runs_on = placed_runs_on;
  upcr_kernel.get_mask = placed_get_mask;
  upcr_kernel.set_mask = placed_set_mask;
  return 0;
}

/* THREADS threads on CPU 0, each of which may use all: all but one move, once, to CPUs of
   their own, and have the masks that they had. */
static void
one_by_one_they_move (void **state)
{
  (void) state;
  for (unsigned seed = 1; seed <= 200; seed++)
    {
      unsigned taken = 0;

      place (2 + seed % 3, MACHINE_CPUS);
      sim.random = seed;
      assert_true (sim_run (meet));
      for (int t = 0; t < THREADS; t++)
        {
          taken |= BIT (placed[t].cpu);
          assert_int_equal (allowed (t), cpuset);
        }
      assert_int_equal (__builtin_popcount (taken), THREADS);
      assert_int_equal (moves (), THREADS - 1);
    }
}

/* A cpuset that grows later is theirs, as nobody restricted them beyond it; so is what
   taskset said, not more. */
static void
masks_stay_what_they_mean (void **state)
{
  (void) state;
  place (2, 2);
  cpuset = BIT (0) | BIT (1);
  assert_true (sim_run (meet));
  assert_int_equal (moves (), 1);
  cpuset = BIT (MACHINE_CPUS) - 1;
  for (int t = 0; t < THREADS; t++)
    assert_int_equal (allowed (t), cpuset);

  place (2, 2);
  placed[0].mask = placed[1].mask = BIT (0) | BIT (2);
  assert_true (sim_run (meet));
  assert_int_equal (moves (), 1);
  for (int t = 0; t < THREADS; t++)
    assert_int_equal (placed[t].mask, BIT (0) | BIT (2));
}

/* One that is bound has nowhere to go: the other one moves. Nor do both when they are. */
static void
bound_ones_stay (void **state)
{
  (void) state;
  place (2, 2);
  placed[0].mask = BIT (0);
  assert_true (sim_run (meet));
  assert_int_equal (placed[0].calls, 0);
  assert_int_equal (placed[1].moves, 1);

  place (2, 2);
  placed[0].mask = placed[1].mask = BIT (0);
  assert_true (sim_run (meet));
  assert_int_equal (calls (), 0);
}

/* How many threads are on the fullest CPU. */
static int
most_on_a_cpu (void)
{
  int on[MACHINE_CPUS] = { 0 }, most = 0;

  for (int t = 0; t < THREADS; t++)
    on[placed[t].cpu]++;
  for (int cpu = 0; cpu < MACHINE_CPUS; cpu++)
    most = on[cpu] > most ? on[cpu] : most;
  return most;
}

/* From one CPU to their shares of all, with one move for each that leaves. */
static void
more_than_cpus_spread (void **state)
{
  (void) state;
  for (int threads = MACHINE_CPUS + 1; threads <= 32; threads += 9)
    {
      int fair = (threads + MACHINE_CPUS - 1) / MACHINE_CPUS;

      place (threads, MACHINE_CPUS);
      assert_true (sim_run (meet));
      assert_true (most_on_a_cpu () <= fair + fair / 8);
      assert_true (moves () < threads);
      for (int t = 0; t < THREADS; t++)
        assert_int_equal (allowed (t), cpuset);
    }
}

/* A quota of two CPUs, but any two: they are not too many on any. */
static void
quota_moves_none (void **state)
{
  (void) state;
  place (MACHINE_CPUS, 2);
  for (int t = 0; t < THREADS; t++)
    placed[t].cpu = t;
  assert_true (sim_run (meet));
  assert_int_equal (calls (), 0);
}

/* Thread 1 was last seen on this CPU, but needs none. */
static void
notes_alone_move_none (void **state)
{
  (void) state;
  place (2, 2);
  placed[0].is_asleep = placed[1].is_asleep = true;
  assert_true (sim_run (meet));
  assert_int_equal (calls (), 0);
}

/* As with taskset -p, in the midst of a move. */
static void
bind_to_cpu_3 (void)
{
  give_mask (MYTHREAD, BIT (3));
}

static void
mask_that_another_sets_stays (void **state)
{
  (void) state;
  place (2, 2);
  on_narrow = bind_to_cpu_3;
  assert_true (sim_run (meet));
  assert_int_equal (allowed (0) | allowed (1), cpuset);
  assert_true (allowed (0) == BIT (3) || allowed (1) == BIT (3));
}

static bool
refuse_mask (const cpu_set_t *mask)
{
  (void) mask;
  placed[MYTHREAD].calls++;
  return false;
}

static void
a_kernel_may_refuse (void **state)
{
  (void) state;
  place (2, 2);
  upcr_kernel.set_mask = refuse_mask;
  assert_true (sim_run (meet));
  assert_true (calls () > 0);
  assert_int_equal (placed[0].cpu + placed[1].cpu, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (one_by_one_they_move, set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (masks_stay_what_they_mean, set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (bound_ones_stay, set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (more_than_cpus_spread, set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (quota_moves_none, set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (notes_alone_move_none, set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (mask_that_another_sets_stays, set_up, sim_tear_down),
    cmocka_unit_test_setup_teardown (a_kernel_may_refuse, set_up, sim_tear_down),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
