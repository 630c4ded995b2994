/* The planner: accesses of which -fupc-check looks at several at once (plan/ahead.c, within.c, certain.c,
   covered.c). */

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
    "void owned (int n, shared [16] int *p) { int i; upc_forall (i = 0; i < n; i++; &p[i]) if (at[i]) p[i] = 1; }\n"
    "void sinks (int k, int n, shared [] int *p) { for (; k > n && p[k - 1] > s; k--) p[k] = p[k - 1]; }\n"
    "void sinks_while_first (int k, int n, shared [] int *p) { while (k >= n && p[k] && s) k -= 2; }\n"
    "void sinks_unchecked (int k, int n, shared [] int *p) { for (; k > n && p[k - 1]; k--) s++; }\n"
    "void rises (int k, int n, shared [] int *p) { for (; k < n && p[n - k] && s; k++) s++; }\n"
    "void comes_last (int k, int n, shared [] int *p) { for (; p[k - 1] > s && k > n; k--) ; }\n"
    "void is_not_first (int k, int n, shared [] int *p) { for (; k > n && s && p[k - 1]; k--) s++; }\n"
    "void may_not_be (int k, int n, shared [] int *p) { for (; k > n && (s || p[k - 1]); k--) s++; }\n"
    "void or_less (int k, int n, shared [] int *p) { for (; k > n || p[k - 1]; k--) s++; }\n"
    "void moves_bound (int k, int n, shared [] int *p) { for (; k > n && p[k - 1]; k--) n++; }\n"
    "void steps_twice (int k, int n, shared [] int *p) { for (; k > n && p[k - 1]; k--, s += p[k]) s++; }\n"
    "void goes_up (int k, int n, shared [] int *p) { for (; k < n && p[k]; k++) s++; }\n"
    "void sinks_in_blocks (int k, int n, shared [16] int *p) { for (; k > n && p[k - 1]; k--) s++; }\n"
    "shared [] int alone[100];\n"
    "void sinks_declared (int k, int n) { for (; k > n && alone[k - 1]; k--) s++; }\n"
    "void sinks_and_calls (int k, int n, shared [] int *p) { for (; k > n && p[k - 1]; k--) f (); }\n"
    "void sinks_and_nests (int k, int n, shared [] int *p) { for (; k > n && p[k - 1]; k--) while (s) s--; }\n"
    "void walks_cyclic (int n, shared int *p) { " LOOP "s = s / 2 + *p++; }\n"
    "void has_table (int n, shared [3] int *p) { double t = 0; " LOOP
    "t = t / 2 + p[3 * i]; s = t; }\n"
    "void may_leave_out (int n, shared int *p) { " LOOP "if (at[i]) s -= *p++; }\n"
    "void by_residues (int n, shared int *p, shared int *t) { " LOOP "p[i] = i; }\n"
    "void cyclic_array (int n) { double t = 0; " LOOP "t = t / 2 + c[i]; s = t; }\n"
    "void again (int n) { " LOOP "if (a[i] > 5) a[i] += 1; }\n"
    "void again_in_rows (int n, int k) { " LOOP "if (m[k][i] > 5) m[k][i] += 1; }\n"
    "void again_by_pointer (int n, shared [] int *p) { " LOOP "if (p[i] > 5) p[i] += 1; }\n"
    "void again_by_step (int n, shared [] int *p) { " LOOP
    "{ s += *p; if (at[i]) s -= *p; p++; } }\n"
    "shared [16] struct point dots[160];\n"
    "void again_in_record (int n) { " LOOP "if (dots[i].x > 5) dots[i].y += 1; }\n"
    "void a_part (int n, shared [] struct point *p, struct point *t) { " LOOP
    "{ *t = p[i]; if (at[i]) s += p[i].y; } }\n"
    "void the_next (int n) { " LOOP "if (a[i] > 5) a[i + 1] += 1; }\n"
    "void the_next_by_pointer (int n, shared [] int *p) { " LOOP "if (p[i] > 5) p[i + 1] += 1; }\n"
    "void another (int n) { " LOOP "if (a[i] > 5) b[i] += 1; }\n"
    "void another_pointer (int n, shared [] int *p, shared [] int *t) { " LOOP
    "if (p[i] > 5) t[i] += 1; }\n"
    "void from_another_row (int n) { " LOOP "if (m[i][3] > 5) m[i + 1][3 - 16] += 1; }\n"
    "void with_more (int n, int k) { " LOOP "if (a[i] > 5) a[i + k] += 1; }\n"
    "void moves (int n, int k) { " LOOP "{ s += at[k]; if (a[k] > 5) { k = i; a[k] += 1; } } }\n";

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

