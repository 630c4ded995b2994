/* The planner: strips that ask whether what they store to is apart from what else they access, and what they load once. */

#include "tests/unit/upc2c/planned.h"

/* clang-format off */
#define LOOP(name, ...) \
  "void " name " (int n, int k, shared [] double *p, shared [] double *r, shared [4] double *f, shared [100] double *w, shared [100] double *x) " \
  "{ for (int i = 1; i < n; i++) { " __VA_ARGS__ " } }\n"

const char source[] = PLANNED_DECLARATIONS
    "shared [] double A[40][40], B[40];\n"
    LOOP ("neighbours", "p[i] = r[i - 1] + r[i + 1];")
    LOOP ("twice", "p[i] = r[i - 1] + r[i - 1] + r[i];")
    LOOP ("two_stores", "p[i] = 1; r[i] = 2;")
    LOOP ("fixed", "p[i] = r[3] * p[i];")
    LOOP ("blocks", "w[i] = x[i];")
    LOOP ("rows", "A[3][i] = A[k][i];")
    LOOP ("many", "p[i] = r[i] + r[i + 1] + r[i + 2] + r[i + 3] + r[i + 4] + r[i + 5] + r[i + 6] + r[i + 7] + r[i + 8] + r[i + 9] + r[i + 10]"
                  "+ w[i] + w[i + 1] + w[i + 2] + w[i + 3] + w[i + 4] + w[i + 5] + w[i + 6] + w[i + 7] + w[i + 8] + w[i + 9] + w[i + 10] + w[i + 11] + w[i + 12];")
    LOOP ("if_there", "if (r[i] > 2) p[i] = r[i]; else p[i] = 0;")

    LOOP ("if_by_name", "if (B[i] > 2) A[3][i] = B[i];")
    LOOP ("if_masked", "if (r[i] > 2) p[i] = r[i];")
    LOOP ("rows_before", "A[k][i] = A[k - 1][i - 1] + A[k - 1][i];")
    LOOP ("far_before", "p[i] = p[i - 16];")
    LOOP ("near_before", "p[i] = p[i - 15];")
    LOOP ("far_by_steps", "w[i] = 1; w[i + 16] = 2;")
    LOOP ("stores_in_steps", "A[3][2 * i] = B[i];")
    LOOP ("steps_by_pointer", "p[2 * i] = r[i];")
    LOOP ("stores_backwards", "A[3][9 - i] = B[i];")
    LOOP ("loads_in_steps", "A[3][i] = B[2 * i];")
    LOOP ("by_name", "A[3][i] = B[i];")
    LOOP ("in_place", "p[i] = p[i];")
    LOOP ("before", "p[i] = p[i - 1];")
    LOOP ("small_blocks", "f[i] = r[i];")
    LOOP ("scattered", "p[i] = r[i * i];")
    LOOP ("walks", "*p++ = r[i];")
    LOOP ("with_walk", "p[i] = r[i]; x++;")
    LOOP ("too_many", "p[i] = r[i] + r[i + 1] + r[i + 2] + r[i + 3] + r[i + 4] + r[i + 5] + r[i + 6] + r[i + 7] + r[i + 8] + r[i + 9] + r[i + 10]"
                      "+ w[i] + w[i + 1] + w[i + 2] + w[i + 3] + w[i + 4] + w[i + 5] + w[i + 6] + w[i + 7] + w[i + 8] + w[i + 9] + w[i + 10] + w[i + 11] + w[i + 12] + w[i + 13];")
    LOOP ("other_iteration", "p[i] = r[i]; p[i + 1] = 2;")
    LOOP ("sanitized", "p[i] = r[i];")

    LOOP ("loads", "A[3][i] = B[2] * A[3][i] + B[k] + B[2];")
    LOOP ("loads_around", "for (int j = 0; j < 40; j++) A[i][j] += B[i];")
    LOOP ("loads_maybe", "A[3][i] = k ? B[2] : 1;")
    LOOP ("loads_stored", "B[2] = A[3][i]; s += B[2];");
