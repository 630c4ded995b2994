/* Section upc_pgm_info: what objects say of the thread count. */

#include "runtime/host/host.h"
#include "runtime/start/start.h"
#include "tests/unit/child.h"

#define RECORD(file, words) "$GCCUPCConfig: (" file ") " words "$"

/* The bytes of a literal without the compiler's zero at its end. */
struct info
{
  const char *text;
  size_t bytes;
};
#define INFO(literal) (&(struct info){ literal, sizeof literal - 1 })

static int
threads_of (const struct info *info)
{
  return upcr_static_threads_of (info->text, info->bytes);
}

static void
read_info (const void *info)
{
  upcr_program = "prog";
  printf ("%d", threads_of (info));
}

static void
test_dynamic_threads (void **state)
{
  (void) state;
  assert_int_equal (threads_of (INFO ("")), 0);
  assert_int_equal (threads_of (INFO (RECORD ("a.upc", "dynamicthreads process") "\0")), 0);
  assert_int_equal (threads_of (INFO ("\0\0\0" RECORD ("<built-in>", "pthreads-tls") "\0\0")), 0);
}

static void
test_static_threads (void **state)
{
  (void) state;
  assert_int_equal (threads_of (INFO (RECORD ("a.upc", "staticthreads=4 process") "\0")), 4);
  assert_int_equal (threads_of (INFO (RECORD ("a.upc", "staticthreads=1024 process") "\0")), 1024);
  /* Padding as section alignment leaves it, and objects that take any number. */
  assert_int_equal (
      threads_of (INFO (RECORD ("a.upc", "dynamicthreads process") "\0\0\0\0\0\0" RECORD (
          "b.upc", "staticthreads=4 process") "\0\0\0" RECORD ("c.upc",
                                                               "process staticthreads=4") "\0")),
      4);
}

static void
test_what_is_no_record (void **state)
{
  (void) state;
  assert_int_equal (threads_of (INFO ("staticthreads=4\0")), 0);
  assert_int_equal (threads_of (INFO ("$GCCUPCConfig: (a.upc staticthreads=4\0")), 0);
  /* The name of a file is no word of its record. */
  assert_int_equal (threads_of (INFO (RECORD ("staticthreads=4.upc", "process") "\0")), 0);
  /* Cut off: the last string has no end. */
  assert_int_equal (threads_of (INFO (RECORD ("a.upc", "staticthreads=4"))), 0);
}

static void
test_disagreement_names_both (void **state)
{
  (void) state;
  expect_child (read_info,
                INFO (RECORD ("a.upc", "staticthreads=4 process") "\0" RECORD (
                    "dir/b.upc", "staticthreads=8 process") "\0"),
                2, "prog: error: a.upc was compiled for 4 threads, but dir/b.upc for 8\n");
}

static void
test_impossible_counts (void **state)
{
  (void) state;
  expect_child (read_info, INFO (RECORD ("a.upc", "staticthreads=0") "\0"), 2,
                "prog: error: a.upc was compiled for 0 threads; expected 1 to 1024\n");
  expect_child (read_info, INFO (RECORD ("a.upc", "staticthreads=2000") "\0"), 2,
                "prog: error: a.upc was compiled for 2000 threads; expected 1 to 1024\n");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_dynamic_threads),   cmocka_unit_test (test_static_threads),
    cmocka_unit_test (test_what_is_no_record), cmocka_unit_test (test_disagreement_names_both),
    cmocka_unit_test (test_impossible_counts),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
