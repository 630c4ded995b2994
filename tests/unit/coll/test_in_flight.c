/* Collective operations in flight: very many of them, completed in any order; groups of
   them; progress made in other waits; teams that overlap; extensions; wrong use. */

#include "tests/unit/coll/collective.h"
#include "tests/unit/upc_threads.h"

#define MYMY (GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC)
#define ALLALL (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)

enum { MANY = 65535 };

static void *
memory (size_t bytes)
{
  void *block = calloc (1, bytes);

  CHECK (block);
  return block;
}

static void
shuffle (size_t *order, size_t n, unsigned seed)
{
  for (size_t i = 0; i < n; i++)
    order[i] = i;
  for (size_t i = n - 1; i > 0; i--)
    {
      seed = seed * 1664525 + 1013904223;
      size_t j = seed % (i + 1), kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
}

/* Thread 0 starts all before any other thread starts one, and each completes them in an
   order of its own. */
static void
many (void)
{
  gasnet_coll_handle_t *handles = memory (MANY * sizeof *handles);
  int *src = memory (MANY * sizeof *src), *dst = memory (MANY * sizeof *dst);
  size_t *order = memory (MANY * sizeof *order);
  static _Atomic bool is_first_through;

  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  while (MYTHREAD != 0 && !is_first_through)
    upcr_poll ();
  for (int i = 0; i < MANY; i++)
    {
      src[i] = i + 1;
      handles[i] = gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &dst[i], i % THREADS, &src[i],
                                             sizeof *src, modes[i % MODES] | GASNET_COLL_LOCAL);
    }
  is_first_through = true;
  shuffle (order, MANY, MYTHREAD + 1);
  for (int i = 0; i < MANY; i++)
    if (i % 3)
      gasnet_coll_wait_sync (handles[order[i]]);
    else
      while (!gasnet_coll_try_sync (handles[order[i]]))
        continue;
  barrier ();
  for (int i = 0; i < MANY; i++)
    CHECK (dst[i] == i + 1);
  free (handles);
  free (src);
  free (dst);
  free (order);
}

static void
test_many (void **state)
{
  (void) state;
  expect_good (3, 0, many);
}

static void
add (void *results, size_t result_count, const void *left_operands, size_t left_count,
     const void *right_operands, size_t elem_size, int flags, int arg)
{
  const long *left = left_operands, *right = right_operands;
  long *r = results, sum = 0;

  (void) elem_size, (void) flags, (void) arg;
  for (size_t i = 0; i < left_count; i++)
    sum += left[i];
  for (size_t i = 0; i < result_count; i++)
    r[i] = sum += right[i];
}

static const gasnet_coll_fn_entry_t table[] = {
  { (gasnet_coll_fn_t) add, GASNET_COLL_AMSAFE },
  { (gasnet_coll_fn_t) gasnet_coll_minloc_double, 0 },
  { (gasnet_coll_fn_t) gasnet_coll_maxloc_int, 0 },
};

/* Every kind at once, in groups of random size; the last of a group is blocking at times. */
static void
groups (void)
{
  enum { ROUNDS = 300, SLOTS = 64 };
  long *src = memory (THREADS * sizeof *src), *all = memory (SLOTS * THREADS * sizeof *all);
  long sums[SLOTS];

  gasnet_coll_init (NULL, 0, table, 3, 0);
  for (long round = 0; round < ROUNDS; round++)
    {
      int n = round * 7 % SLOTS + 1;
      gasnet_coll_handle_t last = GASNET_COLL_INVALID_HANDLE;

      for (int t = 0; t < THREADS; t++)
        src[t] = round * 1000 + MYTHREAD * 10 + t;
      maybe_late (round);
      for (int i = 0; i < n; i++)
        {
          bool is_last = i == n - 1;
          int flags = MYMY | GASNET_COLL_LOCAL | (is_last ? 0 : GASNET_COLL_AGGREGATE);

          if (is_last && round % 3 == 0)
            gasnet_coll_exchange (GASNET_TEAM_ALL, all + i * THREADS, src, sizeof *src, flags);
          else if (i % 2)
            last = gasnet_coll_reduce_all_nb (GASNET_TEAM_ALL, &sums[i], src, 1, 0, sizeof *src,
                                              THREADS, 0, 0, flags);
          else
            last = gasnet_coll_exchange_nb (GASNET_TEAM_ALL, all + i * THREADS, src, sizeof *src,
                                            flags);
        }
      gasnet_coll_wait_sync (last);
      for (int i = 0; i < n; i++)
        for (int t = 0; t < THREADS; t++)
          if (i % 2 && !(i == n - 1 && round % 3 == 0))
            CHECK (sums[i] == THREADS * round * 1000 + 5 * THREADS * (THREADS - 1));
          else
            CHECK (all[i * THREADS + t] == round * 1000 + t * 10 + MYTHREAD);
    }
  free (src);
  free (all);
}