/* clang-format on */

static int
questions (const char *function)
{
  const struct loop *loop = plan_for (function);

  assert_true (loop->is_independent);
  return loop->strip_meetings ? loop->strip_meetings->count : 0;
}

static bool
is_free (const char *function)
{
  return plan_for (function)->is_independent;
}

static void
test_vectors_have_masks_for_branches (void **state)
{
  (void) state;
  assert_false (is_free ("if_there"));
  assert_false (plan_for ("if_by_name")->is_for_vectors);
  assert_true (is_free ("if_by_name"));
  switches.masks = true;
  assert_true (plan_for ("if_masked")->is_for_vectors);
  assert_int_equal (questions ("if_masked"), 1);
  switches.masks = false;
}

static void
test_pointers_may_lead_to_the_same_elements (void **state)
{
  (void) state;
  assert_int_equal (questions ("neighbours"), 2);
  assert_int_equal (questions ("twice"), 2);
  assert_int_equal (questions ("two_stores"), 1);
  assert_int_equal (questions ("fixed"), 1);
  assert_int_equal (questions ("blocks"), 1);
  assert_int_equal (questions ("rows"), 1);
  assert_int_equal (questions ("many"), 24);
  assert_int_equal (questions ("rows_before"), 2);
  assert_int_equal (questions ("far_before"), 1);
  assert_int_equal (questions ("far_by_steps"), 1);
}

static void
test_what_is_known_is_not_asked (void **state)
{
  (void) state;
  assert_int_equal (questions ("by_name"), 0);
  assert_int_equal (questions ("in_place"), 0);
  assert_false (is_free ("before"));
  assert_false (is_free ("near_before"));
  assert_false (is_free ("other_iteration"));
}

static void
test_vectors_do_not_store_in_steps (void **state)
{
  (void) state;
  assert_false (plan_for ("stores_in_steps")->is_for_vectors);
  assert_true (plan_for ("stores_backwards")->is_for_vectors);
  assert_true (plan_for ("loads_in_steps")->is_for_vectors);
  assert_false (is_free ("steps_by_pointer"));
}

static void
test_others_are_not_asked (void **state)
{
  (void) state;
  assert_false (is_free ("small_blocks"));
  assert_false (is_free ("scattered"));
  assert_false (is_free ("walks"));
  assert_false (is_free ("with_walk"));
  assert_false (is_free ("too_many"));
}

static void
test_sanitizers_see_each_access (void **state)
{
  (void) state;
  switches.outlines = true;
  assert_false (is_free ("sanitized"));
  switches.outlines = false;
}

static int
values (struct loop *loop)
{
  return loop->values ? loop->values->number : 0;
}

static bool
is_inner_loop (struct stmt *s, void *found)
{
  if (s->kind == STMT_FOR)
    *(struct loop **) found = s->plan;
  return false;
}

static void
test_what_no_iteration_stores_to_is_loaded_once (void **state)
{
  struct loop *inner = NULL;

  (void) state;
  assert_int_equal (values (plan_for ("loads")), 2);
  any_stmt (plan_for ("loads_around")->stmt->then, is_inner_loop, &inner);
  assert_int_equal (values (inner), 1);
  assert_int_equal (values (plan_for ("loads_maybe")), 0);
  assert_int_equal (values (plan_for ("loads_stored")), 0);
  assert_int_equal (values (plan_for ("fixed")), 1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_pointers_may_lead_to_the_same_elements),
    cmocka_unit_test (test_vectors_have_masks_for_branches),
    cmocka_unit_test (test_what_is_known_is_not_asked),
    cmocka_unit_test (test_vectors_do_not_store_in_steps),
    cmocka_unit_test (test_others_are_not_asked),
    cmocka_unit_test (test_sanitizers_see_each_access),
    cmocka_unit_test (test_what_no_iteration_stores_to_is_loaded_once),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
