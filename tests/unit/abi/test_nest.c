/* Nests of loops in private copies (runtime/abi/nest.c), in a run with checks: only where all that they may access is
   right. */

#include "tests/unit/upc_threads.h"

#include "runtime/abi/nest.c"

enum
{
  ROW = 48,
  BYTES = sizeof (double)
};

static const unsigned blocks[] = { 0, 1, 4, ROW };

/* A nest that accesses elements LOW to HIGH, many times, of COUNT from START on, in blocks of BLOCK. */
static __upc_nest_array
array_of (upcr_pts start, unsigned long count, unsigned long block, long low, long high)
{
  return (__upc_nest_array){ .__start = start,
                             .__count = count,
                             .__block = block,
                             .__bytes = BYTES,
                             .__low = low,
                             .__high = high,
                             .__accesses = 1e6 };
}

static bool
is_begun (__upc_nest_array array)
{
  bool is_begun = __upc_nest_begin (&array, 1);

  if (is_begun)
    __upc_nest_end (&array, 1);
  return is_begun;
}

/* ELEMENTS at START, and what is one before and behind them. */
static void
expect_within (upcr_pts start, unsigned long count, unsigned long block, long elements)
{
  CHECK (is_begun (array_of (start, count, block, 0, elements - 1)));
  CHECK (!is_begun (array_of (start, count, block, 0, elements)));
  CHECK (!is_begun (array_of (start, count, block, -1, elements - 1)));
}

static void
look_at_blocks_of_the_heap (void)
{
  if (MYTHREAD == 0)
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
      {
        unsigned long block = blocks[i] ? blocks[i] : 3 * ROW;
        long elements = blocks[i] ? 3 * ROW * THREADS : 3 * ROW;
        upcr_pts p = blocks[i] ? upcr_symmetric_alloc ((size_t) elements / block, block * BYTES)
                               : upcr_local_alloc (3 * ROW * BYTES);

        expect_within (p, 0, blocks[i], elements);
        /* An array whose extent is known is right up to there, whatever the block has. */
        expect_within (p, (unsigned long) elements - 5, blocks[i], elements - 5);
        upcr_heap_free (p, "a test");
        CHECK (!is_begun (array_of (p, 0, blocks[i], 0, elements - 1)));
      }
}

/* A row within a block may be gone through by a pointer into it, in both directions. */
static void
look_at_parts_of_a_block (void)
{
  if (MYTHREAD == 0)
    {
      upcr_pts p = upcr_local_alloc (3 * ROW * BYTES);
      upcr_pts middle = upcr_pts_make (0, upcr_pts_offset (p) + ROW * BYTES, 0);

      CHECK (is_begun (array_of (middle, 0, 0, -ROW, 2 * ROW - 1)));
      CHECK (!is_begun (array_of (middle, 0, 0, -ROW, 2 * ROW)));
      CHECK (!is_begun (array_of (middle, 0, 0, -ROW - 1, 2 * ROW - 1)));
      CHECK (is_begun (array_of (middle, 0, ROW, 0, ROW - 1)));
    }
}

/* Without checks a nest in one block is never asked whether it is in an object. */
static void
look_without_checks (void)
{
  upcr_pts p = upcr_local_alloc (ROW * BYTES);

  CHECK (is_begun (array_of (p, 0, 0, -1, ROW)));
}

static void
test_checked_nests_are_within_their_arrays (void **state)
{
  (void) state;
  for (int is_checked = 1; is_checked >= 0; is_checked--)
    for (int threads = 1; threads <= 3; threads++)
      {
        upcr_is_checked = is_checked;
        expect_good (threads, 0, is_checked ? look_at_blocks_of_the_heap : look_without_checks);
        if (is_checked)
          expect_good (threads, 0, look_at_parts_of_a_block);
      }
}

/* Whether a nest that accesses each of ELEMENTS so many times runs in a copy of them. */
static bool
is_copied_for (upcr_pts p, long elements, double times, bool is_written)
{
  __upc_nest_array array = array_of (p, (unsigned long) elements, 1, 0, elements - 1);

  array.__accesses = times * (double) elements;
  array.__is_written = is_written;
  return is_begun (array);
}

static void
copy_what_is_worth_it (void)
{
  if (MYTHREAD == 0)
    {
      long few = 4096 / THREADS * THREADS, many = 64 * few;
      upcr_pts p = upcr_symmetric_alloc ((size_t) many, BYTES);

      CHECK (!is_copied_for (p, few, 5, false));
      CHECK (is_copied_for (p, few, 7, false));
      CHECK (!is_copied_for (p, few, 20, true));
      CHECK (is_copied_for (p, few, 30, true));
      CHECK (!is_copied_for (p, many, 20, false));
      CHECK (is_copied_for (p, many, 30, false));
      upcr_heap_free (p, "a test");
    }
}

static void
test_copies_are_made_where_elements_are_accessed_often (void **state)
{
  (void) state;
  upcr_is_checked = false;
  for (int threads = 2; threads <= 3; threads++)
    expect_good (threads, 0, copy_what_is_worth_it);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_checked_nests_are_within_their_arrays),
    cmocka_unit_test (test_copies_are_made_where_elements_are_accessed_often),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
