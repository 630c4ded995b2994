/* What upc-privatize leaves for each thread to run: resolvers, constructors and
   destructors. The sections are written by hand. */

#include "runtime/start/start.h"
#include "tests/unit/child.h"

static void *answer __attribute__ ((used));
static char text[8] = "abcdefg";

static __attribute__ ((used)) void *
resolve (void)
{
  return text;
}

__asm__(".pushsection upc_choices,\"aw\",@progbits\n"
        ".long answer - ., 0\n"
        ".quad resolve\n"
        ".popsection");

static char calls[16];
static int called;

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

static void
test_resolvers_are_called (void **state)
{
  (void) state;
  upcr_private_resolve ();
  assert_ptr_equal (answer, text);
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
    cmocka_unit_test (test_resolvers_are_called),
    cmocka_unit_test (test_constructors_in_order_destructors_reversed),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
