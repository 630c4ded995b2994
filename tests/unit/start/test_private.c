/* What upc-privatize leaves for each thread: pointers to be fixed, constructors and
   destructors. The sections are written by hand, with local-exec TLS offsets. */

#include "runtime/start/start.h"
#include "tests/unit/child.h"

#include <pthread.h>

static __thread int number __attribute__ ((used, tls_model ("local-exec"))) = 5;
static __thread int *pointer __attribute__ ((used, tls_model ("local-exec")));
static __thread char *middle __attribute__ ((used, tls_model ("local-exec")));
static __thread char text[8] __attribute__ ((used, tls_model ("local-exec"))) = "abcdefg";

__asm__(".pushsection upc_fixups,\"a\",@progbits\n"
        ".long pointer@tpoff, number@tpoff\n"
        ".long middle@tpoff, text@tpoff + 3\n"
        ".popsection");

static __thread void *answer __attribute__ ((used, tls_model ("local-exec")));

/* A resolver: it finds the pointers in place. */
static __attribute__ ((used)) void *
resolve (void)
{
  return pointer == &number ? text : NULL;
}

__asm__(".pushsection upc_choices,\"aw\",@progbits\n"
        ".long answer@tpoff, 0\n"
        ".quad resolve\n"
        ".popsection");

static __thread char calls[16];
static __thread int called;

static void
call (char which)
{
  calls[called++] = which;
}

static void
first (int argc, char **argv, char **envp)
{
  assert_int_equal (argc, 2);
  assert_ptr_equal (argv, &calls);
  assert_null (envp);
  call ('a');
}

static void
second (int argc, char **argv, char **envp)
{
  (void) argc, (void) argv, (void) envp;
  call ('b');
}

static void
first_end (void)
{
  call ('x');
}

static void
second_end (void)
{
  call ('y');
}

typedef void constructor (int, char **, char **);
static constructor *const ctors[] __attribute__ ((used, section ("upc_ctors"))) = { first, second };
static void (*const dtors[]) (void) __attribute__ ((used, section ("upc_dtors"))) = { first_end,
                                                                                      second_end };

/* Not through assertions: they leave a test by longjmp, which ends in its thread.
   Null when all is right. */
static void *
fix_and_look (void *others)
{
  upcr_private_fix ();
  if (pointer != &number || middle != text + 3 || pointer == others || answer != text)
    return &number;
  *pointer += 1;
  return number == 6 ? NULL : &number;
}

static void
test_each_thread_points_to_its_own (void **state)
{
  pthread_t thread;
  void *wrong;

  (void) state;
  assert_null (fix_and_look (NULL));
  assert_int_equal (pthread_create (&thread, NULL, fix_and_look, pointer), 0);
  pthread_join (thread, &wrong);
  assert_null (wrong);
  assert_int_equal (number, 6);
}

static void
test_constructors_in_order_destructors_reversed (void **state)
{
  (void) state;
  upcr_private_construct (2, (char **) &calls, NULL);
  upcr_private_destruct ();
  assert_string_equal (calls, "abyx");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_each_thread_points_to_its_own),
    cmocka_unit_test (test_constructors_in_order_destructors_reversed),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
