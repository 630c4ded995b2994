/* Functions of the program's table that take locks: those that are not AMSAFE are called only
   where the program itself is in a collective function. */

#include "tests/unit/coll/collective.h"

enum
{
  ROUNDS = 60,
  AT_ONCE = 8,
  ELEMENTS = 20
};

static struct upcr_lock *inner, *outer;
static bool is_elsewhere[UPCR_MAX_THREADS];

static void
add_locked (void *results, size_t result_count, const void *left_operands, size_t left_count,
            const void *right_operands, size_t elem_size, int flags, int arg)
{
  CHECK (!is_elsewhere[MYTHREAD]);
  upcr_lock_acquire (inner);
  for (volatile int i = 0; i < 50; i++)
    continue;
  sched_yield ();
  upcr_lock_release (inner);
  add_longs (results, result_count, left_operands, left_count, right_operands, elem_size, flags,
             arg);
}

static const gasnet_coll_fn_entry_t table[] = { { (gasnet_coll_fn_t) add_locked, 0 } };

static void
init (void)
{
  upcr_pts locks[2] = { upcr_all_lock_alloc (NULL), upcr_all_lock_alloc (NULL) };

  if (MYTHREAD == 0)
    {
      inner = upcr_lock_of (locks[0], "upc_lock");
      outer = upcr_lock_of (locks[1], "upc_lock");
    }
  gasnet_coll_init (NULL, 0, table, 1, 0);
  barrier ();
}

static gasnet_coll_handle_t
start_sum (int root, long *dst, long *src, int mode)
{
  return gasnet_coll_reduce_nb (GASNET_TEAM_ALL, root, dst, src, 3, 0, sizeof *src, ELEMENTS, 0, 0,
                                mode | GASNET_COLL_LOCAL);
}

/* Threads that wait for the lock of one operation's function have others in flight. */
static void
many_at_once (void)
{
  init ();
  for (int round = 0; round < ROUNDS; round++)
    {
      gasnet_coll_handle_t handles[AT_ONCE];
      long src[ELEMENTS], dst[AT_ONCE];

      for (int i = 0; i < ELEMENTS; i++)
        src[i] = 1;
      for (int i = 0; i < AT_ONCE; i++)
        handles[i] = start_sum (i % THREADS, &dst[i], src, MYMY);
      gasnet_coll_wait_sync_all (handles, AT_ONCE);
      for (int i = MYTHREAD; i < AT_ONCE; i += THREADS)
        CHECK (dst[i] == ELEMENTS);
      barrier ();
    }
}

/* Threads wait for a lock that thread 0 holds, which comes last to the operation: they leave the
   work to it. */
static void
waits_elsewhere (void)
{
  long src[ELEMENTS] = { 0 }, dst = -1;

  init ();
  for (int round = 0; round < ROUNDS; round++)
    {
      gasnet_coll_handle_t handle;

      if (MYTHREAD == 0)
        upcr_lock_acquire (outer);
      barrier ();
      if (MYTHREAD == 0)
        sched_yield ();
      handle = start_sum (0, &dst, src, ALLALL);
      is_elsewhere[MYTHREAD] = true;
      if (MYTHREAD != 0)
        upcr_lock_acquire (outer);
      upcr_lock_release (outer);
      is_elsewhere[MYTHREAD] = false;
      gasnet_coll_wait_sync (handle);
      CHECK (MYTHREAD != 0 || dst == 0);
      barrier ();
    }
}

static void
test_many_at_once (void **state)
{
  (void) state;
  expect_good (2, 0, many_at_once);
  expect_good (3, 0, many_at_once);
}

static void
test_waits_elsewhere (void **state)
{
  (void) state;
  expect_good (3, 0, waits_elsewhere);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_many_at_once),
    cmocka_unit_test (test_waits_elsewhere),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
