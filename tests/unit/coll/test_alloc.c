/* Collective allocation: every thread gets the same pointer, and an object lives
   until all threads have come to free it. */

#include "runtime/coll/coll.h"

#include "tests/unit/upc_threads.h"

#include <string.h>

enum
{
  ROUNDS = 300
};

static bool
same (upcr_pts a, upcr_pts b)
{
  return memcmp (&a, &b, sizeof a) == 0;
}

/* Threads are not in step: each does its rounds as it gets to them. */
static void
allocate_and_free (void)
{
  static upcr_pts got[8][ROUNDS];

  for (int i = 0; i < ROUNDS; i++)
    {
      upcr_pts block = upcr_all_alloc (THREADS, 16 + i), lock = upcr_all_lock_alloc (NULL);
      uint32_t *mine = (uint32_t *) upcr_segment_address (MYTHREAD, upcr_pts_offset (block));

      CHECK (!upcr_pts_is_null (block) && !upcr_pts_is_null (lock));
      got[MYTHREAD][i] = block;
      *mine = i;
      upcr_lock_acquire (upcr_lock_of (lock, "upc_lock"));
      upcr_lock_release (upcr_lock_of (lock, "upc_lock"));
      CHECK (*mine == (uint32_t) i);
      upcr_all_lock_free (lock);
      upcr_all_free (block);
    }
  barrier ();
  for (int i = 0; i < ROUNDS; i++)
    CHECK (same (got[0][i], got[MYTHREAD][i]));
}

static void
test_same_pointer_everywhere (void **state)
{
  (void) state;
  expect_good (1, 0, allocate_and_free);
  expect_good (8, 0, allocate_and_free);
}

static void
null_results (void)
{
  CHECK (upcr_pts_is_null (upcr_all_alloc (0, 8)));
  CHECK (upcr_pts_is_null (upcr_all_alloc (8, 0)));
  CHECK (upcr_pts_is_null (upcr_all_alloc (-1ul, -1ul)));
  upcr_all_free (upcr_pts_null ());
  upcr_all_lock_free (upcr_pts_null ());
  upcr_lock_free (upcr_pts_null (), "upc_lock_free");
}

static void
test_null (void **state)
{
  (void) state;
  expect_good (3, 0, null_results);
}

static void
different_functions (void)
{
  if (MYTHREAD == 0)
    upcr_all_lock_alloc (NULL);
  else
    upcr_all_alloc (1, 1);
}

static void
test_different_functions (void **state)
{
  (void) state;
  expect_threads (2, 0, different_functions, 1,
                  "prog: error: thread 1: upc_all_alloc, but thread 0 calls upc_all_lock_alloc\n");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_same_pointer_everywhere),
    cmocka_unit_test (test_null),
    cmocka_unit_test (test_different_functions),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
