/* Memory that functions keep for a thread. */

#include "runtime/libc/buffer.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static __thread struct upcr_thread_buffer first, second;

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

static pthread_key_t key;
static int destructions;

/* Runs while the thread ends, after its memory is freed: that key is the older one. */
static void
keep_again (void *unused)
{
  (void) unused;
  destructions++;
  upcr_buffer_resize (&first, 100);
}

static void *
keep_two (void *main_memory)
{
  int fresh = !first.memory && !second.memory;

  fresh = fresh && upcr_buffer_resize (&first, 10) != main_memory && upcr_buffer_grow (&second);
  pthread_setspecific (key, &destructions);
  return fresh ? NULL : main_memory;
}

/* LeakSanitizer tells whether it is freed. */
static void
test_each_thread_has_its_own_until_its_end (void **state)
{
  pthread_t thread;
  void *result;

  (void) state;
  pthread_key_create (&key, keep_again);
  for (int i = 0; i < 3; i++)
    {
      void *memory = upcr_buffer_resize (&first, 10);
      assert_int_equal (pthread_create (&thread, NULL, keep_two, memory), 0);
      assert_int_equal (pthread_join (thread, &result), 0);
      assert_null (result);
      assert_ptr_equal (first.memory, memory);
    }
  assert_int_equal (destructions, 3);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_it_grows_and_keeps_what_is_in_it),
    cmocka_unit_test (test_each_thread_has_its_own_until_its_end),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
