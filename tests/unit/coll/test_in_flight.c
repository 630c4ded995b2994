/* Collective operations in flight: very many of them, completed in any order; groups of
   them; progress made in other waits. */

#include "tests/unit/coll/collective.h"
#include "tests/unit/upc_threads.h"

#include <sched.h>

enum
{
  MANY = 65535
};

static const gasnet_coll_fn_entry_t table[] = { { (gasnet_coll_fn_t) add_longs,
                                                  GASNET_COLL_AMSAFE } };

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
  gasnet_coll_handle_t *handles = zeroed (MANY * sizeof *handles);
  int *src = zeroed (MANY * sizeof *src), *dst = zeroed (MANY * sizeof *dst);
  size_t *order = zeroed (MANY * sizeof *order);
  static _Atomic bool is_first_through;

  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  while (MYTHREAD != 0 && !is_first_through)
    sched_yield ();
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
      /* The other threads may have no CPU. */
      while (!gasnet_coll_try_sync (handles[order[i]]))
        sched_yield ();
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

/* Every kind at once, in groups of random size; the last of a group is blocking at times. */
static void
groups (void)
{
  enum
  {
    ROUNDS = 300,
    SLOTS = 64
  };
  long *src = zeroed (THREADS * sizeof *src), *all = zeroed (SLOTS * THREADS * sizeof *all);
  long sums[SLOTS];

  gasnet_coll_init (NULL, 0, table, 1, 0);
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
  enum
  {
    ROUNDS = 100,
    N = 20
  };
  gasnet_coll_handle_t handles[N];
  int dst[N], src;

  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  CHECK (gasnet_coll_try_sync (GASNET_COLL_INVALID_HANDLE));
  for (int round = 0; round < ROUNDS; round++)
    {
      src = round;
      for (int i = 0; i < N; i++)
        handles[i] = gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &dst[i], i % THREADS, &src,
                                               sizeof src, ALLALL | GASNET_COLL_LOCAL);
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

/* Thread 0 comes to two operations when thread 1 has started both, to the second only when
   thread 1 has seen that the first is complete; wait and try say so with the other one live, and
   not before. */
static void
one_of_two (void)
{
  enum
  {
    FLAGS = ALLALL | GASNET_COLL_LOCAL,
    STEPS = 3
  };
  static _Atomic int step; /* of thread 1: both started, one complete, both */
  static const struct timespec a_while = { .tv_nsec = 2000000 };
  gasnet_coll_handle_t handles[2];
  int dst[2], src[2] = { 0, 0 }, is_some = 0;

  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  for (int round = 0; round < 2; round++)
    {
      for (int i = 0; i < 2; i++)
        {
          while (MYTHREAD == 0 && step <= STEPS * round + i)
            upcr_poll ();
          if (MYTHREAD == 0)
            nanosleep (&a_while, NULL);
          handles[i] = gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &dst[i], 0, &src[i], sizeof (int),
                                                 FLAGS);
        }
      if (MYTHREAD == 1)
        step++;
      if (MYTHREAD == 1 && round == 0)
        gasnet_coll_wait_sync_some (handles, 2);
      while (MYTHREAD == 1 && round == 1 && handles[0] != GASNET_COLL_INVALID_HANDLE)
        {
          is_some = gasnet_coll_try_sync_some (handles, 2);
          CHECK (is_some == (handles[0] == GASNET_COLL_INVALID_HANDLE));
        }
      CHECK (MYTHREAD == 0 || handles[0] == GASNET_COLL_INVALID_HANDLE);
      CHECK (MYTHREAD == 0 || handles[1] != GASNET_COLL_INVALID_HANDLE);
      if (MYTHREAD == 1)
        step++;
      gasnet_coll_wait_sync_all (handles, 2);
      if (MYTHREAD == 1)
        step++;
    }
}

static void
test_one_of_two (void **state)
{
  (void) state;
  expect_good (2, 0, one_of_two);
}