static void
test_groups (void **state)
{
  (void) state;
  for (size_t i = 0; i < sizeof some_threads / sizeof *some_threads; i++)
    expect_good (some_threads[i], 0, groups);
}

static void
some (void)
{
  enum { ROUNDS = 100, N = 20 };
  gasnet_coll_handle_t handles[N];
  int dst[N], src;

  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  CHECK (gasnet_coll_try_sync (GASNET_COLL_INVALID_HANDLE));
  for (int round = 0; round < ROUNDS; round++)
    {
      src = round;
      for (int i = 0; i < N; i++)
        handles[i] = gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &dst[i], i % THREADS, &src, sizeof src,
                                               ALLALL | GASNET_COLL_LOCAL);
      if (round % 4 == 0)
        gasnet_coll_wait_sync_all (handles, N);
      else if (round % 4 == 1)
        while (!gasnet_coll_try_sync_all (handles, N))
          continue;
      else
        for (bool is_live = true; is_live;)
          {
            if (round % 4 == 2)
              gasnet_coll_wait_sync_some (handles, N);
            else
              (void) gasnet_coll_try_sync_some (handles, N);
            is_live = false;
            for (int i = 0; i < N; i++)
              is_live |= handles[i] != GASNET_COLL_INVALID_HANDLE;
          }
      for (int i = 0; i < N; i++)
        CHECK (handles[i] == GASNET_COLL_INVALID_HANDLE && dst[i] == round);
    }
}

static void
test_some (void **state)
{
  (void) state;
  expect_good (1, 0, some);
  expect_good (4, 0, some);
}

/* Thread 1 waits for a lock, thread 0 for an operation that needs thread 1's part: this
   is made while thread 1 waits, or for it. */
static void
elsewhere (void)
{
  static upcr_pts lock;
  struct upcr_lock *l;
  gasnet_coll_handle_t handle;
  int dst = 0, src = 5;

  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  lock = upcr_all_lock_alloc ();
  l = upcr_lock_of (lock, "upc_lock");
  if (MYTHREAD == 0)
    upcr_lock_acquire (l);
  barrier ();
  handle = gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &dst, THREADS - 1, &src, sizeof src,
                                     ALLALL | GASNET_COLL_LOCAL);
  if (MYTHREAD == 0)
    {
      gasnet_coll_wait_sync (handle);
      upcr_lock_release (l);
    }
  else
    {
      upcr_lock_acquire (l);
      upcr_lock_release (l);
      gasnet_coll_wait_sync (handle);
    }
  CHECK (dst == 5);
}

static void
test_elsewhere (void **state)
{
  (void) state;
  expect_good (2, 0, elsewhere);
  expect_good (7, 0, elsewhere);
}

/* Rows and columns of a grid, and the reverse of all, at the same time. */
static void
teams (void)
{
  int width = THREADS > 3 ? 2 : 1, row = MYTHREAD / width, column = MYTHREAD % width;
  gasnet_team_handle_t rows, columns, reverse, odd;

  gasnet_coll_init (NULL, 0, table, 3, 0);
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
                                        gasnet_coll_team_size (rows), 0, 0, MYMY | GASNET_COLL_LOCAL);
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

