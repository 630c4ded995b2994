/* The arena, arrays that grow, and text. */

#include "tools/common/common.h"

#include <stdarg.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "test";

static void
arena_memory_is_zeroed_and_aligned (void **state)
{
  (void) state;
  for (size_t size = 0; size < 300000; size = size * 2 + 1)
    {
      char *first = arena_alloc (size), *second = arena_alloc (size);

      assert_int_equal ((uintptr_t) first % 16, 0);
      for (size_t i = 0; i < size; i++)
        assert_int_equal (first[i] | second[i], 0);
      assert_true (first + size <= second || second + size <= first);
      memset (first, 0xff, size);
    }
}

static void
arena_starts_again_after_a_reset (void **state)
{
  (void) state;
  memset (arena_alloc (1000), 1, 1000);
  arena_reset ();
  arena_reset ();
  assert_int_equal (*(char *) arena_alloc (1000), 0);
}

static void
formats_of_any_length (void **state)
{
  char *all = arena_copy ("", 0);

  (void) state;
  for (int i = 0; i < 10000; i++)
    if (i % 100 == 0)
      all = arena_format ("%s%d,", all, i);
  assert_true (ends_with (all, ",9800,9900,"));
  assert_string_equal (arena_copy ("abcdef", 3), "abc");
  assert_int_equal (strlen (arena_format ("%*s", 200000, "x")), 200000);
}

typedef void *grow_function (void *items, size_t count, size_t *capacity, size_t size);

static int *
grown_with_zeros (grow_function *grow)
{
  size_t capacity = 0;
  int *items = NULL;

  for (size_t count = 1; count < 5000; count += 7)
    {
      items = grow (items, count, &capacity, sizeof *items);
      assert_true (capacity >= count);
      assert_int_equal (items[capacity - 1], 0);
      items[count - 1] = 1;
    }
  assert_int_equal (items[0], 1);
  assert_int_equal (items[7], 1);
  assert_ptr_equal (grow (items, 1, &capacity, sizeof *items), items);
  return items;
}

static void
array_grows_with_zeros (void **state)
{
  (void) state;
  free (grown_with_zeros (grow_array));
}

static void
array_grows_in_the_arena (void **state)
{
  (void) state;
  grown_with_zeros (arena_grow);
}

static void
buffer_keeps_what_was_appended (void **state)
{
  struct text_buffer buffer = { 0 };

  (void) state;
  text_append (&buffer, NULL, 0);
  for (int i = 0; i < 1000; i++)
    text_append (&buffer, "0123456789" + i % 10, 1);
  assert_int_equal (buffer.length, 1000);
  assert_memory_equal (buffer.bytes + 990, "0123456789", 10);
  text_free (&buffer);
  assert_null (buffer.bytes);
}

static void
starts_and_ends (void **state)
{
  (void) state;
  assert_true (starts_with ("-Wall", "-W"));
  assert_true (starts_with ("x", ""));
  assert_false (starts_with ("-", "-W"));
  assert_true (ends_with ("a.upc", ".upc"));
  assert_true (ends_with ("a", ""));
  assert_false (ends_with (".c", "a.c"));
}

static void
parts_of_paths (void **state)
{
  (void) state;
  assert_string_equal (path_base ("a/b/c.o"), "c.o");
  assert_string_equal (path_base ("c.o"), "c.o");
  assert_string_equal (path_folder ("a/b/c.o"), "a/b");
  assert_string_equal (path_folder ("/c.o"), "/");
  assert_string_equal (path_folder ("c.o"), ".");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (arena_memory_is_zeroed_and_aligned),
    cmocka_unit_test (arena_starts_again_after_a_reset),
    cmocka_unit_test (formats_of_any_length),
    cmocka_unit_test (array_grows_with_zeros),
    cmocka_unit_test (array_grows_in_the_arena),
    cmocka_unit_test (buffer_keeps_what_was_appended),
    cmocka_unit_test (starts_and_ends),
    cmocka_unit_test (parts_of_paths),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
