/* gasnet_coll_init: what it refuses, that it keeps its table, and images on nodes in each function
   that takes lists. */

#include "tests/unit/coll/operations.h"

static const gasnet_coll_fn_entry_t table[] = { { (gasnet_coll_fn_t) add_longs, 0 } };

static void
twice (void)
{
  gasnet_coll_init (NULL, 0, table, 1, 0);
  if (MYTHREAD == 0)
    gasnet_coll_init (NULL, 0, table, 1, 0);
  barrier ();
}

static void
init_flags (void)
{
  if (MYTHREAD == 0)
    gasnet_coll_init (NULL, 0, table, 1, 2);
  barrier ();
}

static void
other_image (void)
{
  static const gasnet_image_t images[] = { 2 };

  if (MYTHREAD == 0)
    gasnet_coll_init (images, 1, table, 1, 0);
  barrier ();
}

static void
empty_node (void)
{
  static const gasnet_image_t images[] = { 1, 0, 1 };

  gasnet_coll_init (images, MYTHREAD, table, 1, 0);
}

static void
too_many_images (void)
{
  static const gasnet_image_t images[] = { 1, 3 };

  gasnet_coll_init (images, MYTHREAD, table, 1, 0);
}

static void
other_count (void)
{
  gasnet_coll_init (NULL, 0, table, MYTHREAD == 0, 0);
  barrier ();
}

static void
no_function (void)
{
  static const gasnet_coll_fn_entry_t none[] = { { NULL, 0 } };

  gasnet_coll_init (NULL, 0, none, 1, 0);
}

static void
test_refused (void **state)
{
#define ERROR(thread, text) "prog: error: thread " thread ": gasnet_coll_init" text "\n"
  (void) state;
  expect_threads (2, 0, twice, 1, ERROR ("0", " twice"));
  expect_threads (2, 0, init_flags, 1, ERROR ("0", ": init_flags is 2, not 0"));
  expect_threads (2, 0, other_image, 1,
                  ERROR ("0", ": my_image is 1, but images are numbered like threads"));
  expect_threads (2, 0, empty_node, 1,
                  ERROR ("0", ": 0 images on node 1, with 1 of 2 images before it"));
  expect_threads (2, 0, too_many_images, 1,
                  ERROR ("0", ": 3 images on node 1, with 1 of 2 images before it"));
  expect_threads (2, 0, other_count, 1, ERROR ("1", ": 0 functions, but 1 on thread 0"));
  expect_threads (2, 0, no_function, 1,
                  ERROR ("0", ": function 0 of the table is null, or its flags are wrong"));
#undef ERROR
}

/* A table in each image's own memory, which is written anew. */
static void
tables_are_copied (void)
{
  gasnet_coll_fn_entry_t own[] = { table[0] };
  long mine = MYTHREAD + 1, sum = 0;

  gasnet_coll_init (NULL, 0, own, 1, 0);
  memset (own, 0xff, sizeof own);
  gasnet_coll_reduce_all (GASNET_TEAM_ALL, &sum, &mine, 1, 0, sizeof mine, THREADS, 0, 0,
                          MYMY | GASNET_COLL_LOCAL);
  CHECK (sum == THREADS * (THREADS + 1) / 2);
}

static void
test_tables_are_copied (void **state)
{
  (void) state;
  expect_good (3, 0, tables_are_copied);
}

/* Images 0, 1 and 2 on node 0, 3 and 4 on node 1. */
static const gasnet_image_t images[] = { 3, 2 };

static void *const *
list_of_node (void *const *all)
{
  return all + (MYTHREAD < 3 ? 0 : 3);
}

/* Each function with lists, which are LOCAL to the node; what they name is written anew once they
   are complete. */
static void
lists_of_nodes (void)
{
  static long src[5][5], dst[5][5];
  void *from[5], *to[5];
  int all = MYMY | GASNET_COLL_LOCAL, me = MYTHREAD;

  gasnet_coll_init (images, MYTHREAD, table, 1, 0);
#define BOTH(name, ...)                                                                      \
  for (int way = 0; way < 2; way++)                                                          \
    {                                                                                        \
      for (int i = 0; i < 5; i++)                                                            \
        {                                                                                    \
          from[i] = src[i];                                                                  \
          to[i] = dst[i];                                                                    \
          src[me][i] = 10 * me + i;                                                          \
          dst[me][i] = -1;                                                                   \
        }                                                                                    \
      barrier ();                                                                            \
      if (way == 0)                                                                          \
        gasnet_coll_##name (GASNET_TEAM_ALL, __VA_ARGS__, all);                              \
      else                                                                                   \
        gasnet_coll_wait_sync (gasnet_coll_##name##_nb (GASNET_TEAM_ALL, __VA_ARGS__, all)); \
      memset (from, 0xff, sizeof from);                                                      \
      memset (to, 0xff, sizeof to);                                                          \
      barrier ();
#define END   \
  barrier (); \
  }

  BOTH (broadcastm, list_of_node (to), 3, src[3], sizeof (long))
  CHECK (dst[me][0] == 30);
  END BOTH (scatterm, list_of_node (to), 4, src[4], sizeof (long)) CHECK (dst[me][0] == 40 + me);
  END BOTH (gatherm, 3, dst[3], list_of_node (from),
            sizeof (long)) for (int i = 0; me == 3 && i < 5; i++) CHECK (dst[3][i] == 10 * i);
  END BOTH (gather_allm, list_of_node (to), list_of_node (from),
            sizeof (long)) for (int i = 0; i < 5; i++) CHECK (dst[me][i] == 10 * i);
  END BOTH (exchangem, list_of_node (to), list_of_node (from),
            sizeof (long)) for (int i = 0; i < 5; i++) CHECK (dst[me][i] == 10 * i + me);
  END BOTH (reducem, 4, dst[4], list_of_node (from), 1, 0, sizeof (long), 10, 0, 0)
      CHECK (me != 4 || dst[4][0] == 205);
  END all |= GASNET_COLL_EXCLUSIVE_SCAN;
  BOTH (scanm, list_of_node (to), 1, 0, list_of_node (from), 1, 0, sizeof (long), 5, 0, 0)
  CHECK (dst[me][0] == (me == 0 ? -1 : 10 * me * (me - 1) / 2));
  END
#undef BOTH
#undef END
}

static void
test_lists_of_nodes (void **state)
{
  (void) state;
  expect_good (5, 0, lists_of_nodes);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_refused),
    cmocka_unit_test (test_tables_are_copied),
    cmocka_unit_test (test_lists_of_nodes),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
