/* Memory that functions keep. */

#include "runtime/libc/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct upcr_buffer first, second;

static void
test_it_grows_and_keeps_what_is_in_it (void **state)
{
  (void) state;
  strcpy (upcr_buffer_resize (&first, 6), "hello");
  for (size_t bytes = 6; bytes < 1 << 20; bytes *= 3)
    {
      void *memory = upcr_buffer_resize (&first, bytes);
      assert_string_equal (memory, "hello");
      assert_ptr_equal (first.memory, memory);
      assert_int_equal (first.bytes, bytes);
    }
  assert_non_null (upcr_buffer_grow (&second));
  assert_int_equal (second.bytes, 1024);
  assert_non_null (upcr_buffer_grow (&second));
  assert_int_equal (second.bytes, 2048);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_it_grows_and_keeps_what_is_in_it),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
