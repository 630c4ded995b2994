/* Teams: overlapping ones, with operations in flight in several at once. */

#include "tests/unit/coll/collective.h"
#include "tests/unit/upc_threads.h"

static const gasnet_coll_fn_entry_t table[] = { { (gasnet_coll_fn_t) add_longs,
                                                  GASNET_COLL_AMSAFE } };

/* Rows and columns of a grid, and the reverse of all, at the same time. */
static void
teams (void)
{
  int width = THREADS > 3 ? 2 : 1, row = MYTHREAD / width, column = MYTHREAD % width;
  gasnet_team_handle_t rows, columns, reverse, odd;

  gasnet_coll_init (NULL, 0, table, 1, 0);
  rows = gasnet_coll_team_split (GASNET_TEAM_ALL, row, 0);
  columns = gasnet_coll_team_split (GASNET_TEAM_ALL, column, 0);
  reverse = gasnet_coll_team_split (GASNET_TEAM_ALL, 0, -MYTHREAD);
  odd = gasnet_coll_team_split (reverse, MYTHREAD % 2 ? 3 : -1, 0);
  CHECK ((odd == GASNET_TEAM_NONE) == (MYTHREAD % 2 == 0));
  CHECK (gasnet_coll_team_size (GASNET_TEAM_ALL) == (unsigned) THREADS);
  CHECK (gasnet_coll_team_rank (reverse) == (unsigned) (THREADS - 1 - MYTHREAD));
  CHECK (gasnet_coll_team_image (reverse, 0) == (unsigned) (THREADS - 1));
  CHECK (gasnet_coll_team_rank (rows) == (unsigned) column);
  for (int round = 0; round < 200; round++)
    {
      long mine = MYTHREAD + round, in_row, in_column, in_all, first, sum = 0;
      gasnet_coll_handle_t h[3];

      maybe_late (round);
      h[0] = gasnet_coll_reduce_all_nb (rows, &in_row, &mine, 1, 0, sizeof mine,
                                        gasnet_coll_team_size (rows), 0, 0,
                                        MYMY | GASNET_COLL_LOCAL);
      h[1] = gasnet_coll_reduce_all_nb (columns, &in_column, &mine, 1, 0, sizeof mine,
                                        gasnet_coll_team_size (columns), 0, 0,
                                        ALLALL | GASNET_COLL_LOCAL);
      gasnet_coll_broadcast (reverse, &first, 0, &mine, sizeof mine, MYMY | GASNET_COLL_LOCAL);
      h[2] = gasnet_coll_reduce_all_nb (GASNET_TEAM_ALL, &in_all, &mine, 1, 0, sizeof mine, THREADS,
                                        0, 0, MYMY | GASNET_COLL_LOCAL);
      if (odd != GASNET_TEAM_NONE)
        {
          gasnet_coll_reduce_all (odd, &sum, &mine, 1, 0, sizeof mine, THREADS / 2, 0, 0,
                                  ALLALL | GASNET_COLL_LOCAL);
          for (int t = 1; t < THREADS; t += 2)
            sum -= t + round;
          CHECK (sum == 0);
        }
      gasnet_coll_wait_sync_all (h, 3);
      CHECK (first == THREADS - 1 + round);
      for (int t = 0; t < THREADS; t++)
        {
          in_all -= t + round;
          in_row -= t / width == row ? t + round : 0;
          in_column -= t % width == column ? t + round : 0;
        }
      CHECK (in_all == 0 && in_row == 0 && in_column == 0);
    }
  gasnet_coll_team_free (rows);
  gasnet_coll_team_free (columns);
  gasnet_coll_team_free (reverse);
  if (odd != GASNET_TEAM_NONE)
    gasnet_coll_team_free (odd);
}

static void
test_teams (void **state)
{
  (void) state;
  for (size_t i = 0; i < sizeof some_threads / sizeof *some_threads; i++)
    expect_good (some_threads[i], 0, teams);
}

/* What the members of a team have in their hands is one value. */
static void
handles (void)
{
  static gasnet_team_handle_t halves[UPCR_MAX_THREADS];
  gasnet_team_handle_t half;

  gasnet_coll_init (NULL, 0, table, 1, 0);
  half = halves[MYTHREAD] = gasnet_coll_team_split (GASNET_TEAM_ALL, MYTHREAD % 2, 0);
  barrier ();
  for (int t = 0; t < THREADS; t++)
    CHECK ((halves[t] == half) == (t % 2 == MYTHREAD % 2));
  barrier ();
  gasnet_coll_team_free (half);
}

static void
test_handles (void **state)
{
  (void) state;
  expect_good (4, 0, handles);
  expect_good (5, 0, handles);
}

/* Groups of two teams at the same time: what is started for one is not part of the other's. */
static void
groups (void)
{
  gasnet_team_handle_t half, all = GASNET_TEAM_ALL;
  int local = MYMY | GASNET_COLL_LOCAL, group = local | GASNET_COLL_AGGREGATE;
  unsigned size;

  gasnet_coll_init (NULL, 0, table, 1, 0);
  half = gasnet_coll_team_split (all, MYTHREAD % 2, 0);
  size = gasnet_coll_team_size (half);
  for (int round = 0; round < 100; round++)
    {
      long one = 1, in_all = 0, in_half = 0, twice_all = 0, twice_half = 0;
      gasnet_coll_handle_t of_half, of_all;

      maybe_late (round);
      gasnet_coll_reduce_all_nb (half, &in_half, &one, 1, 0, sizeof one, size, 0, 0, group);
      gasnet_coll_reduce_all_nb (all, &in_all, &one, 1, 0, sizeof one, THREADS, 0, 0, group);
      of_half = gasnet_coll_reduce_all_nb (half, &twice_half, &one, 1, 0, sizeof one, size, 0, 0,
                                           local);
      of_all = gasnet_coll_reduce_all_nb (all, &twice_all, &one, 1, 0, sizeof one, THREADS, 0, 0,
                                          local);
      gasnet_coll_wait_sync (of_half);
      CHECK (in_half == (long) size && twice_half == (long) size);
      gasnet_coll_wait_sync (of_all);
      CHECK (in_all == THREADS && twice_all == THREADS);
    }
  gasnet_coll_team_free (half);
}

static void
test_groups (void **state)
{
  (void) state;
  expect_good (3, 0, groups);
  expect_good (4, 0, groups);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_teams),
    cmocka_unit_test (test_handles),
    cmocka_unit_test (test_groups),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
