/* The planner: indexes with THREADS in them, where the number of threads is known at run time only. */

#include "tests/unit/upc2c/planned.h"

#define LOOP(name, statement) \
  "void " name " (int n, int k) { for (int i = 0; i < n; i++) " statement " }\n"
#define OF_48(name, statement) \
  "void " name " (int n, int k) { for (int i = 0; i < 48; i++) " statement " }\n"

const char source[]
    = "shared [16] int t[90][48 * THREADS], u[90][48 * THREADS]; shared int c[900 * THREADS];\n"
      "shared [4] int most[8192 * THREADS], too_many[8193 * THREADS];\n"
      "shared [4] int four[900 * THREADS]; shared [64] int far[90][48 * THREADS];\n"
      "shared [4] double x[48][48 * THREADS], y[48][48 * THREADS], s;\n"
    /* One element of two spellings, or others. */
    LOOP ("same", "t[k][i] = t[k][i] + 1;") LOOP ("same_sum",
                                                  "c[k * THREADS + i] = c[i + THREADS * k];")
        LOOP ("same_scaled", "c[(k + 1) * THREADS + i] = c[i + THREADS + k * THREADS];")
            LOOP ("other_sum", "c[k * THREADS + i] = c[i + 2 * THREADS * k];") OF_48 (
                "next_row", "t[k][i] = t[k + 1][i];") OF_48 ("last_row", "t[k + 1][i] = t[k][i];")
                OF_48 ("this_or_next", "t[k][i + 1] = t[k + 1][i];")
                    OF_48 ("meets_one_thread", "t[k][i + 48] = t[k + 1][i];")
                        LOOP ("odd", "c[2 * i] = c[2 * i + 2 * THREADS + 1];") OF_48 (
                            "nearer_row", "t[k + 1][i] = t[k][i + 100];")
                            OF_48 ("row_behind", "t[k][i + 100] = t[k + 1][i];") OF_48 (
                                "far_rounds", "c[i * THREADS] = c[i * THREADS + 100];")
                                LOOP ("odd_rounds", "c[2 * i * THREADS] = c[2 * i * THREADS + 1];")
                                    LOOP ("odd_threads", "c[2 * i] = c[2 * i + 3 * THREADS + 1];")
                                        LOOP ("even", "c[2 * i] = c[2 * i + 2 * THREADS];")
    /* What moves by a multiple of THREADS. */
    LOOP ("many_threads", "{ int t = most[i]; s = t / most[i + 1]; }") LOOP (
        "too_many_threads",
        "{ int t = too_many[i]; s = t / too_many[i + 1]; }") LOOP ("rounds", "c[i * THREADS] = 1;")
        LOOP ("rounds_of_2", "c[2 * i * THREADS] = c[(2 * i + 1) * THREADS];") LOOP (
            "rounds_beside",
            "c[i * THREADS] = c[i * THREADS + 1];") LOOP ("later",
                                                          "c[i * THREADS] = c[(i + 1) * THREADS];")
            LOOP ("earlier", "c[(i + 1) * THREADS] = c[i * THREADS];") LOOP (
                "later_pair",
                "c[i * THREADS] = c[(i + 1) * THREADS + 1];") LOOP ("cut_rounds",
                                                                    "four[i * THREADS] = 1;")
                LOOP ("whole_rounds", "four[4 * i * THREADS] = 1;") LOOP (
                    "square", "c[i * THREADS * THREADS] = 1;") LOOP ("sum",
                                                                     "c[i * (THREADS + 1)] = 1;")
                    LOOP ("twice", "c[i * THREADS + i] = 1;") LOOP ("columns", "t[i][k] = 1;") LOOP (
                        "cut_columns",
                        "far[i][k] = u[k][i];") "void down (int n, int k) { for (int i = n; i > 0; i -= 2) t[i][k] = 1; }\n"
                                                "void by_threads (int n, int k) { for (int i = 0; i < n; i += 2 * THREADS) t[i][k] = 1; }\n"
                                                "void by_square (int n, int k) { for (int i = 0; i < n; i += THREADS * THREADS) t[i][k] = four[i]; }\n"
                                                "void unsigned_rounds (unsigned n) { for (unsigned i = 0; i < n; i++) c[i * THREADS] = 1; }\n"
                                                "void all (int n, int k) { int i; upc_forall (i = 0; i < n; i++; &c[i]) t[i][k] = c[i]; }\n"
                                                "void by_two (int n, int k) { for (int i = 0; i < n; i += 2) t[i + 2][k] = t[i + 2][k] + t[k][i]; }\n"
                                                "void product (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)\n"
                                                "  for (int k = 0; k < n; k++) far[i][j] += t[i][k] * u[k][j]; }\n"
                                                "void stencil (int n) { for (int i = 1; i < n; i++) for (int j = 1; j < n; j++)\n"
                                                "  x[i][j] = y[i - 1][j] + y[i + 1][j] + y[i][j - 1]; }\n"
                                                "void to_and_fro (int n) { for (int i = 1; i < n; i++) for (int j = 1; j < n; j++)\n"
                                                "  c[j] = y[i - 1][j] + y[i + 1][j] + x[2 * i][j]; }\n";

static int
parse_for_any_threads (void **state)
{
  (void) state;
  return parse_for (0);
}