/* With OUT_ALLSYNC nobody is through before the last thread's data has moved, which with
   IN_MYSYNC is not before that thread has come: the operation in flight, and the blocking one,
   with blocks that go different ways. */
static _Atomic int come;

static gasnet_coll_handle_t
start_one (int kind, char *dst, char *src, size_t bytes, bool is_blocking)
{
  enum
  {
    FLAGS = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_ALLSYNC | GASNET_COLL_LOCAL
  };
  gasnet_team_handle_t all = GASNET_TEAM_ALL;

#define EITHER(name, ...)                                     \
  if (!is_blocking)                                           \
    return gasnet_coll_##name##_nb (all, __VA_ARGS__, FLAGS); \
  gasnet_coll_##name (all, __VA_ARGS__, FLAGS);               \
  return GASNET_COLL_INVALID_HANDLE

  switch (kind)
    {
    case 0:
      EITHER (broadcast, dst, 0, src, bytes);
    case 1:
      EITHER (scatter, dst, 0, src, bytes);
    case 2:
      EITHER (gather, 0, dst, src, bytes);
    case 3:
      EITHER (gather_all, dst, src, bytes);
    case 4:
      EITHER (exchange, dst, src, bytes);
    case 5:
      EITHER (reduce, 0, dst, src, bytes / sizeof (long), 0, sizeof (long),
              THREADS * bytes / sizeof (long), 0, 0);
    default:
      EITHER (reduce_all, dst, src, bytes / sizeof (long), 0, sizeof (long),
              THREADS * bytes / sizeof (long), 0, 0);
    }
#undef EITHER
}

static void
await_the_last (void)
{
  static const size_t sizes[] = { 8, 6000, 600000 };
  static const struct timespec a_while = { .tv_nsec = 2000000 };
  char *src = zeroed (sizes[2] * THREADS), *dst = zeroed (sizes[2] * THREADS);
  int round = 0;

  gasnet_coll_init (NULL, 0, table, 1, 0);
  for (int size = 0; size < 3; size++)
    for (int kind = 0; kind <= 6; kind++)
      for (int is_blocking = 0; is_blocking < 2; is_blocking++)
        {
          round++;
          if (MYTHREAD == THREADS - 1)
            {
              nanosleep (&a_while, NULL);
              come = round;
            }
          gasnet_coll_wait_sync (start_one (kind, dst, src, sizes[size], is_blocking));
          CHECK (come == round);
          barrier ();
        }
  free (src);
  free (dst);
}

static void
test_await_the_last (void **state)
{
  (void) state;
  expect_good (2, 0, await_the_last);
  expect_good (3, 0, await_the_last);
}

/* A group is complete when all of it is, and a try never waits: the last call of the group is
   complete long before the first, for which thread 0 has to come. */
static void
try_group (void)
{
  static _Atomic bool is_tried;
  int dst[2] = { 0, 0 }, src[2] = { 3, 4 };
  gasnet_coll_handle_t handle;

  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  while (MYTHREAD == 0 && !is_tried)
    upcr_poll ();
  (void) gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &dst[0], 0, &src[0], sizeof (int),
                                   ALLALL | GASNET_COLL_LOCAL | GASNET_COLL_AGGREGATE);
  handle = gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &dst[1], 1, &src[1], sizeof (int),
                                     NOSYNC | GASNET_COLL_LOCAL);
  if (MYTHREAD == 1)
    {
      for (int i = 0; i < 100; i++)
        CHECK (!gasnet_coll_try_sync (handle));
      is_tried = true;
    }
  gasnet_coll_wait_sync (handle);
  barrier ();
  CHECK (dst[0] == 3 && dst[1] == 4);
}

static void
test_try_group (void **state)
{
  (void) state;
  expect_good (2, 0, try_group);
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
  lock = upcr_all_lock_alloc (NULL);
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

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_many),           cmocka_unit_test (test_groups),
    cmocka_unit_test (test_some),           cmocka_unit_test (test_one_of_two),
    cmocka_unit_test (test_await_the_last), cmocka_unit_test (test_try_group),
    cmocka_unit_test (test_elsewhere),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
