/* Elements that move by whole blocks, which loops look up in tables (plan/sure.c). */

#include "tests/unit/upc2c/planned.h"

const char source[]
    = "shared [100] int a[100 * THREADS], m[10 * THREADS][100]; shared int c[10 * THREADS][16];\n"
      "shared [100] int (*p)[100]; shared [100] int *q;\n"
      "void column (int n, int j) { for (int i = 1; i < n; i++) m[i][j] = m[i - 1][j]; }\n"
      "int up (int n, int j) { int s = 0; for (int i = n - 1; i >= 0; i--) s = s * 3 + m[i][j]; return s; }\n"
      "int pointed (int n, int j) { int s = 0; for (int i = 0; i < n; i++) s = s * 3 + p[i][j]; return s; }\n"
      "int counted (int n) { int s = 0; for (int i = 0; i <= n; i += 2) s = s * 3 + q[100 * i]; return s; }\n"
      "int searched (int j) { int i; for (i = 0;; i++) if (p[i][j] == 7) break; return i; }\n"
      "int found (int j) { int i; for (i = 0;; i++) if (m[i][j] == 7) break; return i; }\n"
      "int walked (shared [100] int *p, shared [100] int *e) { int s = 0; for (; p < e; p += 100) s = s * 3 + p[1]; return s; }\n"
      "int cyclic (int n, int j) { int s = 0; for (int i = 0; i < n; i++) s = s * 3 + c[i][j]; return s; }\n"
      "int nested (int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s = s * 3 + m[i][j]; return s; }\n"
      "int outer (int n, int k) { int s = 0; for (int i = 0; i < n; i++) { s += m[i][k]; for (int j = 0; j < n; j++) s *= a[j]; } "
      "return s; }\n"
      "int by_step (int n, int k) { int s = 0; for (int i = 0; i < n; i += k) s = s * 3 + a[n / (i + 1)]; return s; }\n"
      "int by_one (int n, int k) { int s = 0; for (int i = 0; i < n; i++) s = s * 3 + a[n / (i + 1)]; return s; }\n"
      "int both (int n, int j) { int s = 0; for (int i = 0; i < n; i++) s = s * 3 + p[i][j] + m[i][j] + p[i + 1][j]; return s; }\n";

static struct reference *
reference_of (const char *function, const char *root)
{
  struct access_plan *p = access_by (plan_for (function), root);

  return p->address == ADDRESS_REFERENCE ? p->reference : NULL;
}

static bool
is_looked_up (const char *function, const char *root)
{
  struct reference *r = reference_of (function, root);

  return r && r->tabled;
}

static int
questions (const char *function)
{
  int count = 0;

  for (struct sure *s = plan_for (function)->sure; s; s = s->next)
    count++;
  return count;
}

static void
test_columns_of_static_arrays_are_looked_up (void **state)
{
  (void) state;
  assert_true (is_looked_up ("column", "m"));
  assert_true (is_looked_up ("up", "m"));
  assert_true (is_looked_up ("found", "m"));
  assert_null (reference_of ("column", "m")->start);
  assert_int_equal (questions ("column"), 1);
}

static void
test_columns_by_pointers_are_where_it_is_known_how_many (void **state)
{
  (void) state;
  assert_true (is_looked_up ("pointed", "p"));
  assert_non_null (reference_of ("pointed", "p")->start);
  assert_int_equal (questions ("pointed"), 2);
  assert_true (is_looked_up ("counted", "q"));
  assert_false (is_looked_up ("searched", "p"));
  assert_false (is_looked_up ("walked", "p"));
}

static void
test_blocks_of_one_element_have_no_table (void **state)
{
  (void) state;
  assert_false (is_looked_up ("cyclic", "c"));
  assert_int_equal (questions ("cyclic"), 0);
}

static void
test_loops_with_others_inside_are_written_once (void **state)
{
  (void) state;
  assert_int_equal (questions ("nested"), 0);
  assert_int_equal (questions ("outer"), 0);
  assert_false (is_looked_up ("outer", "m"));
}

static void
test_loops_by_variable_steps_are_written_once (void **state)
{
  (void) state;
  assert_int_equal (questions ("by_one"), 1);
  assert_int_equal (questions ("by_step"), 0);
}

static void
test_each_thing_is_asked_once (void **state)
{
  (void) state;
  assert_true (is_looked_up ("both", "p"));
  assert_true (is_looked_up ("both", "m"));
  assert_int_equal (questions ("both"), 3);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_columns_of_static_arrays_are_looked_up),
    cmocka_unit_test (test_columns_by_pointers_are_where_it_is_known_how_many),
    cmocka_unit_test (test_blocks_of_one_element_have_no_table),
    cmocka_unit_test (test_loops_with_others_inside_are_written_once),
    cmocka_unit_test (test_loops_by_variable_steps_are_written_once),
    cmocka_unit_test (test_each_thing_is_asked_once),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
