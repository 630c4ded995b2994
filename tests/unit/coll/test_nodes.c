/* Images on nodes, as gasnet_coll_init is told: how many nodes there are, and how long LOCAL lists
   are. */

#include "tests/unit/coll/collective.h"

static void
two_nodes (void)
{
  static const gasnet_image_t images[] = { 1, 2 };
  static int received[3];
  gasnet_image_t first = MYTHREAD > 0;
  void *list[2];

  CHECK (gasnet_nodes () == (gasnet_node_t) THREADS);
  CHECK (gasnet_mynode () == (gasnet_node_t) MYTHREAD);
  gasnet_coll_init (images, MYTHREAD, NULL, 0, 0);
  CHECK (gasnet_nodes () == 2);
  CHECK (gasnet_mynode () == first);
  for (gasnet_image_t i = 0; i < images[first]; i++)
    list[i] = &received[first + i];
  gasnet_coll_broadcastm (GASNET_TEAM_ALL, list, 0, &(int){ 7 }, sizeof (int),
                          ALLALL | GASNET_COLL_LOCAL);
  CHECK (received[0] == 7 && received[1] == 7 && received[2] == 7);
}

static void
one_image_a_node (void)
{
  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  CHECK (gasnet_nodes () == (gasnet_node_t) THREADS);
  CHECK (gasnet_mynode () == (gasnet_node_t) MYTHREAD);
}

static void
test_nodes (void **state)
{
  (void) state;
  expect_good (3, 0, two_nodes);
  expect_good (2, 0, one_image_a_node);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_nodes),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
