/* Exit handlers as each UPC thread has them. */

#include "runtime/libc/libc.h"
#include "tests/unit/upc_threads.h"

#include <pthread.h>

static __thread int step;

static void
third (void)
{
  CHECK (step++ == 2);
}
static void
second_of (void *argument)
{
  CHECK (argument == &step && step++ == 1);
}
static void
first (int status, void *argument)
{
  CHECK (status == 5 && argument == &step && step++ == 0);
}

static void
say_steps (void)
{
  CHECK (step == 3);
  printf ("%d", step);
}

static void
exit_with_handlers (void)
{
  CHECK (upcr_atexit (say_steps) == 0);
  CHECK (upcr_atexit (third) == 0);
  CHECK (upcr_cxa_atexit (second_of, &step, NULL) == 0);
  CHECK (upcr_on_exit (first, &step) == 0);
  upcr_exit (5);
}

static void
test_handlers_run_backwards_in_each_thread (void **state)
{
  (void) state;
  expect_threads (4, 0, exit_with_handlers, 5, "3333");
}

static void register_more (void);

static void
say_once (void)
{
  printf ("s");
}

static void
register_more (void)
{
  printf ("m");
  upcr_atexit (say_once);
}

static void
exit_and_register (void)
{
  upcr_atexit (register_more);
  upcr_exit (0);
}

static void
test_handler_registers_another (void **state)
{
  (void) state;
  expect_threads (1, 0, exit_and_register, 0, "ms");
}

static void
exit_again (void)
{
  upcr_exit (9);
}

static void
exit_twice (void)
{
  upcr_atexit (say_once);
  upcr_atexit (exit_again);
  upcr_exit (3);
}

static void
test_handler_exits (void **state)
{
  (void) state;
  expect_threads (1, 0, exit_twice, 9, "s");
}

/* Of this program, as compilers pass it. */
extern void *__dso_handle;

static int process_handlers;

static void
say_handlers (void)
{
  printf ("%d", process_handlers);
}

static void
count_argument (void *argument)
{
  process_handlers += argument == &process_handlers;
}

static void
count_status (int status, void *argument)
{
  process_handlers += status == 2 && argument == &process_handlers;
}

/* In a thread of the program's own they are the process's. */
static void *
register_elsewhere (void *unused)
{
  CHECK (upcr_atexit (say_handlers) == 0);
  CHECK (upcr_cxa_atexit (count_argument, &process_handlers, &__dso_handle) == 0);
  CHECK (upcr_on_exit (count_status, &process_handlers) == 0);
  return unused;
}

static void
exit_of_the_process (void)
{
  pthread_t thread;

  pthread_create (&thread, NULL, register_elsewhere, NULL);
  pthread_join (thread, NULL);
  upcr_exit (2);
}

static void
test_handlers_of_other_threads (void **state)
{
  (void) state;
  expect_threads (1, 0, exit_of_the_process, 2, "2");
}

static void exit_deep_down (int depth);

/* Called through it: the compiler sees that nothing returns, and warns. */
static void (*volatile deeper) (int) = exit_deep_down;

static void
exit_deep_down (int depth)
{
  if (depth > 0)
    deeper (depth - 1);
  else
    upcr_exit (MYTHREAD == 2 ? 4 : 0);
}

static void
exit_at_depth (void)
{
  exit_deep_down (100);
}

static void
test_exit_from_any_depth (void **state)
{
  (void) state;
  expect_threads (4, 0, exit_at_depth, 4, "");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_handlers_run_backwards_in_each_thread),
    cmocka_unit_test (test_handler_registers_another),
    cmocka_unit_test (test_handler_exits),
    cmocka_unit_test (test_handlers_of_other_threads),
    cmocka_unit_test (test_exit_from_any_depth),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
