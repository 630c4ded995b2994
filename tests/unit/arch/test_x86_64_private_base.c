/* Who sets the base of private data: the kernel one that is an address, the instruction any other, if
   the kernel says that programs may use it. */

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

/* What takes the place of libc's below. */
static unsigned long capabilities;
static int kernel_calls;

static unsigned long
capabilities_of (unsigned long type)
{
  assert_int_equal (type, AT_HWCAP2);
  return capabilities;
}

static long
call_kernel (long number, long code, long base)
{
  kernel_calls++;
  assert_int_equal (number, SYS_arch_prctl);
  return syscall (number, code, base);
}

#define getauxval capabilities_of
#define syscall call_kernel
#include "runtime/arch/arch.h"
#undef getauxval
#undef syscall

/* A thread reads element 1 through the base; element 0 and 2 are what a base of 4 bytes less or more
   leads to. */
static int elements[] = { 10, 11, 12 };

static void *
read_element (void *unused)
{
  (void) unused;
  return (void *) (intptr_t) * (UPCR_PRIVATE_SEGMENT int *) (uintptr_t) &elements[1];
}

/* In a thread of its own, and one that this makes. */
struct attempt
{
  long base;
  const char *why_not;
  int read, read_by_child;
};

static void *
run_attempt (void *argument)
{
  struct attempt *attempt = argument;
  pthread_t child;
  void *read;

  attempt->why_not = upcr_set_private_base (attempt->base);
  if (attempt->why_not)
    return NULL;
  attempt->read = (intptr_t) read_element (NULL);
  assert_int_equal (pthread_create (&child, NULL, read_element, NULL), 0);
  assert_int_equal (pthread_join (child, &read), 0);
  attempt->read_by_child = (intptr_t) read;
  return NULL;
}

static struct attempt
try_base (long base)
{
  struct attempt attempt = { .base = base };
  pthread_t thread;

  kernel_calls = 0;
  assert_int_equal (pthread_create (&thread, NULL, run_attempt, &attempt), 0);
  assert_int_equal (pthread_join (thread, NULL), 0);
  return attempt;
}

static void
addresses_are_the_kernels (void **state)
{
  (void) state;
  for (int i = 0; i < 2; i++)
    {
      struct attempt above;
      capabilities = i ? HWCAP2_FSGSBASE : 0;
      above = try_base (sizeof *elements);
      assert_null (above.why_not);
      assert_int_equal (above.read, 12);
      assert_int_equal (above.read_by_child, 12);
      assert_int_equal (kernel_calls, 1);
    }
}

static void
others_take_the_instruction (void **state)
{
  struct attempt below;

  (void) state;
  capabilities = getauxval (AT_HWCAP2);
  if (!(capabilities & HWCAP2_FSGSBASE))
    skip ();
  below = try_base (-(long) sizeof *elements);
  assert_null (below.why_not);
  assert_int_equal (below.read, 10);
  assert_int_equal (below.read_by_child, 10);
  assert_int_equal (kernel_calls, 0);
}

static void
others_are_refused_without_it (void **state)
{
  struct attempt below;

  (void) state;
  capabilities = 0;
  below = try_base (-(long) sizeof *elements);
  assert_string_equal (below.why_not, strerror (EOPNOTSUPP));
  assert_int_equal (kernel_calls, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (addresses_are_the_kernels),
    cmocka_unit_test (others_take_the_instruction),
    cmocka_unit_test (others_are_refused_without_it),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
