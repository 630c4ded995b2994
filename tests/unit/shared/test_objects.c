/* What the records of static shared objects say of an address. */

#include "runtime/shared/objects.h"
#include "tests/unit/child.h"

#include <string.h>

#define RECORD __attribute__ ((section ("upc_objects"), used))

/* The start of the image is 0 here. */
static const upcr_object blocked RECORD
    = { (void *) 4096, "shared [4] int a[16*THREADS]\0f.upc\0a\0[16*THREADS]", 16, 4, 4, 64, 6, 1 };
static const upcr_object uneven RECORD
    = { (void *) 8192, "shared [3] short u[10]\0g.upc\0u\0[10]", 10, 2, 3, 12, 7, 0 };
static const upcr_object rows RECORD = {
  (void *) 8224, "shared struct s t[3][THREADS][5]\0g.upc\0t\0[3][THREADS][5]", 15, 8, 1, 120, 8, 1
};
static const upcr_object whole RECORD
    = { (void *) 9000, "shared [] char w[100]\0g.upc\0w\0[100]", 100, 1, 0, 131, 9, 0 };
static const upcr_object scalar RECORD
    = { (void *) 9200, "shared long x\0g.upc\0x\0", 1, 8, 1, 40, 1, 0 };
/* Of another file, without a red zone. */
static const upcr_object scalar_too RECORD
    = { (void *) 9200, "shared long x\0h.upc\0x\0", 1, 8, 1, 8, 1, 0 };

static void
expect_element (const upcr_object *object, uint32_t thread, uint64_t distance, const char *wanted)
{
  char text[256];
  int n = upcr_element_text (object, thread, upcr_object_offset (object) + distance, text,
                             sizeof text);

  assert_string_equal (text, wanted);
  assert_int_equal (n, strlen (wanted));
}

static void
test_elements (void **state)
{
  (void) state;
  THREADS = 4;
  expect_element (&blocked, 1, 4,
                  "a[5] (thread 1, phase 1) of 'shared [4] int a[16*THREADS]', "
                  "declared at f.upc:6");
  expect_element (&blocked, 3, 63,
                  "byte 3 of a[63] (thread 3, phase 3) of "
                  "'shared [4] int a[16*THREADS]', declared at f.upc:6");
  expect_element (&rows, 1, 0,
                  "t[0][0][1] (thread 1) of 'shared struct s t[3][THREADS][5]', "
                  "declared at g.upc:8");
  expect_element (&rows, 3, 14 * 8,
                  "t[2][3][4] (thread 3) of 'shared struct s t[3][THREADS][5]', "
                  "declared at g.upc:8");
  expect_element (&whole, 0, 99,
                  "w[99] (thread 0, phase 99) of 'shared [] char w[100]', "
                  "declared at g.upc:9");
  expect_element (&scalar, 0, 0, "x (thread 0) of 'shared long x', declared at g.upc:1");
}

static void
test_pieces (void **state)
{
  static const uint64_t bytes[] = { 6, 6, 6, 2 };

  (void) state;
  THREADS = 4;
  for (uint32_t t = 0; t < 4; t++)
    {
      assert_int_equal (upcr_object_piece (&blocked, t), 64);
      assert_int_equal (upcr_object_piece (&uneven, t), bytes[t]);
      assert_int_equal (upcr_object_piece (&whole, t), t ? 0 : 100);
      assert_int_equal (upcr_object_piece (&scalar, t), t ? 0 : 8);
    }
  THREADS = 3;
  assert_int_equal (upcr_object_piece (&uneven, 0), 8);
  assert_int_equal (upcr_object_piece (&uneven, 1), 6);
}

static void
test_neighbours (void **state)
{
  (void) state;
  assert_null (upcr_object_up_to (4095));
  assert_ptr_equal (upcr_object_up_to (4096), &blocked);
  assert_ptr_equal (upcr_object_up_to (8191), &blocked);
  assert_ptr_equal (upcr_object_after (0), &blocked);
  assert_int_equal (upcr_object_offset (upcr_object_after (9000)), 9200);
  assert_null (upcr_object_after (9200));
  assert_int_equal (upcr_object_room (&whole), 131);
  assert_int_equal (upcr_object_room (&scalar), 8);
}

static void
test_short_buffer (void **state)
{
  char text[24];

  (void) state;
  THREADS = 4;
  assert_true (upcr_element_text (&blocked, 1, 4100, text, sizeof text) >= (int) sizeof text);
  assert_string_equal (text, "a[5] (thread 1, phase 1");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_elements),
    cmocka_unit_test (test_pieces),
    cmocka_unit_test (test_neighbours),
    cmocka_unit_test (test_short_buffer),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
