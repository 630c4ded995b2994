/* Wrong use of gasnet_coll.h with UPC_CHECK=1: each body ends the run with one line. */

#include "tests/unit/coll/collective.h"
#include "tests/unit/upc_threads.h"

static const gasnet_coll_fn_entry_t table[] = { { (gasnet_coll_fn_t) add_longs,
                                                  GASNET_COLL_AMSAFE } };

static void
init (void)
{
  CHECK (upcr_options.check);
  gasnet_coll_init (NULL, 0, table, 1, 0);
}

static long word;

static void
wrong_bytes (void)
{
  init ();
  gasnet_coll_broadcast (GASNET_TEAM_ALL, &word, 0, &word, 4 + 4 * MYTHREAD,
                         MYMY | GASNET_COLL_LOCAL);
  barrier ();
}

static void
wrong_order (void)
{
  init ();
  if (MYTHREAD == 0)
    gasnet_coll_broadcast (GASNET_TEAM_ALL, &word, 0, &word, 4, MYMY | GASNET_COLL_LOCAL);
  barrier ();
  gasnet_coll_gather (GASNET_TEAM_ALL, 0, &word, &word, 4, MYMY | GASNET_COLL_LOCAL);
  barrier ();
}

static void
wrong_aggregate (void)
{
  init ();
  if (MYTHREAD == 0)
    gasnet_coll_broadcast (GASNET_TEAM_ALL, &word, 0, &word, 4,
                           MYMY | GASNET_COLL_LOCAL | GASNET_COLL_AGGREGATE);
  barrier ();
}

static void
wrong_thread (void)
{
  static gasnet_coll_handle_t handle;

  init ();
  if (MYTHREAD == 1)
    handle = gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &word, 0, &word, 4,
                                       ALLALL | GASNET_COLL_LOCAL);
  barrier ();
  if (MYTHREAD == 0)
    gasnet_coll_wait_sync (handle);
  barrier ();
}

static void
wrong_function (void)
{
  init ();
  if (MYTHREAD == 0)
    gasnet_coll_reduce (GASNET_TEAM_ALL, 0, &word, &word, 1, 0, 8, 2, 3, 0,
                        MYMY | GASNET_COLL_LOCAL);
  barrier ();
}

static void
wrong_flags (void)
{
  init ();
  if (MYTHREAD == 0)
    gasnet_coll_scan (GASNET_TEAM_ALL, &word, 1, 0, &word, 1, 0, 8, 2, 0, 0,
                      MYMY | GASNET_COLL_LOCAL);
  barrier ();
}

/* What a test gives each thread, one after the other. */
static int flags_of[2];
static void *source_of[2], *destination_of[2];

static void
one_by_one (void)
{
  init ();
  for (int t = 0; t < 2; t++)
    {
      if (MYTHREAD == t)
        gasnet_coll_broadcast (GASNET_TEAM_ALL, destination_of[t], 0, source_of[t], 8, flags_of[t]);
      barrier ();
    }
}

static void
no_flag (void)
{
  init ();
  if (MYTHREAD == 0)
    gasnet_coll_broadcast (GASNET_TEAM_ALL, &word, 0, &word, 4,
                           MYMY | GASNET_COLL_LOCAL | GASNET_COLL_NONCOMM);
  barrier ();
}

static void
exchange_of_views_in_place (void)
{
  static const size_t sizes[] = { 4, 4 };

  init ();
  if (MYTHREAD == 0)
    gasnet_coll_exchangev (GASNET_TEAM_ALL, &word, sizes, NULL, &word, sizes, NULL,
                           MYMY | GASNET_COLL_LOCAL | GASNET_COLL_IN_PLACE);
  barrier ();
}

static void
results_nowhere (void)
{
  init ();
  if (MYTHREAD == 0)
    gasnet_coll_scan (GASNET_TEAM_ALL, &word, 0, 2, &word, 1, 0, 8, 2, 0, 0,
                      MYMY | GASNET_COLL_LOCAL | GASNET_COLL_INCLUSIVE_SCAN);
  barrier ();
}

/* Lists are compared when both have come, and neither may be there any more. */
static void
wrong_sizes (void)
{
  size_t sizes[] = { 4, 4 };

  init ();
  if (MYTHREAD == 0)
    gasnet_coll_scatterv (GASNET_TEAM_ALL, &word, 0, &word, sizes, NULL,
                          NOSYNC | GASNET_COLL_LOCAL);
  sizes[0] = 3;
  barrier ();
  if (MYTHREAD == 1)
    gasnet_coll_scatterv (GASNET_TEAM_ALL, &word, 0, &word, sizes, NULL,
                          NOSYNC | GASNET_COLL_LOCAL);
  barrier ();
}

