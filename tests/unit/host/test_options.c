/* Every source of an option, which one wins, and what a bad value says. */

#include "runtime/host/host.h"
#include "tests/unit/child.h"

#include <string.h>
#include <sys/resource.h>

enum
{
  WORDS = 8
};

struct row
{
  const char *arguments[WORDS];   /* without argv[0] */
  const char *environment[WORDS]; /* NAME=VALUE */
  int static_threads;
  const char *wanted; /* what show prints, or the message */
  int status;
};

static void
clear_environment (void)
{
  unsetenv ("THREADS");
  unsetenv ("UPC_THREADS");
  unsetenv ("UPC_SHARED_HEAP_SIZE");
  unsetenv ("UPC_REQUIRE_SHARED_SIZE");
  unsetenv ("UPC_STACK_SIZE");
  unsetenv ("UPC_BIND");
  unsetenv ("UPC_CHECK");
  unsetenv ("GASNET_PSHM_NODES");
  unsetenv ("UPC_ABORT");
}

static int
read_row (const struct row *row, char **argv)
{
  int argc = 1;

  clear_environment ();
  for (int i = 0; row->environment[i]; i++)
    putenv ((char *) row->environment[i]);
  argv[0] = "prog";
  for (int i = 0; row->arguments[i]; i++)
    argv[argc++] = (char *) row->arguments[i];
  argv[argc] = NULL;
  upcr_program = "prog";
  upcr_options_read (row->static_threads, &argc, argv);
  return argc;
}

static void
show_arguments (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    printf (" %s", argv[i]);
  printf (argv[argc] ? " and more\n" : "\n");
}

static void
show_threads (const void *row)
{
  char *argv[WORDS + 1];
  int argc = read_row (row, argv);

  printf ("%d:", upcr_options.threads);
  show_arguments (argc, argv);
}

static void
show_sizes (const void *row)
{
  char *argv[WORDS + 1];
  int argc = read_row (row, argv);

  printf ("heap %zu stack %zu bind %d:", upcr_options.heap_bytes, upcr_options.stack_bytes,
          upcr_options.bind);
  show_arguments (argc, argv);
}

static void
expect_rows (child_body *show, const struct row *rows, size_t count)
{
  for (size_t i = 0; i < count; i++)
    expect_child (show, &rows[i], rows[i].status, rows[i].wanted);
}
#define EXPECT_ROWS(show, rows) expect_rows (show, rows, sizeof rows / sizeof rows[0])

static void
test_sources_of_threads (void **state)
{
  static const struct row rows[] = {
    { { "-n", "3", "a" }, { 0 }, 0, "3: a\n", 0 },
    { { "-fupc-threads-5", "a", "b" }, { 0 }, 0, "5: a b\n", 0 },
    { { "a" }, { "UPC_THREADS=6" }, 0, "6: a\n", 0 },
    { { 0 }, { "THREADS=7" }, 0, "7:\n", 0 },
    { { 0 }, { "GASNET_PSHM_NODES=7" }, 0, "7:\n", 0 },
    { { 0 }, { "THREADS=1024" }, 0, "1024:\n", 0 },
    { { 0 }, { "THREADS=1" }, 0, "1:\n", 0 },
    { { 0 }, { "THREADS=007" }, 0, "7:\n", 0 },
    { { "a" }, { 0 }, 4, "4: a\n", 0 },
  };

  (void) state;
  EXPECT_ROWS (show_threads, rows);
}

static void
test_first_source_wins (void **state)
{
  static const struct row rows[] = {
    /* -n is the program's own where something else gives the number. */
    { { "-n", "2" }, { "UPC_THREADS=3", "THREADS=4" }, 0, "3: -n 2\n", 0 },
    { { "-n", "2", "-fupc-heap-1M" }, { "THREADS=4" }, 0, "4: -n 2 -fupc-heap-1M\n", 0 },
    { { "-fupc-heap-1M", "-n" }, { "THREADS=4" }, 0, "4: -n\n", 0 },
    { { "-n", "2", "-n", "3" }, { 0 }, 0, "2: -n 3\n", 0 },
    { { "-n", "2", "-fupc-threads-5" }, { 0 }, 0, "2:\n", 0 },
    { { "-fupc-threads-5", "-n", "2" }, { 0 }, 0, "5: -n 2\n", 0 },
    { { 0 }, { "UPC_THREADS=3", "THREADS=4" }, 0, "3:\n", 0 },
    { { "-n", "2" }, { "GASNET_PSHM_NODES=5", "THREADS=4" }, 0, "4: -n 2\n", 0 },
    /* What is not looked at need not be right: THREADS is other programs' too. */
    { { "-fupc-threads-2" }, { "THREADS=many" }, 0, "2:\n", 0 },
  };

  (void) state;
  EXPECT_ROWS (show_threads, rows);
}