static const gasnet_coll_fn_entry_t more_table[] = {
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
#define LOCATION(type, function, is_better)                                     \
  static void                                                                   \
  location_##function (void)                                                    \
  {                                                                             \
    enum { EACH = 3 };                                                          \
    type mine[EACH], best, want = { 0 };                                        \
                                                                                \
    for (int i = 0; i < EACH * THREADS; i++)                                    \
      {                                                                         \
        type it = { (i * 7) % 5 - 2, 1000 - i };                                \
        if (i / EACH == MYTHREAD)                                               \
          mine[i % EACH] = it;                                                  \
        if (i == 0 || it.value is_better want.value                             \
            || (it.value == want.value && it.index < want.index))               \
          want = it;                                                            \
      }                                                                         \
    gasnet_coll_reduce_all (GASNET_TEAM_ALL, &best, mine, EACH, 0, sizeof best, EACH * THREADS, \
                            function, 0, (function % 2 ? ALLALL : MYMY) | GASNET_COLL_LOCAL); \
    CHECK (best.value == want.value && best.index == want.index);               \
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
  gasnet_coll_init (NULL, 0, more_table, sizeof more_table / sizeof *more_table, 0);
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
  enum { N = 3000 };
  static const gasnet_coll_fn_entry_t vectors[] = { { (gasnet_coll_fn_t) add_vectors, 0 } };
  int *src = memory (2 * N * sizeof *src), *dst = memory (2 * N * sizeof *dst);

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
        gasnet_coll_wait_sync (gasnet_coll_reduce_all_nb (GASNET_TEAM_ALL, dst, src, 2, 0,
                                                          N * sizeof *src, 2 * THREADS, 0, 0, flags));
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

/* Wrong use: each body ends the run with one line. */
static void
init (void)
{
  CHECK (upcr_check);
  gasnet_coll_init (NULL, 0, table, 3, 0);
}

static long word;

static void
wrong_bytes (void)
{
  init ();
  gasnet_coll_broadcast (GASNET_TEAM_ALL, &word, 0, &word, 4 + 4 * MYTHREAD, MYMY | GASNET_COLL_LOCAL);
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
    gasnet_coll_reduce (GASNET_TEAM_ALL, 0, &word, &word, 1, 0, 8, 2, 3, 0, MYMY | GASNET_COLL_LOCAL);
  barrier ();
}

static void
wrong_flags (void)
{
  init ();
  if (MYTHREAD == 0)
    gasnet_coll_scan (GASNET_TEAM_ALL, &word, 1, 0, &word, 1, 0, 8, 2, 0, 0, MYMY | GASNET_COLL_LOCAL);
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
    gasnet_coll_wait_sync (gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &word, 0, &word, 8,
                                                     MYMY | GASNET_COLL_LOCAL));
  barrier ();
}

/* What is in order is not complained about. */
static void
right_use (void)
{
  long all[64], mine = MYTHREAD, one = 0;

  init ();
  for (int i = 0; i < 50; i++)
    {
      gasnet_coll_handle_t h
        = gasnet_coll_gather_all_nb (GASNET_TEAM_ALL, all, &mine, sizeof mine, MYMY | GASNET_COLL_LOCAL);
      gasnet_coll_broadcast (GASNET_TEAM_ALL, &one, i % THREADS, &mine, 1, MYMY | GASNET_COLL_LOCAL);
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
    { wrong_aggregate, "prog: error: thread 0: gasnet_coll_broadcast: AGGREGATE is for functions that "
                       "only start an operation\n" },
    { wrong_thread, "prog: error: thread 0: gasnet_coll_wait_sync: the handle is of thread 1, which "
                    "alone can complete it\n" },
    { wrong_function, "prog: error: thread 0: function 3 is not in the table of gasnet_coll_init, "
                      "which has 3\n" },
    { wrong_flags, "prog: error: thread 0: gasnet_coll_scan: the flags 0x92 need either "
                   "INCLUSIVE_SCAN or EXCLUSIVE_SCAN\n" },
    { wrong_segment, "prog: error: thread 0: gasnet_coll_broadcast: the destination is not in the "
                     "segment, although the flags say so\n" },
    { too_early, "prog: error: thread 0: gasnet_coll_broadcast_nb before gasnet_coll_init\n" },
    { wrong_team, "prog: error: thread 0: gasnet_coll_team_free: this thread is not in the team\n" },
  };

  (void) state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_threads (2, 0, wrong[i].body, 1, wrong[i].text);
  expect_threads (2, 0, wrong_order, 1,
                  "prog: error: thread 1: gasnet_coll_gather, but thread 0 calls gasnet_coll_broadcast\n");
  expect_good (3, 0, right_use);
}

/* Either thread may be the first. */
static void
test_wrong_arguments (void **state)
{
  struct child child = run_child (run_upc_threads, &(struct upc_run){ 2, 0, wrong_bytes });

  (void) state;
  assert_int_equal (child.status, 1);
  if (strcmp (child.text, "prog: error: thread 0: gasnet_coll_broadcast: nbytes is 4, but 8 on thread 1\n"))
    assert_string_equal (child.text, "prog: error: thread 1: gasnet_coll_broadcast: nbytes is 8, but 4 on "
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
    cmocka_unit_test (test_many),           cmocka_unit_test (test_groups),
    cmocka_unit_test (test_some),           cmocka_unit_test (test_elsewhere),
    cmocka_unit_test (test_teams),          cmocka_unit_test (test_extensions),
    cmocka_unit_test (test_large_elements), cmocka_unit_test_setup_teardown (test_wrong_use, check_on, check_off),
    cmocka_unit_test_setup_teardown (test_wrong_arguments, check_on, check_off),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
