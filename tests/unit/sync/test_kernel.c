/* The operating system below a wait leaves the program's errno alone. */

#include "tests/unit/sync/kernel.h"
#include "tests/unit/sync/threads.h"

#include <errno.h>

enum
{
  NO_THREAD = 0x7ffffff0
};

static void
futexes_keep_errno (void **state)
{
  static _Atomic uint32_t word = 3;
  static const struct timespec no_time;

  (void) state;
  errno = ENOTTY;
  assert_int_equal (upcr_kernel.futex_wait (&word, 4, NULL), EAGAIN);
  assert_int_equal (upcr_kernel.futex_wait (&word, 3, &no_time), ETIMEDOUT);
  assert_int_equal (upcr_kernel.futex_wake ((void *) ((char *) &word + 1), 1), EINVAL);
  assert_int_equal (errno, ENOTTY);
}

static void
questions_about_ended_threads_keep_errno (void **state)
{
  cpu_set_t mask;

  (void) state;
  errno = ENOTTY;
  assert_int_equal (upcr_kernel.runs_on (NO_THREAD), -1);
  assert_false (upcr_kernel.get_mask (NO_THREAD, &mask));
  CPU_ZERO (&mask);
  assert_false (upcr_kernel.set_mask (&mask));
  assert_int_equal (errno, ENOTTY);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (futexes_keep_errno),
    cmocka_unit_test (questions_about_ended_threads_keep_errno),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
