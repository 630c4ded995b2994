/* The planner: rows that stay in windows while an outer loop goes from one to the next. */

#include "tests/unit/upc2c/planned.h"

#define NEST(name, more, statement)                              \
  "void " name " (int n" more ") { for (int i = 2; i < n; i++) " \
  "{ for (int j = 1; j < n; j++) " statement " } }\n"

/* With other headers. */
#define LOOPS(name, outer, inner)                   \
  "void " name " (int n, int k) { " outer " " inner \
  " x[i][j] = y[i - 1][j] + y[i][j + 1] + y[i + 1][j]; }\n"

#define FLAT(name, type, above, below)                                            \
  "void " name " (" type " m, int n, line p) { for (" type " i = 1; i < m; i++) " \
  "for (int j = 1; j < n; j++) to[1000 + j] = p[" above "] + p[" above " + 1] + p[" below "]; }\n"

#define EACH_ROW "for (int i = 1; i < n; i++)"
#define EACH_COLUMN "for (int j = 1; j < n; j++)"

const char source[] = PLANNED_DECLARATIONS
    "struct part { double value; }; typedef shared [4] double (*rows)[48]; typedef shared [4] double *line;\n"
    "shared [4] double x[48 * THREADS][48], y[48 * THREADS][48], to[4000 * THREADS], wide[48 * THREADS][8];\n" NEST (
        "five_points", "", "x[i][j] = y[i - 1][j] + y[i + 1][j] + y[i][j - 1] + y[i][j + 1];")
        NEST ("three_rows", "", "x[i][j] = y[i - 2][j + 1] + y[i][j - 3];") NEST (
            "one_row", "",
            "x[i][j] = y[i][j - 1] + y[i][j + 1];") NEST ("far_rows", "",
                                                          "x[i][j] = y[i - 2][j + 1] + y[i + 4][j];")
            NEST ("far_columns", "", "x[i][j] = y[i - 1][j] + y[i][j + 14] + y[i][j];") NEST (
                "two_arrays", ", rows u",
                "x[i][j] = y[i - 1][j + 1] + y[i][j] + u[i][j] + u[i + 1][j + 1];")
                NEST ("same_array", "", "x[i][j] = x[i - 2][j + 14] + x[i - 1][j + 15];") NEST (
                    "by_pointer", ", rows u, rows v",
                    "v[i][j] = u[i - 1][j + 1] + u[i][j];") NEST ("read_beside", ", rows u, rows v",
                                                                  "x[i][j] = v[i - 1][j + 1] + v[i][j] + u[i][j];")
                    NEST ("other_columns", "", "x[i][j] = y[i - 2][j + 1] + y[2 * i][j];") NEST (
                        "narrow_rows", "",
                        "x[i][j] = wide[i - 2][j + 1] + wide[i][j];") NEST ("wide_columns", "",
                                                                            "x[i][j] = y[i - 1][j + 14] + y[i][j];")
                        NEST ("reversed", "", "x[i][j] = y[i - 1][40 - j] + y[i][42 - j] + y[i][41 - j];") NEST (
                            "writes_beside", ", rows u",
                            "x[i][j] = y[i - 1][j + 1] + y[i][j]; for (int j = 1; j < n; j++) u[i][j] = 1;")
                            NEST (
                                "written_behind", "",
                                "x[i][j] = y[i - 1][j + 1] + y[i][j]; for (int j = 1; j < n; j++) y[i][j] = 1;")
                                NEST ("written_too", "",
                                      "{ x[i][j] = y[i - 1][j + 1] + y[i][j]; y[i + 9][j] = 1; }")
                                    FLAT ("flat", "int", "i * n + j", "i * n + j + n") FLAT (
                                        "flat_above", "int", "(i - 1) * n + j + 1",
                                        "(i + 1) * n + j") FLAT ("flat_unsigned", "unsigned",
                                                                 "i * n + j",
                                                                 "i * n + j + n") FLAT ("flat_twice",
                                                                                        "int",
                                                                                        "(2 * i) * n + j",
                                                                                        "(2 * i + 1) * n + j + 1")
                                        FLAT ("flat_square", "int", "i * i + j", "(i + 1) * i + j") FLAT (
                                            "flat_wide", "unsigned", "(long) (i * n) + j",
                                            "(long) (i * n) + n + j") FLAT ("flat_other", "int",
                                                                            "i * n + j",
                                                                            "i * m + j + 1")
                                            NEST ("by_private", ", double *w",
                                                  "x[i][j] = y[i - 1][j + 1] + y[i][j]; w[i] = 1;")
                                                NEST (
                                                    "reads_private", ", double *w",
                                                    "x[i][j] = y[i - 1][j + 1] + y[i][j]; s += w[i] > 0;")
                                                    NEST (
                                                        "by_private_record", ", struct part *w",
                                                        "x[i][j] = y[i - 1][j + 1] + y[i][j]; (*w).value = 1;")
                                                        NEST (
                                                            "to_private", "",
                                                            "x[i][j] = y[i - 1][j + 1] + y[i][j]; own[i] = 1;")
                                                            LOOPS ("plain", EACH_ROW, EACH_COLUMN) LOOPS (
                                                                "inclusive",
                                                                "for (int i = 1; i <= n; i++)",
                                                                EACH_COLUMN) LOOPS ("downwards",
                                                                                    "for (int i = n; i > 1; i--)",
                                                                                    EACH_COLUMN)
                                                                LOOPS (
                                                                    "in_steps",
                                                                    "for (int i = 1; i < n; i += 2)",
                                                                    EACH_COLUMN)
                                                                    LOOPS (
                                                                        "forall",
                                                                        "upc_forall (int i = 1; i < n; i++; i)",
                                                                        EACH_COLUMN) LOOPS ("forall_of_all",
                                                                                            "upc_forall (int i = 1; i < n; i++; )",
                                                                                            EACH_COLUMN)
                                                                        LOOPS ("sometimes",
                                                                               EACH_ROW
                                                                               " if (i != k)",
                                                                               EACH_COLUMN) LOOPS ("triangle",
                                                                                                   EACH_ROW,
                                                                                                   "for (int j = i; j < n; j++)")
                                                                            LOOPS (
                                                                                "lower_triangle",
                                                                                EACH_ROW,
                                                                                "for (int j = 1; j < i; j++)")
                                                                                LOOPS (
                                                                                    "planes",
                                                                                    "for (int t = 0; t < n; t++) " EACH_ROW,
                                                                                    EACH_COLUMN) "void leaves (int n) { " EACH_ROW
                                                                                                 " { " EACH_COLUMN
                                                                                                 " x[i][j] = y[i - 1][j + 1] + y[i][j]; if (i == 7) break; } }\n"
                                                                                                 "void alone (int i, int n) { " EACH_COLUMN
                                                                                                 " x[i][j] = y[i - 1][j + 1] + y[i][j]; }\n"
                                                                                                 "void calls (int n) { " EACH_ROW
                                                                                                 " { " EACH_COLUMN
                                                                                                 " x[i][j] = y[i - 1][j + 1] + y[i][j]; f (); } }\n";

