/* What gasnet_coll.h has beyond the notes it follows: contributions that vary in size,
   in-place operations, MINLOC and MAXLOC, elements of any size. */

#include "tests/unit/coll/collective.h"
#include "tests/unit/upc_threads.h"

/* Image t has t + 1 longs, or none where t is 2. */
static size_t
longs_of (int t)
{
  return t == 2 ? 0 : t + 1;
}

static void
varying (int flags)
{
  size_t bytes[64], offset[64], total = 0;
  long mine[65], all[64 * 66], here[65];

  for (int t = 0; t < THREADS; t++)
    {
      bytes[t] = longs_of (t) * sizeof (long);
      offset[t] = total + t * sizeof (long);
      total += bytes[t];
    }
  for (int i = 0; i < 65; i++)
    mine[i] = MYTHREAD * 100 + i;
  gasnet_coll_gather_allv (GASNET_TEAM_ALL, all, mine, bytes, offset, flags);
  for (int t = 0; t < THREADS; t++)
    for (size_t i = 0; i < longs_of (t); i++)
      CHECK (all[offset[t] / sizeof (long) + i] == (long) (t * 100 + i));
  gasnet_coll_wait_sync (
      gasnet_coll_scatterv_nb (GASNET_TEAM_ALL, here, THREADS - 1, all, bytes, offset, flags));
  for (size_t i = 0; i < longs_of (MYTHREAD); i++)
    CHECK (here[i] == (long) (MYTHREAD * 100 + i));
  gasnet_coll_gatherv (GASNET_TEAM_ALL, 0, all, mine, bytes, NULL, flags);
  for (int t = 0, at = 0; MYTHREAD == 0 && t < THREADS; at += longs_of (t), t++)
    for (size_t i = 0; i < longs_of (t); i++)
      CHECK (all[at + i] == (long) (t * 100 + i));
}

/* Image i has i + j + 1 bytes for image j: from its side and from the other's. */
static void
varying_exchange (int flags, bool is_blocking)
{
  size_t give[64], take[64], give_at[64], take_at[64], at = 0;
  unsigned char src[64 * 130], dst[64 * 130];

  for (int t = 0; t < THREADS; t++)
    {
      give[t] = take[t] = MYTHREAD + t + 1;
      give_at[t] = take_at[t] = at;
      at += give[t];
      memset (src + give_at[t], MYTHREAD * 16 + t, give[t]);
    }
  if (is_blocking)
    gasnet_coll_exchangev (GASNET_TEAM_ALL, dst, take, take_at, src, give, give_at, flags);
  else
    gasnet_coll_wait_sync (
        gasnet_coll_exchangev_nb (GASNET_TEAM_ALL, dst, take, take_at, src, give, NULL, flags));
  for (int t = 0; t < THREADS; t++)
    for (size_t i = 0; i < take[t]; i++)
      CHECK (dst[take_at[t] + i] == (unsigned char) (t * 16 + MYTHREAD));
}

static void
in_place (int flags)
{
  int root = THREADS - 1;
  int all[64], one = MYTHREAD + 1;

  flags |= GASNET_COLL_IN_PLACE;
  for (int t = 0; t < THREADS; t++)
    all[t] = MYTHREAD * 100 + t;
  gasnet_coll_exchange (GASNET_TEAM_ALL, all, NULL, sizeof *all, flags);
  for (int t = 0; t < THREADS; t++)
    CHECK (all[t] == t * 100 + MYTHREAD);
  gasnet_coll_wait_sync (gasnet_coll_exchange_nb (GASNET_TEAM_ALL, all, NULL, sizeof *all, flags));
  for (int t = 0; t < THREADS; t++)
    CHECK (all[t] == MYTHREAD * 100 + t);
  all[MYTHREAD] = one;
  gasnet_coll_gather_all (GASNET_TEAM_ALL, all, NULL, sizeof *all, flags);
  for (int t = 0; t < THREADS; t++)
    CHECK (all[t] == t + 1);
  gasnet_coll_scan (GASNET_TEAM_ALL, &one, 1, 0, NULL, 1, 0, sizeof one, THREADS, 2, 0,
                    flags | GASNET_COLL_EXCLUSIVE_SCAN);
  CHECK (MYTHREAD == 0 || one == MYTHREAD);
  gasnet_coll_broadcast (GASNET_TEAM_ALL, &one, root, NULL, sizeof one, flags);
  CHECK (THREADS == 1 || one == root);
  gasnet_coll_scatter (GASNET_TEAM_ALL, &one, root, all, sizeof one, flags);
  CHECK (MYTHREAD == root || one == MYTHREAD + 1);
  one = MYTHREAD + 7;
  all[MYTHREAD] = one;
  gasnet_coll_gather (GASNET_TEAM_ALL, root, all, &one, sizeof one, flags);
  for (int t = 0; MYTHREAD == root && t < THREADS; t++)
    CHECK (all[t] == t + 7);
}

static void
max_int (void *results, size_t result_count, const void *left_operands, size_t left_count,
         const void *right_operands, size_t elem_size, int flags, int arg)
{
  const int *left = left_operands, *right = right_operands;
  int *r = results, most = left_count ? left[0] : right[0];

  (void) elem_size, (void) flags, (void) arg;
  for (size_t i = 1; i < left_count; i++)
    most = left[i] > most ? left[i] : most;
  for (size_t i = 0; i < result_count; i++)
    r[i] = most = right[i] > most ? right[i] : most;
}