static void
test_switches_leave_the_arguments (void **state)
{
  static const struct row rows[] = {
    { { "-n", "4", "--", "-n", "5" }, { 0 }, 0, "4: -n 5\n", 0 },
    { { "-n", "4", "a", "-n", "5" }, { 0 }, 0, "4: a -n 5\n", 0 },
    { { "--", "--", "x" }, { "THREADS=2" }, 0, "2: -- x\n", 0 },
    { { "-n", "4", "--" }, { 0 }, 0, "4:\n", 0 },
    { { "-x", "-fupc-no" }, { "THREADS=2" }, 0, "2: -x -fupc-no\n", 0 },
    { { "-nothing" }, { "THREADS=2" }, 0, "2: -nothing\n", 0 },
    { { "-fupc-heap-1M", "-n", "4", "a" }, { 0 }, 0, "4: a\n", 0 },
    { { "", "-n", "4" }, { "THREADS=2" }, 0, "2:  -n 4\n", 0 },
    { { "-fupc-threads=4", "-fupc-heap=1M", "a" }, { 0 }, 0, "4: a\n", 0 },
    { { "-sched-policy", "cpu", "-mem-policy", "auto", "-n", "4", "a" }, { 0 }, 0, "4: a\n", 0 },
    { { "-n", "4", "-sched-cpu-avoid", "0,1", "a" }, { 0 }, 0, "4: a\n", 0 },
    { { "-n", "4", "-sched-policy", "mine" }, { 0 }, 0, "4: -sched-policy mine\n", 0 },
    { { "-n", "4", "-mem-policy" }, { 0 }, 0, "4: -mem-policy\n", 0 },
    { { "-n", "4", "-sched-cpu-avoid", "x" }, { 0 }, 0, "4: -sched-cpu-avoid x\n", 0 },
    { { "-fupc-thread-4", "-n", "3", "--", "-fupc-x" },
      { 0 },
      0,
      "prog: warning: thread 0: unknown switch '-fupc-thread-4' is ignored; -fupc-help lists them\n3: -fupc-x\n",
      0 },
    { { "-n", "2", "-fupc-helpme" },
      { 0 },
      0,
      "prog: warning: thread 0: unknown switch '-fupc-helpme' is ignored; -fupc-help lists them\n2:\n",
      0 },
  };

  (void) state;
  EXPECT_ROWS (show_threads, rows);
}

#define NOT_THREADS(name, value) \
  "prog: error: invalid value '" value "' for " name "; expected a number from 1 to 1024\n"

static void
test_bad_thread_counts (void **state)
{
  static const struct row rows[] = {
    { { 0 }, { "THREADS=0" }, 0, NOT_THREADS ("THREADS", "0"), 2 },
    { { 0 }, { "THREADS=-1" }, 0, NOT_THREADS ("THREADS", "-1"), 2 },
    { { 0 }, { "THREADS=1025" }, 0, NOT_THREADS ("THREADS", "1025"), 2 },
    { { 0 }, { "THREADS=abc" }, 0, NOT_THREADS ("THREADS", "abc"), 2 },
    { { 0 }, { "THREADS=" }, 0, NOT_THREADS ("THREADS", ""), 2 },
    { { 0 }, { "THREADS=4x" }, 0, NOT_THREADS ("THREADS", "4x"), 2 },
    { { 0 }, { "THREADS= 4" }, 0, NOT_THREADS ("THREADS", " 4"), 2 },
    { { 0 }, { "THREADS=4 " }, 0, NOT_THREADS ("THREADS", "4 "), 2 },
    { { 0 }, { "THREADS=+4" }, 0, NOT_THREADS ("THREADS", "+4"), 2 },
    { { 0 }, { "THREADS=0x4" }, 0, NOT_THREADS ("THREADS", "0x4"), 2 },
    { { 0 }, { "THREADS=4.0" }, 0, NOT_THREADS ("THREADS", "4.0"), 2 },
    { { 0 }, { "THREADS=4294967297" }, 0, NOT_THREADS ("THREADS", "4294967297"), 2 },
    { { 0 },
      { "UPC_THREADS=99999999999999999999" },
      0,
      NOT_THREADS ("UPC_THREADS", "99999999999999999999"),
      2 },
    { { "-n", "0" }, { 0 }, 0, NOT_THREADS ("-n", "0"), 2 },
    { { "-n", "" }, { 0 }, 0, NOT_THREADS ("-n", ""), 2 },
    { { "-n", "-4" }, { 0 }, 0, NOT_THREADS ("-n", "-4"), 2 },
    { { "-n" }, { 0 }, 0, "prog: error: missing argument to '-n'\n", 2 },
    { { "-fupc-threads-" }, { 0 }, 0, NOT_THREADS ("-fupc-threads-", ""), 2 },
    { { "-fupc-threads-1e3" }, { 0 }, 0, NOT_THREADS ("-fupc-threads-", "1e3"), 2 },
  };

  (void) state;
  EXPECT_ROWS (show_threads, rows);
}