static void
wrong_segment (void)
{
  init ();
  if (MYTHREAD == 0)
    gasnet_coll_broadcast (GASNET_TEAM_ALL, &word, 0, &word, 8,
                           MYMY | GASNET_COLL_LOCAL | GASNET_COLL_DST_IN_SEGMENT);
  barrier ();
}

enum
{
  IN_SEGMENT = MYMY | GASNET_COLL_LOCAL | GASNET_COLL_DST_IN_SEGMENT | GASNET_COLL_SRC_IN_SEGMENT
};

static void
wrong_element_of_a_list (void)
{
  void *list[1] = { &word };

  init ();
  if (MYTHREAD == 0)
    gasnet_coll_broadcastm (GASNET_TEAM_ALL, list, 0, upcr_segment_address (0, 64), 8, IN_SEGMENT);
  barrier ();
}

/* Only the second block is beyond the end. */
static void
wrong_last_block (void)
{
  char *end = upcr_segment_address (THREADS - 1, UPCR_STRIDE - 8);

  init ();
  if (MYTHREAD == 0)
    gasnet_coll_scatter (GASNET_TEAM_ALL, upcr_segment_address (0, 64), 0, end, 8, IN_SEGMENT);
  barrier ();
}

/* Addresses that mean nothing to their member are not looked at. */
static void
ignored_addresses (void)
{
  char *mine = upcr_own_address (upcr_all_alloc (THREADS, 128)), *nothing = (char *) 8;
  char *at_root = MYTHREAD == 0 ? mine + 64 : nothing;

  init ();
  gasnet_coll_gather (GASNET_TEAM_ALL, 0, at_root, mine, 8, IN_SEGMENT);
  gasnet_coll_broadcast (GASNET_TEAM_ALL, mine, 0, at_root, 8, IN_SEGMENT);
  gasnet_coll_scatter (GASNET_TEAM_ALL, mine, 0, at_root, 8, IN_SEGMENT);
  gasnet_coll_reduce (GASNET_TEAM_ALL, 0, at_root, mine, 1, 0, 8, THREADS, 0, 0, IN_SEGMENT);
  gasnet_coll_reduce (GASNET_TEAM_ALL, 0, at_root, at_root, 0, 0, 8, 2, 0, 0, IN_SEGMENT);
  gasnet_coll_gather_all (GASNET_TEAM_ALL, mine, nothing, 8, IN_SEGMENT | GASNET_COLL_IN_PLACE);
}

static void
wrong_team (void)
{
  gasnet_team_handle_t odd;

  init ();
  odd = gasnet_coll_team_split (GASNET_TEAM_ALL, MYTHREAD - 1, 0);
  if (MYTHREAD == 0)
    gasnet_coll_team_free (odd);
  barrier ();
}

static void
too_early (void)
{
  if (MYTHREAD == 0)
    gasnet_coll_wait_sync (
        gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &word, 0, &word, 8, MYMY | GASNET_COLL_LOCAL));
  barrier ();
}

/* Offsets that say what is so without them are the same. */
static void
right_lists (void)
{
  static const size_t sizes[] = { 3, 5 }, offsets[] = { 0, 3 };
  char from[8] = "abcdefgh", to[5];

  init ();
  gasnet_coll_scatterv (GASNET_TEAM_ALL, to, 0, from, sizes, MYTHREAD == 0 ? offsets : NULL,
                        MYMY | GASNET_COLL_LOCAL);
  CHECK (memcmp (to, from + offsets[MYTHREAD], sizes[MYTHREAD]) == 0);
}

/* What is in order is not complained about. */
static void
right_use (void)
{
  long all[64], mine = MYTHREAD, one = 0;

  init ();
  for (int i = 0; i < 50; i++)
    {
      gasnet_coll_handle_t h = gasnet_coll_gather_all_nb (GASNET_TEAM_ALL, all, &mine, sizeof mine,
                                                          MYMY | GASNET_COLL_LOCAL);
      gasnet_coll_broadcast (GASNET_TEAM_ALL, &one, i % THREADS, &mine, 1,
                             MYMY | GASNET_COLL_LOCAL);
      CHECK (one == i % THREADS);
      gasnet_coll_wait_sync (h);
      CHECK (all[THREADS - 1] == THREADS - 1);
    }
}

