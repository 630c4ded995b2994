/* The planner: accesses of which -fupc-check looks at several at once (plan/ahead.c). */

#include "tests/unit/upc2c/planned.h"

#define LOOP "for (int i = 0; i < n; i++) "

const char source[] = PLANNED_DECLARATIONS
    "struct point { int x, y; };\n"
    "void walks (shared [] char *t) { for (shared [] char *p = t; *p; p++) s++; }\n"
    "void plain (int n, shared [] int *p) { " LOOP "if (at[i]) s += p[i]; }\n"
    "void leaves_out (int n, shared [] int *p) { " LOOP "if (at[i]) s += p[i]; }\n"
    "void in_blocks (int n, shared [16] int *p) { " LOOP "if (at[i]) p[i] = i; }\n"
    "void members (int n, shared [] struct point *p) { " LOOP "if (at[i]) s += p[i].y; }\n"
    "void down (int n, shared [] int *p) { for (int i = n; i > 0; i--) if (at[i]) s += p[i]; }\n"
    "void backwards (int n, shared [] int *p) { " LOOP "if (at[i]) s += p[n - i]; }\n"
    "void stays (int n, shared [] int *p) { " LOOP "if (at[i]) s += p[n]; }\n"
    "void declared (int n) { " LOOP "if (at[i]) s += a[i]; }\n"
    "void calls (int n, shared [] int *p) { " LOOP "{ if (at[i]) s += p[i]; f (); } }\n"
    "void orders_first (shared [] char *t) { for (shared [] char *p = t; *p + far_out (1); p++) s++; }\n"
    "void calls_pure (int n, shared [] int *p) { " LOOP "if (pure (i)) s += p[i]; }\n"
    "void meets (int n, shared [] int *p) { " LOOP "{ if (at[i]) s += p[i]; upc_barrier; } }\n"
    "void orders (int n, shared [] int *p) { " LOOP "{ if (at[i]) s += p[i]; flag = 1; } }\n"
    "void assembles (int n, shared [] int *p) { " LOOP
    "{ if (at[i]) s += p[i]; asm (\"\" ::: \"memory\"); } }\n"
    "void owned (int n, shared [16] int *p) { int i; upc_forall (i = 0; i < n; i++; &p[i]) if (at[i]) p[i] = 1; }\n";

/* How many references of FUNCTION's loop are looked at ahead. */
static int
ahead_in (const char *function)
{
  int count = 0;

  for (struct reference *r = plan_for (function)->references; r; r = r->next)
    count += r->is_ahead;
  return count;
}

static int
set_up_checks (void **state)
{
  switches.check = true;
  return set_up (state);
}

static void
test_pointers_that_move_up (void **state)
{
  (void) state;
  assert_int_equal (ahead_in ("walks"), 1);
  assert_int_equal (ahead_in ("leaves_out"), 1);
  assert_int_equal (ahead_in ("in_blocks"), 1);
  assert_int_equal (ahead_in ("members"), 1);
  assert_int_equal (ahead_in ("calls_pure"), 1);
  assert_int_equal (ahead_in ("owned"), 1);
}

static void
test_others (void **state)
{
  (void) state;
  assert_int_equal (ahead_in ("down"), 0);
  assert_int_equal (ahead_in ("backwards"), 0);
  assert_int_equal (ahead_in ("stays"), 0);
  assert_int_equal (ahead_in ("declared"), 0);
}

static void
test_nothing_may_be_freed_meanwhile (void **state)
{
  (void) state;
  assert_int_equal (ahead_in ("calls"), 0);
  assert_int_equal (ahead_in ("orders_first"), 0);
  assert_int_equal (ahead_in ("meets"), 0);
  assert_int_equal (ahead_in ("orders"), 0);
  assert_int_equal (ahead_in ("assembles"), 0);
}

static void
test_programs_without_checks (void **state)
{
  (void) state;
  switches.check = false;
  assert_int_equal (ahead_in ("plain"), 0);
  switches.check = true;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_pointers_that_move_up),
    cmocka_unit_test (test_others),
    cmocka_unit_test (test_nothing_may_be_freed_meanwhile),
    cmocka_unit_test (test_programs_without_checks),
  };

  return cmocka_run_group_tests (tests, set_up_checks, NULL);
}
