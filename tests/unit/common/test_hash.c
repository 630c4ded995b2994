/* The hash table. */

#include "tools/common/common.h"

#include <stdarg.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

const char program_name[] = "test";

static void
numbers_by_first_appearance (void **state)
{
  struct hash_table *table = hash_new ();

  (void) state;
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 20000; i++)
      {
        uint32_t key = i * 2654435761u;

        assert_int_equal (hash_add (table, &key, sizeof key), i);
      }
  assert_int_equal (hash_count (table), 20000);
  for (uint32_t i = 0; i < 20000; i++)
    {
      uint32_t key = i * 2654435761u;

      assert_int_equal (hash_find (table, &key, sizeof key), i);
      assert_memory_equal (hash_key (table, i), &key, sizeof key);
    }
  hash_free (table);
}

static void
keys_of_any_bytes (void **state)
{
  struct hash_table *table = hash_new ();

  (void) state;
  assert_int_equal (hash_find (table, "", 0), HASH_NONE);
  assert_int_equal (hash_add (table, "", 0), 0);
  assert_int_equal (hash_add (table, "a\0b", 3), 1);
  assert_int_equal (hash_add (table, "a\0c", 3), 2);
  assert_int_equal (hash_find (table, "a", 1), HASH_NONE);
  assert_int_equal (hash_add (table, "a", 1), 3);
  assert_string_equal (hash_key (table, 3), "a");
  assert_int_equal (hash_find (table, "a\0c", 3), 2);
  hash_free (table);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (numbers_by_first_appearance),
    cmocka_unit_test (keys_of_any_bytes),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