static const gasnet_coll_fn_entry_t table[] = {
  { (gasnet_coll_fn_t) gasnet_coll_maxloc_int, 0 },
  { (gasnet_coll_fn_t) gasnet_coll_minloc_double, 0 },
  { (gasnet_coll_fn_t) max_int, 0 },
  { (gasnet_coll_fn_t) gasnet_coll_minloc_int, 0 },
  { (gasnet_coll_fn_t) gasnet_coll_minloc_long, 0 },
  { (gasnet_coll_fn_t) gasnet_coll_maxloc_long, 0 },
  { (gasnet_coll_fn_t) gasnet_coll_minloc_float, 0 },
  { (gasnet_coll_fn_t) gasnet_coll_maxloc_float, 0 },
  { (gasnet_coll_fn_t) gasnet_coll_maxloc_double, 0 },
};

/* Equal values too, of which the first counts wherever it is. FUNCTION is a row above. */
#define LOCATION(type, function, is_better)                                                    \
  static void location_##function (void)                                                       \
  {                                                                                            \
    enum                                                                                       \
    {                                                                                          \
      EACH = 3                                                                                 \
    };                                                                                         \
    type mine[EACH], best, want = { 0 };                                                       \
                                                                                               \
    for (int i = 0; i < EACH * THREADS; i++)                                                   \
      {                                                                                        \
        type it = { (i * 7) % 5 - 2, 1000 - i };                                               \
        if (i / EACH == MYTHREAD)                                                              \
          mine[i % EACH] = it;                                                                 \
        if (i == 0 || it.value is_better want.value                                            \
            || (it.value == want.value && it.index < want.index))                              \
          want = it;                                                                           \
      }                                                                                        \
    gasnet_coll_reduce_all (GASNET_TEAM_ALL, &best, mine, EACH, 0, sizeof best, EACH *THREADS, \
                            function, 0, (function % 2 ? ALLALL : MYMY) | GASNET_COLL_LOCAL);  \
    CHECK (best.value == want.value && best.index == want.index);                              \
  }

LOCATION (gasnet_coll_int_loc_t, 0, >)
LOCATION (gasnet_coll_double_loc_t, 1, <)
LOCATION (gasnet_coll_int_loc_t, 3, <)
LOCATION (gasnet_coll_long_loc_t, 4, <)
LOCATION (gasnet_coll_long_loc_t, 5, >)
LOCATION (gasnet_coll_float_loc_t, 6, <)
LOCATION (gasnet_coll_float_loc_t, 7, >)
LOCATION (gasnet_coll_double_loc_t, 8, >)

static void
locations (void)
{
  location_0 ();
  location_1 ();
  location_3 ();
  location_4 ();
  location_5 ();
  location_6 ();
  location_7 ();
  location_8 ();
}

static void
extensions (void)
{
  gasnet_coll_init (NULL, 0, table, sizeof table / sizeof *table, 0);
  varying (MYMY | GASNET_COLL_LOCAL);
  barrier ();
  varying (ALLALL | GASNET_COLL_LOCAL);
  for (int i = 0; i < 20; i++)
    {
      varying_exchange ((i % 4 < 2 ? MYMY : ALLALL) | GASNET_COLL_LOCAL, i % 2);
      in_place ((i % 2 ? MYMY : ALLALL) | GASNET_COLL_LOCAL);
    }
  locations ();
}

static void
test_extensions (void **state)
{
  (void) state;
  for (size_t i = 0; i < sizeof some_threads / sizeof *some_threads; i++)
    expect_good (some_threads[i], 0, extensions);
}

/* Elements too large for the board, folded by a function that sees their size. */
static void
add_vectors (void *results, size_t result_count, const void *left_operands, size_t left_count,
             const void *right_operands, size_t elem_size, int flags, int arg)
{
  size_t n = elem_size / sizeof (int);
  const int *left = left_operands, *right = right_operands;
  int *r = results;

  (void) flags, (void) arg;
  for (size_t i = 0; i < n; i++)
    {
      int sum = 0;

      for (size_t k = 0; k < left_count; k++)
        sum += left[k * n + i];
      for (size_t k = 0; k < result_count; k++)
        r[k * n + i] = sum += right[k * n + i];
    }
}

static void
large_elements (void)
{
  enum
  {
    N = 3000
  };
  static const gasnet_coll_fn_entry_t vectors[] = { { (gasnet_coll_fn_t) add_vectors, 0 } };
  int *src = zeroed (2 * N * sizeof *src), *dst = zeroed (2 * N * sizeof *dst);

  gasnet_coll_init (NULL, 0, vectors, 1, 0);
  for (int round = 0; round < 2 * MODES; round++)
    {
      int flags = modes[round / 2] | GASNET_COLL_LOCAL;

      barrier ();
      for (int i = 0; i < 2 * N; i++)
        src[i] = MYTHREAD + i + round;
      barrier ();
      if (round % 2)
        gasnet_coll_reduce_all (GASNET_TEAM_ALL, dst, src, 2, 0, N * sizeof *src, 2 * THREADS, 0, 0,
                                flags);
      else
        gasnet_coll_wait_sync (gasnet_coll_reduce_all_nb (
            GASNET_TEAM_ALL, dst, src, 2, 0, N * sizeof *src, 2 * THREADS, 0, 0, flags));
      barrier ();
      for (int i = 0; i < N; i++)
        CHECK (dst[i] == THREADS * (THREADS - 1) + 2 * THREADS * (i + round) + THREADS * N);
    }
  free (src);
  free (dst);
}

static void
test_large_elements (void **state)
{
  (void) state;
  expect_good (1, 0, large_elements);
  expect_good (4, 0, large_elements);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_extensions),
    cmocka_unit_test (test_large_elements),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