static void
test_compiled_in_threads (void **state)
{
  static const struct row rows[] = {
    { { "-n", "3" }, { 0 }, 4, "4: -n 3\n", 0 },
    { { 0 }, { "THREADS=4" }, 4, "4:\n", 0 },
    { { "-fupc-threads-8" },
      { 0 },
      4,
      "prog: error: -fupc-threads- asks for 8 threads, but the program was compiled for 4\n",
      2 },
    { { 0 },
      { "UPC_THREADS=2" },
      4,
      "prog: error: UPC_THREADS asks for 2 threads, but the program was compiled for 4\n",
      2 },
    { { 0 },
      { "THREADS=8" },
      4,
      "prog: error: THREADS asks for 8 threads, but the program was compiled for 4\n",
      2 },
  };

  (void) state;
  EXPECT_ROWS (show_threads, rows);
}

static void
show_default (const void *row)
{
  char *argv[WORDS + 1];

  read_row (row, argv);
  printf ("%s\n", upcr_options.threads == upcr_cpu_count () ? "the CPUs" : "something else");
}

static void
test_default_is_the_cpus (void **state)
{
  static const struct row row = { { "a" }, { 0 }, 0, "the CPUs\n", 0 };

  (void) state;
  expect_rows (show_default, &row, 1);
}

#define STACK "UPC_STACK_SIZE=1M"
#define NOT_SIZE(name, value) \
  "prog: error: invalid value '" value "' for " name "; expected a size such as 512K, 64M or 1.5G\n"

