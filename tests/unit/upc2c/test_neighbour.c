/* The planner: references that lie side by side in all iterations (plan/neighbour.c). */

#include "tests/unit/upc2c/planned.h"

#define LOOP "for (int i = 0; i < n; i++) "

const char source[] = PLANNED_DECLARATIONS
    "shared [15] int odd[15 * THREADS]; shared [1000] short narrow[1000 * THREADS]; shared [] int *whole;\n"
    "void pairs (int n) { " LOOP "{ big[2 * i] = 1; big[2 * i + 1] = 2; } }\n"
    "void pairs_at (int n, int k) { " LOOP
    "{ big[2 * i + 4 * k + 7] = 1; big[2 * i + 4 * k + 6] = 2; } }\n"
    "void pairs_down (int n) { for (int i = n; i > 0; i--) { big[2 * i] = 1; big[2 * i + 1] = 2; } }\n"
    "void threes (int n) { " LOOP "{ s += odd[3 * i] + odd[3 * i + 1] + odd[3 * i + 2]; } }\n"
    "void fours (int n) { " LOOP
    "{ big[4 * i] = 1; big[4 * i + 2] = 2; big[4 * i + 1] = 1; big[4 * i + 3] = 4; } }\n"
    "void of_fours (int n) { " LOOP "{ big[4 * i] = 1; big[4 * i + 2] = 2; } }\n"
    "void by_whole (int n) { " LOOP "{ s += whole[i] + whole[i + 7]; } }\n"
    "void by_cyclic (int n) { " LOOP "{ c[8 * i] = 1; c[8 * i + 1] = 2; } }\n"
    "void across (int n) { " LOOP "{ big[2 * i + 1] = 1; big[2 * i + 2] = 2; } }\n"
    "void before (int n) { " LOOP "{ big[2 * i] = 1; big[2 * i - 1] = 2; } }\n"
    "void odd_block (int n) { " LOOP "{ odd[2 * i] = 1; odd[2 * i + 1] = 2; } }\n"
    "void odd_start (int n, int k) { " LOOP "{ big[2 * i + k] = 1; big[2 * i + k + 1] = 2; } }\n"
    "void by_steps (int n) { for (int i = n % 7; i < n; i += 2) { big[i] = 1; big[i + 1] = 2; } }\n"
    "void by_pointer (int n, shared [1000] int *p) { " LOOP
    "{ p[2 * i] = 1; p[2 * i + 1] = 2; } }\n"
    "void of_two (int n) { " LOOP "{ big[2 * i] = 1; vast[2 * i + 1] = 2; } }\n"
    "void apart (int n) { " LOOP "{ s += big[i] + big[i + 1]; } }\n"
    "void together (int n) { " LOOP "{ big[2 * i] = 1; big[2 * i + 1] = 2; } }\n";

/* How many references of FUNCTION's loop have a neighbour. */
static int
neighbours (const char *function)
{
  int count = 0;

  for (struct reference *r = plan_for (function)->references; r; r = r->next)
    count += r->neighbour != NULL;
  return count;
}

static void
test_elements_of_one_block (void **state)
{
  (void) state;
  assert_int_equal (neighbours ("pairs"), 1);
  assert_int_equal (neighbours ("pairs_at"), 1);
  assert_int_equal (neighbours ("pairs_down"), 1);
  assert_int_equal (neighbours ("threes"), 2);
  assert_int_equal (neighbours ("fours"), 3);
  assert_int_equal (neighbours ("by_whole"), 1);
}

static void
test_elements_of_what_may_be_two_blocks (void **state)
{
  static const char *const functions[] = { "by_cyclic",  "across",    "before",
                                           "odd_block",  "odd_start", "by_steps",
                                           "by_pointer", "of_two",    "apart" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (neighbours (functions[i]) != 0)
      fail_msg ("%s", functions[i]);
}

/* Vectors load and store all of them. */
static void
test_all_that_a_loop_moves_by (void **state)
{
  (void) state;
  assert_true (plan_for ("fours")->is_for_vectors);
  assert_false (plan_for ("of_fours")->is_for_vectors);
}

static void
test_neighbours_cross_together (void **state)
{
  struct loop *loop = plan_for ("together");
  struct reference *a = loop->references, *b = a->next;

  (void) state;
  assert_true (loop->crosses_blocks);
  assert_ptr_equal (b->neighbour, a);
  assert_int_equal (b->apart, b->at.constant - a->at.constant);
  assert_ptr_equal (b->crosses_with, a);
  assert_true (b->is_beside);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_elements_of_one_block),
    cmocka_unit_test (test_elements_of_what_may_be_two_blocks),
    cmocka_unit_test (test_all_that_a_loop_moves_by),
    cmocka_unit_test (test_neighbours_cross_together),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
