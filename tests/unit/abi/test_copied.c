/* Private copies of shared arrays (runtime/abi/copied.c): what is in them, and how large they are. */

#include "tests/unit/upc_threads.h"

#include "runtime/abi/copied.c"

enum
{
  BLOCK = 1000
};

static upcr_pts area;
static size_t elements;

static int *
element (size_t n)
{
  size_t block = n / BLOCK, index = block / THREADS * BLOCK + n % BLOCK;
  uint64_t offset = upcr_pts_offset (area) + index * sizeof (int);

  return (int *) upcr_segment_address (block % THREADS, offset);
}

static void
copy_and_compare (void)
{
  __upc_copied_array array = { elements, BLOCK, sizeof (int) };
  __upc_copied before = { NULL, 0 }, after;
  __upc_copy copy = { NULL, 0 };

  if (MYTHREAD == 0)
    area = upcr_symmetric_alloc (4, BLOCK * sizeof (int));
  barrier ();
  if (MYTHREAD != 0)
    return;
  for (size_t n = 0; n < elements; n++)
    *element (n) = (int) n;
  after = __upc_copy_array (&copy, before, area, array, (__upc_stores){ 0 }, 2 * elements);
  CHECK (after.__at && after.__at == copy.__memory);
  for (size_t n = 0; n < elements; n++)
    CHECK (((int *) after.__at)[n] == (int) n);
  __upc_free_copy (copy.__memory);
  /* A large block of which the array has little is not copied whole. */
  CHECK (kept_by_thread ()->spare->bytes == elements * sizeof (int));
}

static void
test_copies_have_the_elements_of_the_array_and_no_more (void **state)
{
  static const size_t sizes[] = { 1, 8, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7, 4 * BLOCK };

  (void) state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int threads = 1; threads <= 3; threads++)
      {
        elements = sizes[i];
        expect_good (threads, 0, copy_and_compare);
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_copies_have_the_elements_of_the_array_and_no_more),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
