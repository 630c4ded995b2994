/* The planner: elements that do not move. */

#include "tests/unit/upc2c/planned.h"

/* clang-format off */
#define LOOP(name, ...) "void " name " (int n, int k) { for (int i = 0; i < n; i++) { " __VA_ARGS__ " } }\n"
#define NEST(name, ...) \
  "void " name " (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < 16; j++) { " __VA_ARGS__ " } }\n"

const char source[] = PLANNED_DECLARATIONS
    "shared [16] int w[16 * THREADS], *v; int at_call (void);\n"
    LOOP ("constant", "a[i] += w[3];")
    LOOP ("variable", "a[i] += w[3 * k + 1];")
    LOOP ("pointer", "shared [16] int *p = v; a[i] += w[1] + p[0];")
    LOOP ("outer_pointer", "a[i] += v[2];")
    LOOP ("several", "a[i] += w[1] + w[2] + w[1] + w[k] + w[k];")
    LOOP ("stored", "w[2] += a[i];")
    LOOP ("moves", "a[i] += w[2 * i];")
    LOOP ("changes", "a[i] += w[k]; k++;")
    LOOP ("pointer_changes", "a[i] += v[2]; v = 0;")
    LOOP ("called", "a[i] += v[2]; at_call ();")
    LOOP ("declared", "int t = a[i]; a[i] += w[t];")
    LOOP ("divides", "if (k) a[i] += w[9 / k];")
    LOOP ("alone", "s += w[2];")
    NEST ("around", "m[i][j] += w[2];")
    NEST ("inside", "m[i][j] += w[2 * i];")
    NEST ("known", "m[i][j] += a[i];");
/* clang-format on */

/* How the first element of NAME is found in FUNCTION. */
static enum address_kind
address_in (const char *function, const char *name)
{
  return access_by (plan_for (function), name)->address;
}

static void
test_it_is_found_before_the_loop (void **state)
{
  (void) state;
  assert_int_equal (address_in ("constant", "w"), ADDRESS_INVARIANT);
  assert_int_equal (address_in ("variable", "w"), ADDRESS_INVARIANT);
  assert_int_equal (address_in ("pointer", "w"), ADDRESS_INVARIANT);
  assert_int_equal (address_in ("outer_pointer", "v"), ADDRESS_INVARIANT);
  assert_int_equal (address_in ("stored", "w"), ADDRESS_INVARIANT);
}

static void
test_each_element_is_one (void **state)
{
  struct loop *loop = plan_for ("several");

  (void) state;
  assert_int_equal (loop->invariants->number, 3);
  assert_null (loop->invariants->next->next->next);
}

static void
test_what_may_move_or_change_is_none (void **state)
{
  (void) state;
  assert_int_not_equal (address_in ("moves", "w"), ADDRESS_INVARIANT);
  assert_int_not_equal (address_in ("changes", "w"), ADDRESS_INVARIANT);
  assert_int_not_equal (address_in ("pointer", "p"), ADDRESS_INVARIANT);
  assert_int_not_equal (address_in ("pointer_changes", "v"), ADDRESS_INVARIANT);
  assert_int_not_equal (address_in ("called", "v"), ADDRESS_INVARIANT);
  assert_int_not_equal (address_in ("declared", "w"), ADDRESS_INVARIANT);
  assert_int_not_equal (address_in ("divides", "w"), ADDRESS_INVARIANT);
  assert_int_not_equal (address_in ("alone", "w"), ADDRESS_INVARIANT);
}

static void
test_the_outermost_loop_that_has_strips_has_it (void **state)
{
  struct loop *loop = plan_for ("around");

  (void) state;
  assert_int_equal (access_by (loop, "w")->address, ADDRESS_INVARIANT);
  assert_ptr_equal (access_by (loop, "w")->loop, loop);
  loop = plan_for ("inside");
  assert_int_equal (access_by (loop, "w")->address, ADDRESS_REFERENCE);
  loop = plan_for ("known");
  assert_int_equal (access_by (loop, "a")->address, ADDRESS_REFERENCE);
  assert_ptr_equal (access_by (loop, "a")->loop, loop);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_it_is_found_before_the_loop),
    cmocka_unit_test (test_each_element_is_one),
    cmocka_unit_test (test_what_may_move_or_change_is_none),
    cmocka_unit_test (test_the_outermost_loop_that_has_strips_has_it),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
