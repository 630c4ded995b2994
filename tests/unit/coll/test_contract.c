/* What functions of the table may rely on, and which blocks may be their own destination. */

#include "tests/unit/coll/operations.h"

enum
{
  SUM = 41,
  SCAN = 43
};

/* A sum that finds everything as it is promised: FLAGS has NONCOMM for the row that has it alone. */
static void
add_strictly (void *results, size_t result_count, const void *left_operands, size_t left_count,
              const void *right_operands, size_t elem_size, int flags, int arg)
{
  CHECK (elem_size == sizeof (long) && (arg == SUM || arg == SCAN));
  CHECK (result_count >= 1 && (arg == SCAN || (result_count == 1 && left_count >= 1)));
  CHECK (flags == 0);
  CHECK ((uintptr_t) results % GASNET_DATA_ALIGNMENT == 0);
  CHECK ((uintptr_t) right_operands % GASNET_DATA_ALIGNMENT == 0);
  CHECK (left_count == 0 || (uintptr_t) left_operands % GASNET_DATA_ALIGNMENT == 0);
  add_longs (results, result_count, left_operands, left_count, right_operands, elem_size, flags,
             arg);
}

static void
add_in_order (void *results, size_t result_count, const void *left_operands, size_t left_count,
              const void *right_operands, size_t elem_size, int flags, int arg)
{
  CHECK (flags == GASNET_COLL_NONCOMM);
  add_strictly (results, result_count, left_operands, left_count, right_operands, elem_size, 0,
                arg);
}

static const gasnet_coll_fn_entry_t table[] = {
  { (gasnet_coll_fn_t) add_strictly, 0 },
  { (gasnet_coll_fn_t) add_in_order, GASNET_COLL_NONCOMM },
};

static const struct
{
  size_t count, block, offset;
} shapes[] = { { 1, 1, 0 },  { 7, 1, 2 },   { 40, 3, 5 },
               { 33, 0, 1 }, { 700, 9, 4 }, { 2000, 500, 77 } };

static void
functions (void)
{
  enum
  {
    ROOM = 3000
  };
  long *src = (long *) symmetric (ROOM, sizeof *src), *dst = (long *) symmetric (ROOM, sizeof *dst);

  gasnet_coll_init (NULL, 0, table, 2, 0);
  for (int i = 0; i < ROOM; i++)
    src[i] = 1;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (int mode = 0; mode < MODES; mode++)
      for (int function = 0; function < 2; function++)
        {
          size_t count = shapes[s].count, block = shapes[s].block, offset = shapes[s].offset;
          int flags = modes[mode] | GASNET_COLL_SINGLE;

          barrier ();
          CALL (reduce, 0, dst, src, block, offset, sizeof *src, count, function, SUM, flags);
          barrier ();
          CHECK (MYTHREAD != 0 || *dst == (long) count);
          barrier ();
          CALL (scan, dst, block, offset, src, block, offset, sizeof *src, count, function, SCAN,
                flags | GASNET_COLL_INCLUSIVE_SCAN);
          barrier ();
        }
}

static void
test_functions (void **state)
{
  (void) state;
  all_ways (3, functions);
  both_ways (2, functions);
}

/* The source's block is the destination's, without IN_PLACE: of a broadcast the root's, else that
   which has the same number. */
static void
own_destinations (void)
{
  enum
  {
    N = 40
  };
  long *data = (long *) symmetric (N * THREADS, sizeof *data);
  size_t bytes = N * sizeof *data;
  int root = THREADS - 1;

  gasnet_coll_init (NULL, 0, NULL, 0, 0);
#define BEGIN                           \
  barrier ();                           \
  for (int i = 0; i < N * THREADS; i++) \
    data[i] = 1000 * MYTHREAD + i;      \
  barrier ();
  for (int mode = 0; mode < MODES; mode++)
    {
      int flags = modes[mode] | GASNET_COLL_LOCAL;
      long *mine = data + MYTHREAD * N;

      BEGIN CALL (broadcast, data, root, data, bytes, flags);
      barrier ();
      for (int i = 0; i < N; i++)
        CHECK (data[i] == 1000 * root + i);
      BEGIN CALL (gather_all, data, mine, bytes, flags);
      barrier ();
      for (int i = 0; i < N * THREADS; i++)
        CHECK (data[i] == 1000 * (i / N) + i);
      BEGIN CALL (gather, root, data, mine, bytes, flags);
      barrier ();
      for (int i = 0; MYTHREAD == root && i < N * THREADS; i++)
        CHECK (data[i] == 1000 * (i / N) + i);
      BEGIN CALL (scatter, mine, root, data, bytes, flags);
      barrier ();
      for (int i = 0; i < N; i++)
        CHECK (mine[i] == 1000 * root + MYTHREAD * N + i);
    }
#undef BEGIN
}

static void
test_own_destinations (void **state)
{
  (void) state;
  all_ways (3, own_destinations);
  both_ways (2, own_destinations);
}

static void
completed_twice (void)
{
  static _Atomic bool is_started;
  long word = 0, copy;
  gasnet_coll_handle_t handle;

  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  while (MYTHREAD == 1 && !is_started)
    upcr_poll ();
  handle = gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &copy, 0, &word, sizeof word,
                                     ALLALL | GASNET_COLL_LOCAL);
  is_started = true;
  gasnet_coll_wait_sync (handle);
  if (MYTHREAD == 0)
    gasnet_coll_wait_sync (handle);
  barrier ();
}

static void
no_bytes (void)
{
  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  if (MYTHREAD == 0)
    gasnet_coll_broadcast (GASNET_TEAM_ALL, NULL, 0, NULL, 0, MYMY | GASNET_COLL_LOCAL);
  barrier ();
}

static void
test_refused (void **state)
{
  (void) state;
  expect_threads (2, 0, completed_twice, 1,
                  "prog: error: thread 0: gasnet_coll_wait_sync: handle already completed\n");
  upcr_options.check = true;
  expect_threads (2, 0, no_bytes, 1, "prog: error: thread 0: gasnet_coll_broadcast: nbytes is 0\n");
  upcr_options.check = false;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_functions),
    cmocka_unit_test (test_own_destinations),
    cmocka_unit_test (test_refused),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
