/* While and do loops with a step at the end of their bodies (plan/while.c). */

#include "tests/unit/upc2c/planned.h"

const char source[] = PLANNED_DECLARATIONS
    "int sum (int n) { int i = 0, s = 0; while (i < n) { s += big[i]; i++; } return s; }\n"
    "void by_two (int n) { int i = 0; while (i < n) { big[i] = 1; i = i + 2; } }\n"
    "void down (int n) { while (n >= 0) { big[n] = 1; n -= 1; } }\n"
    "int search (int x) { int i = 0; while (big[i] != x) i++; return i; }\n"
    "int finds (int x) { int i = 0; while (big[i] != x) { i++; } return i; }\n"
    "int finds_by (int x) { int i = 0; while (big[i] != x) i += x; return i; }\n"
    "int walk (shared [1000] int *p, shared [1000] int *e) { int s = 0; while (p < e) { s += *p; p++; } return s; }\n"
    "void counted (int n) { int i = 0; while (n--) { big[i] = 1; i++; } }\n"
    "int leaves (int n) { int i = 0; while (i < n) { if (big[i] == 7) break; i++; } return i; }\n"
    "int goes_on (int n) { int i = 0, s = 0; while (i < n) { if (big[i]) { s++; continue; } i++; } return s; }\n"
    "void in_inner (int n) { int i = 0; while (i < n) { for (int k = 0; k < 9; k++) { if (k == n) continue; big[i + k] = 1; } i++; } }\n"
    "void by_inner (int n) { int i = 0; while (i < n) { int d = 2; big[i] = d; i += d; } }\n"
    "void middle (int n) { int i = 0; while (i < n) { i++; big[i] = 1; } }\n"
    "void seen (int n) { int i = 0; int *p = &i; while (*p < n) { big[i] = 1; i++; } }\n"
    "void is_static (int n) { static int i; while (i < n) { big[i] = 1; i++; } }\n"
    "void is_shared (int n) { while (c[0] < n) { big[1] = 1; c[0]++; } }\n"
    "void by_shared (int n) { int i = 0; while (i < n) { big[i] = 1; i += c[0]; } }\n"
    "void sets (int n) { int i = 0; while (i < n) { big[i] = 1; i = n; } }\n"
    "int behind (int n) { int i = 0, s = 0; do { s += big[i]; i++; } while (i < n); return s; }\n"
    "void behind_down (int n) { do { big[n] = 1; n -= 2; } while (0 <= n); }\n"
    "void behind_bound (int n, int *m) { int i = 0; do { big[i] = 1; i++; } while (i < *m); }\n"
    "int behind_more (int n) { int i = 0, s = 0; do { s += big[i]; i++; } while (i < n && s < 9); return s; }\n"
    "int behind_equal (int n) { int i = 0, s = 0; do { s += big[i]; i++; } while (i != n); return s; }\n"
    "int behind_other (int n) { int i = 0, s = 0; do { s += big[i]; i++; } while (s < n); return s; }\n"
    "int behind_access (int n) { int i = 0, s = 0; do { s += big[i]; i++; } while (i < big[n]); return s; }\n"
    "int behind_unsigned (unsigned n) { int s = 0; do { s += big[n]; n--; } while (n > 0); return s; }\n"
    "int behind_pointer (shared [1000] int *p, int n) { int s = 0; do { s += *p; p++; } while (p < big + n); return s; }\n"
    "int behind_lanes (int n) { int i = 0; do { for (int k = 0; k < n; k++) m[i][k] = 1; i++; } while (i < n); return i; }\n"
    "void is_private (int n) { int i = 0; while (i < n) { at[i] = 1; i++; } }\n";

static bool
is_do (struct stmt *s, void *found)
{
  if (s->kind != STMT_DO && !s->is_do)
    return false;
  *(struct stmt **) found = s;
  return true;
}

static struct stmt *
plan_do (const char *function)
{
  return find_planned (function, is_do);
}

static void
test_the_step_at_the_end_is_the_loops (void **state)
{
  static const char *const functions[] = { "sum",  "by_two",  "down",  "search",
                                           "walk", "counted", "leaves" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    {
      struct stmt *s = while_in (functions[i]);

      assert_true (s->kind == STMT_FOR && s->is_while && s->step);
      assert_int_equal (s->plan->form, LOOP_STRIPS);
    }
  assert_true (while_in ("finds_by")->kind == STMT_FOR);
}

static void
test_a_condition_may_be_behind_the_body (void **state)
{
  static const char *const functions[] = { "behind", "behind_down" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    {
      struct stmt *s = plan_do (functions[i]);

      assert_true (s->kind == STMT_FOR && s->is_do);
      assert_int_equal (s->plan->form, LOOP_STRIPS);
    }
  assert_true (plan_do ("behind_bound")->is_do);
  assert_int_equal (plan_do ("behind_bound")->plan->form, LOOP_AS_WRITTEN);
}

static void
test_conditions_that_hold_otherwise_are_the_programs (void **state)
{
  static const char *const functions[] = { "behind_more",   "behind_equal",    "behind_other",
                                           "behind_access", "behind_unsigned", "behind_pointer" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    assert_int_equal (plan_do (functions[i])->kind, STMT_DO);
}

static void
test_iterations_of_a_do_are_not_done_side_by_side (void **state)
{
  (void) state;
  assert_null (plan_do ("behind_lanes")->plan->lanes);
}

static void
test_what_goes_on_in_a_loop_inside_is_not_the_loops (void **state)
{
  (void) state;
  assert_true (while_in ("in_inner")->is_while);
}

static void
test_a_step_may_be_in_the_middle (void **state)
{
  struct stmt *s = while_in ("middle");

  (void) state;
  assert_true (s->is_while);
  assert_int_equal (access_by (s->plan, "big")->reference->at.constant, 1);
}

static void
test_it_is_written_in_the_body_no_more (void **state)
{
  struct stmt *body = while_in ("sum")->then;

  (void) state;
  assert_true (body->translate && body->items->next->translate);
  assert_int_equal (body->items->next->kind, STMT_EMPTY);
  assert_true (body->items->next->is_step);
  body = while_in ("search")->then;
  assert_true (body->kind == STMT_EMPTY && body->is_step && body->translate);
  assert_true (while_in ("finds")->then->translate);
}

static void
test_other_loops_stay (void **state)
{
  static const char *const functions[] = { "goes_on",   "by_inner",  "seen", "is_static",
                                           "is_shared", "by_shared", "sets", "is_private" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    assert_int_equal (while_in (functions[i])->kind, STMT_WHILE);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_a_condition_may_be_behind_the_body),
    cmocka_unit_test (test_a_step_may_be_in_the_middle),
    cmocka_unit_test (test_conditions_that_hold_otherwise_are_the_programs),
    cmocka_unit_test (test_iterations_of_a_do_are_not_done_side_by_side),
    cmocka_unit_test (test_the_step_at_the_end_is_the_loops),
    cmocka_unit_test (test_what_goes_on_in_a_loop_inside_is_not_the_loops),
    cmocka_unit_test (test_it_is_written_in_the_body_no_more),
    cmocka_unit_test (test_other_loops_stay),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