static bool
is_free (const char *function)
{
  const struct loop *loop = plan_for (function);

  return loop->is_independent && !loop->strip_meetings && !loop->meetings && !loop->keeps_order;
}

static void
test_terms_with_threads_are_compared (void **state)
{
  (void) state;
  assert_true (is_free ("same") && is_free ("same_sum") && is_free ("same_scaled"));
  assert_int_equal (plan_for ("same")->reference_count, 1);
  assert_false (is_free ("other_sum"));
}

static void
test_iterations_meet_with_some_number_of_threads (void **state)
{
  (void) state;
  assert_true (is_free ("next_row") && is_free ("last_row"));
  assert_false (is_free ("this_or_next"));
  assert_false (is_free ("meets_one_thread"));
  assert_false (is_free ("nearer_row"));
  assert_false (is_free ("row_behind"));
  assert_false (is_free ("far_rounds"));
  assert_true (is_free ("odd") && is_free ("odd_rounds"));
  assert_false (is_free ("odd_threads"));
  assert_false (is_free ("even"));
  assert_true (is_free ("rounds_of_2"));
  assert_false (is_free ("rounds_beside"));
}

static void
test_order_of_rounds (void **state)
{
  (void) state;
  assert_true (plan_for ("later")->keeps_order);
  assert_false (plan_for ("earlier")->is_independent);
  assert_true (plan_for ("later_pair")->keeps_order);
}

enum
{
  NONE = 1000
};

/* How the first element of FUNCTION moves in one thread's memory; NONE: no reference does. */
static int
stride_in (const char *function)
{
  struct loop *loop = plan_for (function);
  const struct reference *r = loop->references;

  while (r && !(r->is_by_rounds && r->stays && r->stride_kind == STRIDE_IN_BLOCK))
    r = r->next;
  return r ? (int) r->stride : NONE;
}

static void
test_rounds_of_blocks_stay_in_one_thread (void **state)
{
  (void) state;
  assert_int_equal (stride_in ("rounds"), 1);
  assert_int_equal (stride_in ("rounds_of_2"), 2);
  assert_int_equal (stride_in ("columns"), 48);
  assert_int_equal (stride_in ("down"), -96);
  assert_int_equal (stride_in ("whole_rounds"), 4);
  assert_int_equal (stride_in ("cut_rounds"), NONE);
  assert_int_equal (stride_in ("cut_columns"), NONE);
  assert_int_equal (stride_in ("square"), NONE);
  assert_int_equal (stride_in ("sum"), NONE);
  assert_int_equal (stride_in ("twice"), NONE);
  assert_int_equal (stride_in ("unsigned_rounds"), NONE);
  assert_int_equal (stride_in ("by_threads"), NONE);
  assert_int_equal (stride_in ("all"), NONE);
  assert_true (plan_for ("columns")->is_for_scalars);
  assert_false (plan_for ("rounds")->is_for_scalars);
}

static void
test_steps_by_threads (void **state)
{
  (void) state;
  assert_int_equal (plan_for ("by_threads")->rounds, 2);
  assert_int_equal (plan_for ("by_square")->rounds, 0);
}

/* By how many elements the iterations move is not known. */
static void
test_no_value_is_carried_by_rows_of_threads (void **state)
{
  (void) state;
  assert_null (plan_for ("by_two")->carried);
}

static void
test_what_leaves_its_block_at_once_is_looked_up (void **state)
{
  struct loop *loop = plan_for ("cut_columns");

  (void) state;
  assert_true (access_by (loop, "far")->is_scattered);
  assert_non_null (access_by (loop, "far")->tabled);
}

static void
test_nests_have_rows_by_threads (void **state)
{
  (void) state;
  assert_non_null (plan_for ("product")->nest);
  assert_true (plan_for ("product")->nest->may_copy);
}

static void
test_rows_by_threads_are_kept (void **state)
{
  const struct kept_rows *rows = plan_for ("stencil")->kept_rows;

  (void) state;
  assert_non_null (rows);
  assert_int_equal (rows->last_row - rows->first_row, 2);
  assert_ptr_equal (rows->root->decl->name,
                    access_by (plan_for ("stencil"), "y")->reference->root->decl->name);
}

static void
test_tables_are_small_with_a_few_threads (void **state)
{
  (void) state;
  assert_true (plan_for ("many_threads")->is_by_elements);
  assert_false (plan_for ("too_many_threads")->is_by_elements);
  assert_true (plan_for ("too_many_threads")->crosses_blocks);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_terms_with_threads_are_compared),
    cmocka_unit_test (test_iterations_meet_with_some_number_of_threads),
    cmocka_unit_test (test_order_of_rounds),
    cmocka_unit_test (test_no_value_is_carried_by_rows_of_threads),
    cmocka_unit_test (test_rounds_of_blocks_stay_in_one_thread),
    cmocka_unit_test (test_steps_by_threads),
    cmocka_unit_test (test_what_leaves_its_block_at_once_is_looked_up),
    cmocka_unit_test (test_nests_have_rows_by_threads),
    cmocka_unit_test (test_rows_by_threads_are_kept),
    cmocka_unit_test (test_tables_are_small_with_a_few_threads),
  };

  return cmocka_run_group_tests (tests, parse_for_any_threads, NULL);
}
