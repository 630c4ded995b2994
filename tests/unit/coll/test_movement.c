/* Data movement: every function with every sync mode, against a sequential model, with
   threads that come late and others that run ahead. */

#include "tests/unit/coll/operations.h"

enum
{
  MOST_BYTES = (1 << 20) + 13,
  /* Data repeats itself at no distance that an algorithm may be wrong by. */
  PERIOD = 60013
};

static const size_t small_sizes[] = { 1, 3, 7, 8, 33, 256, 1000, 2048, 4097 };
static const size_t large_sizes[] = { 600 << 10, MOST_BYTES };

/* A block of each thread's own. */
static __thread unsigned char *expected;

/* Makes `expected` block BLOCK of member MEMBER in round ROUND. Sanitizers need not look
   at it. */
__attribute__ ((no_sanitize ("address", "thread", "undefined"))) static void
expect_block (unsigned round, unsigned member, unsigned block, size_t bytes)
{
  size_t b;

  for (b = 0; b < bytes && b < PERIOD; b++)
    expected[b] = (round * 31 + member * 7 + block * 13 + b * 3 + (b >> 8)) & 0xff;
  for (; b < bytes; b += PERIOD)
    memcpy (expected + b, expected, bytes - b < PERIOD ? bytes - b : PERIOD);
}

/* Shared data is written and read by whole blocks: that the race detector sees in seconds,
   each byte on its own in minutes. */
static void
fill (unsigned char *data, unsigned round, unsigned member, unsigned blocks, size_t bytes)
{
  for (unsigned i = 0; i < blocks; i++)
    {
      expect_block (round, member, i, bytes);
      memcpy (data + i * bytes, expected, bytes);
    }
}

static void
check_block (const unsigned char *data, unsigned round, unsigned member, unsigned block,
             size_t bytes)
{
  expect_block (round, member, block, bytes);
  CHECK (memcmp (data, expected, bytes) == 0);
}

static void
one_broadcast (struct arrays *a, int flags, size_t bytes, unsigned round)
{
  unsigned root = round % THREADS;

  if ((unsigned) MYTHREAD == root)
    fill (a->src, round, root, 1, bytes);
  prepare (flags);
  maybe_late (round);
  if (round & 2)
    CALL (broadcast, a->dst, root, a->src, bytes, flags);
  else
    CALL (broadcastm, list (a->dst_list, flags), root, a->src, bytes, flags);
  settle (flags);
  check_block (a->dst, round, root, 0, bytes);
}

static void
one_scatter (struct arrays *a, int flags, size_t bytes, unsigned round)
{
  unsigned root = round % THREADS;

  if ((unsigned) MYTHREAD == root)
    fill (a->src, round, root, THREADS, bytes);
  prepare (flags);
  maybe_late (round);
  if (round & 2)
    CALL (scatter, a->dst, root, a->src, bytes, flags);
  else
    CALL (scatterm, list (a->dst_list, flags), root, a->src, bytes, flags);
  settle (flags);
  check_block (a->dst, round, root, MYTHREAD, bytes);
}

static void
one_gather (struct arrays *a, int flags, size_t bytes, unsigned round)
{
  unsigned root = round % THREADS;

  fill (a->src, round, MYTHREAD, 1, bytes);
  prepare (flags);
  maybe_late (round);
  if (round & 2)
    CALL (gather, root, a->dst, a->src, bytes, flags);
  else
    CALL (gatherm, root, a->dst, list (a->src_list, flags), bytes, flags);
  settle (flags);
  if ((unsigned) MYTHREAD == root)
    for (int t = 0; t < THREADS; t++)
      check_block (a->dst + t * bytes, round, t, 0, bytes);
}

static void
one_gather_all (struct arrays *a, int flags, size_t bytes, unsigned round)
{
  fill (a->src, round, MYTHREAD, 1, bytes);
  prepare (flags);
  maybe_late (round);
  if (round & 2)
    CALL (gather_all, a->dst, a->src, bytes, flags);
  else
    CALL (gather_allm, list (a->dst_list, flags), list (a->src_list, flags), bytes, flags);
  settle (flags);
  for (int t = 0; t < THREADS; t++)
    check_block (a->dst + t * bytes, round, t, 0, bytes);
}

static void
one_exchange (struct arrays *a, int flags, size_t bytes, unsigned round)
{
  fill (a->src, round, MYTHREAD, THREADS, bytes);
  prepare (flags);
  maybe_late (round);
  if (round & 2)
    CALL (exchange, a->dst, a->src, bytes, flags);
  else
    CALL (exchangem, list (a->dst_list, flags), list (a->src_list, flags), bytes, flags);
  settle (flags);
  for (int t = 0; t < THREADS; t++)
    check_block (a->dst + t * bytes, round, t, MYTHREAD, bytes);
}

typedef void one_operation (struct arrays *a, int flags, size_t bytes, unsigned round);

/* Each with a round's data of its own: what an earlier round left does not pass. Memory
   that the next round writes is only written once nobody reads it any more: two sets of
   arrays in turn, and MYSYNC or ALLSYNC or a barrier in between. */
static void
movement_of (const size_t *sizes, size_t count)
{
  static one_operation *const operations[] = { one_broadcast, one_scatter, one_gather,
                                               one_gather_all, one_exchange };
  struct arrays a[2];
  unsigned round = 0;

  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  expected = malloc (sizes[count - 1]);
  CHECK (expected);
  for (int i = 0; i < 2; i++)
    a[i] = new_arrays (THREADS, sizes[count - 1]);
  for (size_t s = 0; s < count; s++)
    for (int mode = 0; mode < MODES; mode++)
      for (unsigned variant = 0; variant < 4; variant++)
        for (size_t o = 0; o < sizeof operations / sizeof *operations; o++, round++)
          {
            operations[o](&a[round & 1], with_scope (modes[mode], variant), sizes[s],
                          round * 4 + variant);
            /* The last round but one may still be under way elsewhere. */
            barrier ();
          }
  free (expected);
}

static void
small_movement (void)
{
  movement_of (small_sizes, sizeof small_sizes / sizeof *small_sizes);
}

static void
large_movement (void)
{
  movement_of (large_sizes, sizeof large_sizes / sizeof *large_sizes);
}

static void
test_movement (void **state)
{
  (void) state;
  for (size_t i = 0; i < sizeof some_threads / sizeof *some_threads; i++)
    all_ways (some_threads[i], small_movement);
}

static void
test_large_movement (void **state)
{
  (void) state;
  both_ways (2, large_movement);
#ifdef UPCR_TSAN
  /* Each algorithm has moved small blocks under its eyes; this would take minutes. */
  both_ways (3, large_movement);
#else
  all_ways (3, large_movement);
#endif
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_movement),
    cmocka_unit_test (test_large_movement),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