static void
test_sizes (void **state)
{
  static const struct row rows[] = {
    { { "-fupc-heap-5" }, { STACK }, 0, "heap 5 stack 1048576 bind 0:\n", 0 },
    { { "-fupc-heap-5K" }, { STACK }, 0, "heap 5120 stack 1048576 bind 0:\n", 0 },
    { { "-fupc-heap-5KB" }, { STACK }, 0, "heap 5120 stack 1048576 bind 0:\n", 0 },
    { { "-fupc-heap-5B" }, { STACK }, 0, "heap 5 stack 1048576 bind 0:\n", 0 },
    { { "-fupc-heap-1.5Mb" }, { STACK }, 0, "heap 1572864 stack 1048576 bind 0:\n", 0 },
    { { "-fupc-heap-0.5T" }, { STACK }, 0, "heap 549755813888 stack 1048576 bind 0:\n", 0 },
    { { "-fupc-heap-18446744073709551614" },
      { STACK },
      0,
      "heap 18446744073709551614 stack 1048576 bind 0:\n",
      0 },
    { { "-fupc-heap-5k" }, { STACK }, 0, "heap 5120 stack 1048576 bind 0:\n", 0 },
    { { "-fupc-heap-5M" }, { STACK }, 0, "heap 5242880 stack 1048576 bind 0:\n", 0 },
    { { "-fupc-heap-5G" }, { STACK }, 0, "heap 5368709120 stack 1048576 bind 0:\n", 0 },
    { { 0 }, { STACK, "UPC_SHARED_HEAP_SIZE=2m" }, 0, "heap 2097152 stack 1048576 bind 0:\n", 0 },
    { { 0 }, { STACK, "UPC_SHARED_HEAP_SIZE=2" }, 0, "heap 2097152 stack 1048576 bind 0:\n", 0 },
    { { 0 }, { STACK, "UPC_SHARED_HEAP_SIZE=0x2" }, 0, "heap 2097152 stack 1048576 bind 0:\n", 0 },
    { { 0 }, { STACK, "UPC_SHARED_HEAP_SIZE=0x2aK" }, 0, "heap 43008 stack 1048576 bind 0:\n", 0 },
    { { 0 },
      { STACK, "UPC_SHARED_HEAP_SIZE=0X10000" },
      0,
      "heap 65536 stack 1048576 bind 0:\n",
      0 },
    { { 0 }, { STACK, "UPC_SHARED_HEAP_SIZE=2B" }, 0, "heap 2 stack 1048576 bind 0:\n", 0 },
    { { 0 },
      { STACK, "UPC_SHARED_HEAP_SIZE=65535" },
      0,
      "heap 68718428160 stack 1048576 bind 0:\n",
      0 },
    { { 0 }, { STACK, "UPC_SHARED_HEAP_SIZE=65536" }, 0, "heap 65536 stack 1048576 bind 0:\n", 0 },
    { { "-fupc-heap-1M" },
      { STACK, "UPC_SHARED_HEAP_SIZE=2M" },
      0,
      "heap 1048576 stack 1048576 bind 0:\n",
      0 },
    { { 0 }, { STACK, "UPC_BIND=core" }, 0, "heap 0 stack 1048576 bind 1:\n", 0 },
    { { 0 }, { STACK, "UPC_BIND=none" }, 0, "heap 0 stack 1048576 bind 0:\n", 0 },
    { { 0 }, { "UPC_STACK_SIZE=64K" }, 0, "heap 0 stack 65536 bind 0:\n", 0 },
  };

  (void) state;
  EXPECT_ROWS (show_sizes, rows);
}

