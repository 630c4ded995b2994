/* The planner: loops whose strips have a few iterations, as their elements leave blocks at many places. */

#include "tests/unit/upc2c/planned.h"

const char source[] = PLANNED_DECLARATIONS
    "shared [48] double A[48 * THREADS][48], B[48 * THREADS][48], C[48 * THREADS][48];\n"
    "shared [8] double eight[800 * THREADS]; shared [9] double nine[900 * THREADS];\n"
    "shared [4] int most[131072 * THREADS], too_many[131073 * THREADS];\n"
    "void red (int n, int m, int k) { for (int j = 1; j < n; j += 2) four[k + j] = four[k + j - 1] + four[k + j + 1]\n"
    "  + four[k - m + j] + four[k + m + j]; }\n"
    "void places_2 (int n) { double t = 0; for (int i = 0; i < n; i++) t += four[i] * four[i + 1]; }\n"
    "void places_far (int n) { double t = 0; for (int i = 0; i < n; i++) t += four[i] * four[i + 1]; }\n"
    "void places_3 (int n) { double t = 0; for (int i = 0; i < n; i++) t += eight[i] * eight[i + 1] / eight[i + 2]; }\n"
    "void of_nine (int n) { double t = 0; for (int i = 0; i < n; i++) t += nine[i] * nine[i + 1] / nine[i + 2]; }\n"
    "void shortest (int n) { double t = 0; for (int i = 0; i < n; i++) t += nine[i] * nine[i + 1] / four[i]; }\n"
    "void in_phase (int n) { double t = 0; for (int i = 0; i < n; i++) t += eight[i] / eight[i + 1] / eight[i + 8]; }\n"
    "void by_pointer (int n, shared [4] int *p) { double t = 0; for (int i = 0; i < n; i++) t += four[i] / p[i + 1]; }\n"
    "void most_blocks (int n) { double t = 0; for (int i = 0; i < n; i++) t += most[i] / most[i + 1]; }\n"
    "void many_blocks (int n) { double t = 0; for (int i = 0; i < n; i++) t += too_many[i] / too_many[i + 1]; }\n"
    "void waits (int n) { for (int i = 1; i < n; i++) four[i] = four[i - 1] * 3 + four[i + 1]; }\n"
    "void waits_down (int n) { for (int i = n; i > 0; i--) { s += i; four[i] += four[i + 1]; } }\n"
    "void waits_for_older (int n) { for (int i = 2; i < n; i++) four[i] = four[i - 2] * 3 + four[i + 1]; }\n"
    "void may_wait (int n) { for (int i = 1; i < n; i++) four[i] = s ? four[i - 1] : four[i + 1]; }\n"
    "void may_store (int n) { for (int i = 1; i < n; i++) if (s) four[i] = four[i - 1] + 1; }\n"
    "void ends (int n) { for (int i = 1; i < n; i++) { four[i] = four[i - 1] + 1; if (four[i] > n) break; } }\n"
    "void loop_inside (int n, int k) { for (int i = 0; i < n; i++) for (k = 0; k < s; k++) four[i] = four[i + 1] + k; }\n"
    "void few (void) { for (int j = 0; j < 15; j++) four[j + 1] = four[j] + four[j + 2]; }\n"
    "void more (void) { for (int j = 0; j < 16; j++) four[j + 1] = four[j] + four[j + 2]; }\n"
    "void few_down (void) { for (int j = 14; j >= 0; j--) four[j + 1] = four[j] + four[j + 2]; }\n"
    "void few_places (void) { for (int j = 0; j < 15; j++) four[j + 1] = four[j] + fours2[j + 4]; }\n"
    "void in_windows (void) { for (int j = 0; j < 12; j++) four[j + 1] = fours2[j] + fours2[j + 2]; }\n"
    "void before_windows (void) { for (int j = 0; j < 11; j++) four[j + 1] = fours2[j] + fours2[j + 2]; }\n"
    "void product (int n, int i) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)\n"
    "  C[i][j] += A[i][k] * B[k][j]; }\n"
    "void product_by (int n, int i, shared [48] double (*x)[48]) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)\n"
    "  C[i][j] += x[i][k] * B[k][j]; }\n";

/* The plan of the innermost loop inside LOOP, as the tree has it. */
static struct loop *
inside (struct loop *loop)
{
  struct loop *found = NULL;

  any_stmt (loop->stmt->then, is_loop, &found);
  assert_non_null (found);
  return found;
}

/* Whether the loop in the function of that NAME has strips no more, as they would be too short. */
static bool
is_by_elements (const char *name)
{
  struct loop *loop = plan_for (name);

  loop = loop->in_order ? loop->in_order : loop;
  assert_true (loop->is_by_elements ? loop->form == LOOP_AS_WRITTEN && !loop->references
                                    : loop->form == LOOP_STRIPS && loop->crosses_blocks);
  return loop->is_by_elements;
}

static void
test_many_places_are_no_strips (void **state)
{
  (void) state;
  assert_true (is_by_elements ("red"));
  assert_true (is_by_elements ("places_2"));
  assert_non_null (access_by (plan_for ("places_2"), "four")->tabled);
  assert_null (access_by (plan_for ("places_2"), "four")->copied);
  assert_true (is_by_elements ("places_3"));
  assert_false (is_by_elements ("of_nine"));
  assert_true (is_by_elements ("shortest"));
  assert_false (is_by_elements ("in_phase"));
  assert_false (is_by_elements ("loop_inside"));
  switches.network = true;
  assert_false (is_by_elements ("places_far"));
  switches.network = false;
}

static void
test_tables_are_small (void **state)
{
  (void) state;
  assert_false (is_by_elements ("by_pointer"));
  assert_true (is_by_elements ("most_blocks"));
  assert_false (is_by_elements ("many_blocks"));
}

static void
test_values_of_the_iteration_before_are_waited_for (void **state)
{
  (void) state;
  assert_false (is_by_elements ("waits"));
  assert_false (is_by_elements ("waits_down"));
  assert_true (is_by_elements ("waits_for_older"));
  assert_true (is_by_elements ("may_wait"));
  assert_true (is_by_elements ("may_store"));
  assert_true (is_by_elements ("ends"));
}

static void
test_few_iterations_are_no_strips (void **state)
{
  (void) state;
  assert_true (plan_for ("few")->is_by_elements);
  assert_true (plan_for ("few_down")->is_by_elements);
  assert_false (plan_for ("more")->is_by_elements);
  assert_false (plan_for ("few_places")->is_by_elements);
  assert_true (plan_for ("before_windows")->is_by_elements);
  assert_false (plan_for ("in_windows")->is_by_elements);
  assert_true (plan_for ("in_windows")->is_windowed);
}

static void
test_what_is_beside_lanes_has_one_version (void **state)
{
  struct loop *loop = plan_for ("product");

  (void) state;
  assert_non_null (loop->lanes);
  exchange_plans (loop);
  assert_null (inside (loop->in_order)->sure);
  exchange_plans (loop);
  /* All iterations may be done there. */
  loop = plan_for ("product_by");
  assert_non_null (loop->lanes);
  exchange_plans (loop);
  assert_non_null (inside (loop->in_order)->sure);
  exchange_plans (loop);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_many_places_are_no_strips),
    cmocka_unit_test (test_tables_are_small),
    cmocka_unit_test (test_values_of_the_iteration_before_are_waited_for),
    cmocka_unit_test (test_few_iterations_are_no_strips),
    cmocka_unit_test (test_what_is_beside_lanes_has_one_version),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