static void
test_wrong_use (void **state)
{
  static const struct
  {
    upc_body *body;
    const char *text;
  } wrong[] = {
    { wrong_aggregate,
      "prog: error: thread 0: gasnet_coll_broadcast: AGGREGATE is for functions that "
      "only start an operation\n" },
    { wrong_thread,
      "prog: error: thread 0: gasnet_coll_wait_sync: the handle is of thread 1, which "
      "alone can complete it\n" },
    { wrong_function, "prog: error: thread 0: function 3 is not in the table of gasnet_coll_init, "
                      "which has 1\n" },
    { wrong_flags, "prog: error: thread 0: gasnet_coll_scan: the flags 0x92 need either "
                   "INCLUSIVE_SCAN or EXCLUSIVE_SCAN\n" },
    { no_flag, "prog: error: thread 0: invalid flag for gasnet_coll_broadcast: 0x4000\n" },
    { exchange_of_views_in_place,
      "prog: error: thread 0: gasnet_coll_exchangev: IN_PLACE is not for it\n" },
    { results_nowhere, "prog: error: thread 0: gasnet_coll_scan: all results at image 2 of 2\n" },
    { wrong_segment, "prog: error: thread 0: gasnet_coll_broadcast: the destination is not in the "
                     "segment, although the flags say so\n" },
    { wrong_element_of_a_list,
      "prog: error: thread 0: gasnet_coll_broadcastm: the destination is not in the "
      "segment, although the flags say so\n" },
    { wrong_last_block, "prog: error: thread 0: gasnet_coll_scatter: the source is not in the "
                        "segment, although the flags say so\n" },
    { too_early, "prog: error: thread 0: gasnet_coll_broadcast_nb before gasnet_coll_init\n" },
    { wrong_team,
      "prog: error: thread 0: gasnet_coll_team_free: this thread is not in the team\n" },
  };

  (void) state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_threads (2, 0, wrong[i].body, 1, wrong[i].text);
  expect_threads (
      2, 0, wrong_order, 1,
      "prog: error: thread 1: gasnet_coll_gather, but thread 0 calls gasnet_coll_broadcast\n");
  expect_threads (
      2, 0, wrong_sizes, 1,
      "prog: error: thread 1: gasnet_coll_scatterv: other sizes or offsets than on thread 0\n");
  expect_good (2, 0, right_lists);
  expect_good (2, 0, ignored_addresses);
  expect_good (3, 0, right_use);
}

static void
expect_flags (int first, int second, const char *text)
{
  flags_of[0] = first;
  flags_of[1] = second;
  expect_threads (2, 0, one_by_one, 1, text);
}

#define IN_0 "prog: error: thread 0: gasnet_coll_broadcast: the flags "
#define IN_1 "prog: error: thread 1: gasnet_coll_broadcast: "

static void
test_wrong_flags (void **state)
{
  int local = NOSYNC | GASNET_COLL_LOCAL, single = NOSYNC | GASNET_COLL_SINGLE;
  static long words[4];

  (void) state;
  for (int t = 0; t < 2; t++)
    {
      source_of[t] = &words[0];
      destination_of[t] = &words[1];
    }
  expect_flags (local & ~GASNET_COLL_IN_NOSYNC, local, IN_0 "0xa0 need exactly one IN_…SYNC\n");
  expect_flags (local | GASNET_COLL_IN_MYSYNC, local, IN_0 "0xa6 need exactly one IN_…SYNC\n");
  expect_flags (local & ~GASNET_COLL_OUT_NOSYNC, local, IN_0 "0x84 need exactly one OUT_…SYNC\n");
  expect_flags (local | GASNET_COLL_SINGLE, local, IN_0 "0xe4 need either SINGLE or LOCAL\n");
  expect_flags (NOSYNC, local, IN_0 "0x24 need either SINGLE or LOCAL\n");
  expect_flags (local, single, IN_1 "the flags are 0x64, but 0xa4 on thread 0\n");
  source_of[1] = &words[2];
  expect_flags (single, single, IN_1 "another source than on thread 0\n");
  source_of[1] = &words[0];
  destination_of[1] = &words[3];
  expect_flags (single, single, IN_1 "another destination than on thread 0\n");
}

/* Either thread may be the first. */
static void
test_wrong_arguments (void **state)
{
  struct child child = run_child (run_upc_threads, &(struct upc_run){ 2, 0, wrong_bytes });

  (void) state;
  assert_int_equal (child.status, 1);
  if (strcmp (child.text,
              "prog: error: thread 0: gasnet_coll_broadcast: nbytes is 4, but 8 on thread 1\n"))
    assert_string_equal (child.text,
                         "prog: error: thread 1: gasnet_coll_broadcast: nbytes is 8, but 4 on "
                         "thread 0\n");
}

static int
check_on (void **state)
{
  (void) state;
  upcr_options.check = true;
  return 0;
}

static int
check_off (void **state)
{
  (void) state;
  upcr_options.check = false;
  return 0;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (test_wrong_use, check_on, check_off),
    cmocka_unit_test_setup_teardown (test_wrong_flags, check_on, check_off),
    cmocka_unit_test_setup_teardown (test_wrong_arguments, check_on, check_off),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