static void
test_bad_sizes (void **state)
{
  static const struct row rows[] = {
    { { "-fupc-heap-" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", ""), 2 },
    { { "-fupc-heap-0" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", "0"), 2 },
    { { "-fupc-heap-K" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", "K"), 2 },
    { { "-fupc-heap-1KK" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", "1KK"), 2 },
    { { "-fupc-heap-1KBB" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", "1KBB"), 2 },
    { { "-fupc-heap-1 K" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", "1 K"), 2 },
    { { "-fupc-heap-.5K" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", ".5K"), 2 },
    { { "-fupc-heap-1e3" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", "1e3"), 2 },
    { { "-fupc-heap-16777216T" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", "16777216T"), 2 },
    { { "-fupc-heap--1" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", "-1"), 2 },
    { { "-fupc-heap-18446744073709551616" },
      { 0 },
      0,
      NOT_SIZE ("-fupc-heap-", "18446744073709551616"),
      2 },
    { { "-fupc-heap-17179869184G" }, { 0 }, 0, NOT_SIZE ("-fupc-heap-", "17179869184G"), 2 },
    { { 0 }, { "UPC_SHARED_HEAP_SIZE=0x" }, 0, NOT_SIZE ("UPC_SHARED_HEAP_SIZE", "0x"), 2 },
    { { 0 }, { "UPC_SHARED_HEAP_SIZE=0x1.8" }, 0, NOT_SIZE ("UPC_SHARED_HEAP_SIZE", "0x1.8"), 2 },
    { { 0 }, { "UPC_SHARED_HEAP_SIZE=big" }, 0, NOT_SIZE ("UPC_SHARED_HEAP_SIZE", "big"), 2 },
    { { 0 },
      { "UPC_STACK_SIZE=0.01M" },
      0,
      "prog: error: invalid value '0.01M' for UPC_STACK_SIZE; expected a size from 64K to 1024G\n",
      2 },
    { { 0 },
      { "UPC_STACK_SIZE=63K" },
      0,
      "prog: error: invalid value '63K' for UPC_STACK_SIZE; expected a size from 64K to 1024G\n",
      2 },
    { { 0 },
      { "UPC_STACK_SIZE=1025G" },
      0,
      "prog: error: invalid value '1025G' for UPC_STACK_SIZE; expected a size from 64K to 1024G\n",
      2 },
    { { 0 },
      { "UPC_STACK_SIZE=18446744073709551615" },
      0,
      "prog: error: invalid value '18446744073709551615' for UPC_STACK_SIZE; expected a size from 64K to 1024G\n",
      2 },
    { { 0 },
      { "UPC_BIND=numa" },
      0,
      "prog: error: invalid value 'numa' for UPC_BIND; expected none or core\n",
      2 },
    { { 0 },
      { "UPC_BIND=" },
      0,
      "prog: error: invalid value '' for UPC_BIND; expected none or core\n",
      2 },
  };

  (void) state;
  EXPECT_ROWS (show_sizes, rows);
}

static void
show_check (const void *row)
{
  char *argv[WORDS + 1];

  read_row (row, argv);
  printf ("%d\n", upcr_options.check);
}

static void
test_check (void **state)
{
  static const struct row rows[] = {
    { { 0 }, { 0 }, 0, "0\n", 0 },
    { { 0 }, { "UPC_CHECK=0" }, 0, "0\n", 0 },
    { { 0 }, { "UPC_CHECK=1" }, 0, "1\n", 0 },
    { { 0 }, { "UPC_CHECK=leaks" }, 0, "2\n", 0 },
    { { 0 }, { "UPC_CHECK=heap" }, 0, "3\n", 0 },
    { { 0 },
      { "UPC_CHECK=yes" },
      0,
      "prog: error: invalid value 'yes' for UPC_CHECK; expected 0, 1, leaks or heap\n",
      2 },
    { { 0 },
      { "UPC_CHECK=" },
      0,
      "prog: error: invalid value '' for UPC_CHECK; expected 0, 1, leaks or heap\n",
      2 },
    { { 0 },
      { "UPC_CHECK=10" },
      0,
      "prog: error: invalid value '10' for UPC_CHECK; expected 0, 1, leaks or heap\n",
      2 },
  };

  (void) state;
  EXPECT_ROWS (show_check, rows);
}

/* The soft limit only: any user may lower and raise it below the hard one. */
static void
show_stack_under_limit (const void *kib)
{
  static const struct row none = { .wanted = NULL };
  struct rlimit limit;
  char *argv[WORDS + 1];

  getrlimit (RLIMIT_STACK, &limit);
  limit.rlim_cur = *(const rlim_t *) kib;
  if (setrlimit (RLIMIT_STACK, &limit))
    perror ("setrlimit");
  read_row (&none, argv);
  printf ("%zu\n", upcr_options.stack_bytes);
}

static void
test_default_stack_follows_the_limit (void **state)
{
  (void) state;
  if (!takes_limits (RLIMIT_STACK))
    skip ();
  expect_child (show_stack_under_limit, &(rlim_t){ 4ul << 20 }, 0, "8388608\n");
  expect_child (show_stack_under_limit, &(rlim_t){ 16ul << 20 }, 0, "16777216\n");
  expect_child (show_stack_under_limit, &(rlim_t){ RLIM_INFINITY }, 0, "268435456\n");
}

static void
test_help_lists_every_option (void **state)
{
  static const struct row row = { { "-fupc-help" }, { "THREADS=2" }, 0, NULL, 0 };
  static const char *const names[] = { "-fupc-threads-", "-n ",         "UPC_THREADS",
                                       "THREADS",        "-fupc-heap-", "UPC_SHARED_HEAP_SIZE",
                                       "UPC_STACK_SIZE", "UPC_BIND",    "UPC_DEADLOCK",
                                       "UPC_WAIT",       "UPC_CHECK",   "-fupc-help" };
  struct child child = run_child (show_threads, &row);

  (void) state;
  assert_int_equal (child.status, 0);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    assert_non_null (strstr (child.text, names[i]));
  assert_null (strstr (child.text, "2:"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_sources_of_threads),
    cmocka_unit_test (test_first_source_wins),
    cmocka_unit_test (test_switches_leave_the_arguments),
    cmocka_unit_test (test_bad_thread_counts),
    cmocka_unit_test (test_compiled_in_threads),
    cmocka_unit_test (test_default_is_the_cpus),
    cmocka_unit_test (test_sizes),
    cmocka_unit_test (test_bad_sizes),
    cmocka_unit_test (test_check),
    cmocka_unit_test (test_default_stack_follows_the_limit),
    cmocka_unit_test (test_help_lists_every_option),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
