/* Members that are many operations ahead of others, as those are that have data and wait for
   nobody: what they post stays until the last has seen it. */

#include "tests/unit/coll/collective.h"

enum
{
  ROUNDS = 200,
  MOST_BYTES = 2000,
  MOST_THREADS = 5
};

typedef void follow (long round, size_t bytes);

/* The thread that comes late, behind all others. */
static int late;
static size_t block_bytes;
static follow *operation;
static _Alignas(8) char src[MOST_THREADS][MOST_THREADS * MOST_BYTES],
    dst[MOST_THREADS][MOST_THREADS * MOST_BYTES];

static char
value (long round, int thread, size_t b)
{
  return round * 5 + thread * 3 + b;
}

static void
fill (char *data, long round, int thread, size_t bytes)
{
  for (size_t b = 0; b < bytes; b++)
    data[b] = value (round, thread, b);
}

static void
check (const char *data, long round, int thread, size_t first, size_t bytes)
{
  for (size_t b = 0; b < bytes; b++)
    CHECK (data[b] == value (round, thread, first + b));
}

static void
follow_broadcast (long round, size_t bytes)
{
  if (MYTHREAD == 0)
    fill (src[0], round, 0, bytes);
  gasnet_coll_broadcast (GASNET_TEAM_ALL, dst[MYTHREAD], 0, src[MYTHREAD], bytes,
                         MYMY | GASNET_COLL_LOCAL);
  check (dst[MYTHREAD], round, 0, 0, bytes);
}

static void
follow_scatter (long round, size_t bytes)
{
  if (MYTHREAD == 0)
    fill (src[0], round, 0, THREADS * bytes);
  gasnet_coll_scatter (GASNET_TEAM_ALL, dst[MYTHREAD], 0, src[MYTHREAD], bytes,
                       MYMY | GASNET_COLL_LOCAL);
  check (dst[MYTHREAD], round, 0, MYTHREAD * bytes, bytes);
}

static void
follow_gather (long round, size_t bytes)
{
  fill (src[MYTHREAD], round, MYTHREAD, bytes);
  gasnet_coll_gather (GASNET_TEAM_ALL, late, dst[MYTHREAD], src[MYTHREAD], bytes,
                      MYMY | GASNET_COLL_LOCAL);
  for (int t = 0; MYTHREAD == late && t < THREADS; t++)
    check (dst[late] + t * bytes, round, t, 0, bytes);
}

static void
follow_reduce (long round, size_t bytes)
{
  long *mine = (long *) src[MYTHREAD], *sum = (long *) dst[MYTHREAD];
  size_t n = bytes / sizeof (long);

  for (size_t i = 0; i < n; i++)
    mine[i] = round + MYTHREAD;
  gasnet_coll_reduce (GASNET_TEAM_ALL, late, sum, mine, n, 0, sizeof (long), n * THREADS, 0, 0,
                      MYMY | GASNET_COLL_LOCAL);
  CHECK (MYTHREAD != late || *sum == (long) n * (round * THREADS + THREADS * (THREADS - 1) / 2));
}

static void
follow_scan (long round, size_t bytes)
{
  long *mine = (long *) src[MYTHREAD], *sums = (long *) dst[MYTHREAD], n = bytes / sizeof (long);
  int flags = MYMY | GASNET_COLL_LOCAL | GASNET_COLL_INCLUSIVE_SCAN;

  for (long i = 0; i < n; i++)
    mine[i] = round;
  gasnet_coll_scan (GASNET_TEAM_ALL, sums, n, 0, mine, n, 0, sizeof (long), n * THREADS, 0, 0,
                    flags);
  for (long i = 0; i < n; i++)
    CHECK (sums[i] == round * (MYTHREAD * n + i + 1));
}

/* Late at the start, and once more in the middle, where places for posts have been used. */
static void
run_behind (void)
{
  static const gasnet_coll_fn_entry_t table[] = { { (gasnet_coll_fn_t) add_longs,
                                                    GASNET_COLL_AMSAFE } };
  static const struct timespec a_while = { .tv_nsec = 3000000 };

  gasnet_coll_init (NULL, 0, table, 1, 0);
  for (long round = 0; round < ROUNDS; round++)
    {
      if (MYTHREAD == late && round % (ROUNDS / 2) == 0)
        nanosleep (&a_while, NULL);
      operation (round, block_bytes);
    }
}

static void
test_ahead (void **state)
{
  static follow *const operations[] = { follow_broadcast, follow_scatter, follow_gather,
                                        follow_reduce, follow_scan };
  static const size_t sizes[] = { 8, 400, MOST_BYTES };

  (void) state;
  for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
    for (size_t s = 0; s < 3; s++)
      {
        operation = operations[o];
        block_bytes = sizes[s];
        late = 1;
        expect_good (2, 0, run_behind);
        late = MOST_THREADS - 1;
        expect_good (MOST_THREADS, 0, run_behind);
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_ahead),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