static bool
is_within (const char *function)
{
  return plan_for (function)->within;
}

/* What may be accessed in all iterations that a bound leaves. */
static void
test_loops_that_end_at_a_bound_or_before (void **state)
{
  (void) state;
  assert_true (is_within ("sinks"));
  assert_true (is_within ("rises"));
  assert_false (is_within ("comes_last"));
  assert_false (is_within ("is_not_first"));
  assert_false (is_within ("may_not_be"));
  assert_false (is_within ("or_less"));
  assert_false (is_within ("moves_bound"));
  assert_non_null (while_in ("sinks_while_first")->plan->within);
  assert_false (is_within ("steps_twice"));
  assert_false (is_within ("goes_up"));
  assert_false (is_within ("down"));
  assert_false (is_within ("sinks_in_blocks"));
  assert_false (is_within ("sinks_declared"));
  assert_false (is_within ("sinks_and_calls"));
  assert_false (is_within ("sinks_and_nests"));
}

/* How many references of FUNCTION's loop that go from block to block are looked at once for a strip. */
static int
certain_by_blocks_in (const char *function)
{
  int count = 0;

  for (struct certain *c = plan_for (function)->certain; c; c = c->next)
    count += c->reference && c->reference->stride_kind == BLOCK_STRIDE;
  return count;
}

static void
test_strips_through_blocks (void **state)
{
  (void) state;
  assert_int_equal (certain_by_blocks_in ("walks_cyclic"), 1);
  assert_int_equal (certain_by_blocks_in ("has_table"), 0);
  assert_int_equal (certain_by_blocks_in ("may_leave_out"), 0);
  assert_int_equal (certain_by_blocks_in ("by_residues"), 0);
  assert_int_equal (certain_by_blocks_in ("cyclic_array"), 0);
}

/* Counts `a[i]`, `a[i].x` and `*p` that have their own checks. */
static bool
is_unchecked (struct expr *e, void *count)
{
  bool is_access = e->kind == EXPR_LOAD || e->kind == EXPR_ASSIGN || e->kind == EXPR_COMPOUND;
  struct expr *l = is_access ? strip_parens (e->a) : NULL;

  if (!l || !type_is_shared (l->type))
    return false;
  if (l->kind == EXPR_DEREF || l->kind == EXPR_DOT)
    l = strip_parens (l->a);
  *(int *) count += !l->is_checked;
  return false;
}

/* How many accesses in FUNCTION's loop have checks of their own. */
static int
unchecked_in (const char *function)
{
  int count = 0;

  any_in_stmt (plan_for (function)->stmt->then, is_unchecked, &count);
  return count;
}

static void
test_what_is_accessed_anyway (void **state)
{
  (void) state;
  assert_int_equal (unchecked_in ("again"), 0);
  assert_int_equal (unchecked_in ("again_in_rows"), 0);
  assert_int_equal (unchecked_in ("again_by_pointer"), 0);
  assert_int_equal (unchecked_in ("again_by_step"), 0);
  assert_int_equal (unchecked_in ("again_in_record"), 0);
  assert_int_equal (unchecked_in ("a_part"), 1);
  assert_int_equal (unchecked_in ("the_next"), 1);
  assert_int_equal (unchecked_in ("the_next_by_pointer"), 1);
  assert_int_equal (unchecked_in ("another"), 1);
  assert_int_equal (unchecked_in ("another_pointer"), 1);
  assert_int_equal (unchecked_in ("from_another_row"), 1);
  assert_int_equal (unchecked_in ("with_more"), 1);
  assert_int_equal (unchecked_in ("moves"), 2);
}

static void
test_programs_without_checks (void **state)
{
  (void) state;
  switches.check = false;
  assert_int_equal (ahead_in ("plain"), 0);
  assert_false (is_within ("sinks_unchecked"));
  switches.check = true;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_pointers_that_move_up),
    cmocka_unit_test (test_others),
    cmocka_unit_test (test_nothing_may_be_freed_meanwhile),
    cmocka_unit_test (test_loops_that_end_at_a_bound_or_before),
    cmocka_unit_test (test_strips_through_blocks),
    cmocka_unit_test (test_what_is_accessed_anyway),
    cmocka_unit_test (test_programs_without_checks),
  };

  return cmocka_run_group_tests (tests, set_up_checks, NULL);
}