/* What the loops of FUNCTION keep. */
static bool
find_kept (struct stmt *s, void *found)
{
  if ((s->kind != STMT_FOR && s->kind != STMT_FORALL) || !s->plan->kept_rows)
    return false;
  *(struct kept_rows **) found = s->plan->kept_rows;
  return true;
}

static struct kept_rows *
kept (const char *function)
{
  struct kept_rows *rows = NULL;

  any_stmt (plan_for (function)->stmt, find_kept, &rows);
  return rows;
}

static int
count_rows (const char *function)
{
  const struct kept_rows *rows = kept (function);

  return rows ? rows->last_row - rows->first_row + 1 : 0;
}

static void
test_rows_are_kept (void **state)
{
  (void) state;
  assert_int_equal (count_rows ("five_points"), 3);
  assert_int_equal (kept ("five_points")->last_column - kept ("five_points")->first_column, 2);
  assert_int_equal (count_rows ("three_rows"), 3);
  assert_int_equal (kept ("three_rows")->last_column - kept ("three_rows")->first_column, 4);
  assert_int_equal (count_rows ("plain"), 3);
  assert_int_equal (count_rows ("inclusive"), 3);
  assert_int_equal (count_rows ("planes"), 3);
}

static void
test_rows_are_of_one_array (void **state)
{
  struct kept_rows *rows = kept ("two_arrays");

  (void) state;
  assert_non_null (rows);
  assert_non_null (rows->next);
  assert_null (rows->next->next);
}

static void
test_a_row_is_one_of_several (void **state)
{
  (void) state;
  assert_null (kept ("one_row"));
  assert_null (kept ("far_rows"));
  assert_null (kept ("other_columns"));
  assert_null (kept ("alone"));
  assert_non_null (kept ("far_columns"));
  assert_int_equal (count_rows ("far_columns"), 2);
  assert_null (kept ("wide_columns"));
  assert_null (kept ("reversed"));
  assert_int_equal (count_rows ("narrow_rows"), 3);
}

static void
test_rows_of_what_is_written_change (void **state)
{
  (void) state;
  assert_null (kept ("same_array"));
  assert_null (kept ("written_too"));
  assert_null (kept ("written_behind"));
  assert_null (kept ("by_private"));
  assert_null (kept ("by_private_record"));
  assert_non_null (kept ("reads_private"));
  assert_non_null (kept ("to_private"));
  assert_false (kept ("five_points")->needs_question);
  assert_true (kept ("by_pointer")->needs_question);
  assert_non_null (plan_for ("by_pointer")->question);
  assert_true (kept ("read_beside")->needs_question);
  assert_true (kept ("writes_beside")->needs_question);
  assert_non_null (plan_for ("writes_beside")->question);
}

static void
test_rows_of_a_length_that_is_a_variable (void **state)
{
  (void) state;
  assert_int_equal (count_rows ("flat"), 2);
  assert_int_equal (count_rows ("flat_above"), 3);
  assert_null (kept ("flat_unsigned"));
  assert_null (kept ("flat_twice"));
  assert_null (kept ("flat_square"));
  assert_null (kept ("flat_wide"));
  assert_null (kept ("flat_other"));
}

static void
test_the_loop_around_goes_from_row_to_row (void **state)
{
  (void) state;
  assert_null (kept ("downwards"));
  assert_null (kept ("in_steps"));
  assert_null (kept ("forall"));
  assert_null (kept ("forall_of_all"));
  assert_null (kept ("sometimes"));
  assert_null (kept ("triangle"));
  assert_null (kept ("lower_triangle"));
  assert_null (kept ("leaves"));
  assert_null (kept ("calls"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_rows_are_kept),
    cmocka_unit_test (test_rows_are_of_one_array),
    cmocka_unit_test (test_a_row_is_one_of_several),
    cmocka_unit_test (test_rows_of_what_is_written_change),
    cmocka_unit_test (test_rows_of_a_length_that_is_a_variable),
    cmocka_unit_test (test_the_loop_around_goes_from_row_to_row),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
