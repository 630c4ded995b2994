/* The planner: loops whose iterations are done side by side in the loops inside. */

#include "tests/unit/upc2c/planned.h"

const char source[] = PLANNED_DECLARATIONS
    "shared [48] double A[48 * THREADS][48], B[48 * THREADS][48], C[48 * THREADS][48];\n"
    "shared [] double *row; shared double narrow[48 * THREADS][4]; shared double flat[4800 * THREADS];\n"
    "double (*private)[48], table[48][48], hidden; strict shared double st[48 * THREADS][48];\n"
    "struct pair { double x; }; shared [48] struct pair pairs[48 * THREADS][48]; volatile double v, va[48];\n"
    "void sums (int n, int i) { for (int j = 0; j < n; j++) { double x = 0; for (int k = 0; k < n; k++)\n"
    "  x += A[i][k] * B[k][j]; C[i][j] = x; } }\n"
    "void outer_sum (int n, int i) { double x; int j, k; for (j = 0; j < n; j++) { x = 0; for (k = 0; k < n; k++)\n"
    "  x += A[i][k] * B[k][j]; C[i][j] = x; } }\n"
    "void perfect (int n, int i) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)\n"
    "  C[i][j] += A[i][k] * B[k][j]; }\n"
    "void up_to (int n) { for (int j = 1; j <= n; j++) for (int k = 0; k < n; k++) C[k][j] += 1; }\n"
    "void deep (int n) { for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) for (int k = 0; k < n; k++)\n"
    "  C[i][j] += A[i][k] * B[k][j]; }\n"
    "void carried (int n, int i) { double x = 0; for (int j = 0; j < n; j++) { for (int k = 0; k < n; k++)\n"
    "  x += A[i][k] * B[k][j]; C[i][j] = x; } }\n"
    "void used_first (int n, int i) { double x = 0; for (int j = 0; j < n; j++) { C[i][j] = x; x = 0;\n"
    "  for (int k = 0; k < n; k++) x += B[k][j]; } }\n"
    "void of_itself (int n, int i) { double x = 0; for (int j = 0; j < n; j++) { x = x / 2;\n"
    "  for (int k = 0; k < n; k++) x += B[k][j]; C[i][j] = x; } }\n"
    "void rows (int n, int k) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) C[i][j] += B[i][k]; }\n"
    "void turned (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[j][k] = B[k][j]; }\n"
    "void beside (int n) { for (int j = 1; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = C[k][j - 1] + B[k][j]; }\n"
    "void above (int n) { for (int j = 1; j < n; j++) for (int k = 1; k < n; k++) C[k][j] = C[k - 1][j] + B[k][j]; }\n"
    "void other_column (int n) { for (int j = 1; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = C[k][0] + B[k][j]; }\n"
    "void in_rows (int n) { for (int j = 1; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = C[j][k] + B[k][j]; }\n"
    "void triangle (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < j; k++) C[k][j] = B[k][j]; }\n"
    "void from_row (int n) { for (int j = 0; j < n; j++) for (int k = j; k < n; k++) C[k][j] = B[k][j]; }\n"
    "void by_scalar (int n) { for (int j = 0; j < n; j++) { int m; m = j / 2; for (int k = 0; k < m; k++) C[k][j] = B[k][j]; } }\n"
    "void counted (int n) { int k; for (int j = 0; j < n; j++) { k = 2; for (k = 0; k < n; k++) C[k][j] = B[k][j]; } }\n"
    "void stops (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) { if (B[k][j] > 3) break; C[k][j] = 1; } }\n"
    "void maybe (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) { if (B[k][j] > 3) C[k][j] = 1; } }\n"
    "void calls (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) { f (); C[k][j] = 1; } }\n"
    "void math_calls (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = sqrt (B[k][j]); }\n"
    "void pure_calls (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = pure (k) + B[k][j]; }\n"
    "void stores_private (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) { C[k][j] = 1; table[k][j] = 2; } }\n"
    "void stores_global (int n) { for (int j = 0; j < n; j++) { hidden = 0; for (int k = 0; k < n; k++) hidden += B[k][j]; C[0][j] = hidden; } }\n"
    "void reads_private (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = table[k][j]; }\n"
    "void by_private_pointer (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = private[k][j]; }\n"
    "void is_strict (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = st[k][j]; }\n"
    "void of_records (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = pairs[k][j].x; }\n"
    "void reads_volatile (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = v; }\n"
    "void by_pointers (int n, shared [48] double (*x)[48], shared [48] double (*y)[48])\n"
    "{ for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) x[k][j] += y[k][j] + B[k][j]; }\n"
    "void changed_pointer (int n, shared [48] double (*x)[48])\n"
    "{ for (int j = 0; j < n; j++) { x++; for (int k = 0; k < n; k++) x[k][j] += B[k][j]; } }\n"
    "void in_narrow (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) narrow[k][j] += B[k][j]; }\n"
    "void in_flat (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) flat[j] += B[k][j]; }\n"
    "void of_flat (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[0][j] += flat[48 * k + j]; }\n"
    "void by_two (int n) { for (int j = 0; j < n; j += 2) for (int k = 0; k < n; k++) C[k][j] = B[k][j]; }\n"
    "void down (int n) { for (int j = n; j > 0; j--) for (int k = 0; k < n; k++) C[k][j] = B[k][j]; }\n"
    "void twice_j (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][2 * j] = B[k][j]; }\n"
    "void minus_j (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][47 - j] = B[k][47 - j]; }\n"
    "void address (int n, int i) { double x; double *p = &x; for (int j = 0; j < n; j++) { x = 0;\n"
    "  for (int k = 0; k < n; k++) x += B[k][j]; C[i][j] = x; } }\n"
    "void wide (int n, int i) { for (int j = 0; j < n; j++) { long double x = 0; for (int k = 0; k < n; k++)\n"
    "  x += B[k][j]; C[i][j] = x; } }\n"
    "void many (int n) { for (int j = 0; j < n; j++) { double a = 0, b = 0, c = 0, d = 0; for (int k = 0; k < n; k++)\n"
    "  { a += B[k][j]; b += 1; c += 2; d += 3; } C[0][j] = a + b + c + d; } }\n"
    "void too_many (int n) { for (int j = 0; j < n; j++) { double a = 0, b = 0, c = 0, d = 0, e = 0; for (int k = 0; k < n; k++)\n"
    "  { a += B[k][j]; b += 1; c += 2; d += 3; e += 4; } C[0][j] = a + b + c + d + e; } }\n"
    "void by_while (int n) { int j = 0; while (j < n) { for (int k = 0; k < n; k++) C[k][j] = B[k][j]; j++; } }\n"
    "void labelled (int n) { for (int j = 0; j < n; j++) { again: for (int k = 0; k < n; k++) C[k][j] = B[k][j]; if (n < 0) goto again; } }\n"
    "void no_store (int n) { for (int j = 0; j < n; j++) { double x = 0; for (int k = 0; k < n; k++) x += B[k][j]; } }\n"
    "void wraps (unsigned n, int m) { for (unsigned j = 0; j < n; j++) for (int k = 0; k < m; k++) C[k][j + 1] = B[k][j]; }\n"
    "void diagonal (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = B[j][j]; }\n"
    "void along (int n, int i) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[i][j] += A[i][k]; }\n"
    "void in_turn (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] += A[j][k]; }\n"
    "void to_rows (int n) { for (int j = 0; j < n; j++) { double x = 0; for (int k = 0; k < n; k++) x += B[k][j]; C[j][3] = x; } }\n"
    "void from_scalar (int n) { for (int j = 0; j < n; j++) { int m; m = j / 2; for (int k = m; k < n; k++) C[k][j] = B[k][j]; } }\n"
    "void from_scalar_2 (int n) { int k; for (int j = 0; j < n; j++) { int m; m = j / 2; for (k = m; k < n; k++) C[k][j] = B[k][j]; } }\n"
    "shared double cyclic[48 * THREADS][48], cyclic2[48 * THREADS][48];\n"
    "void of_cyclic (int n) { for (int j = 0; j < n; j++) { double x = 0; for (int k = 0; k < n; k++) x += cyclic[k][j]; C[0][j] = x; } }\n"
    "void to_cyclic (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) cyclic2[k][j] = cyclic[k][j]; }\n"
    "void turned_cyclic (int n) { for (int j = 0; j < n; j++) { double x = 0; for (int k = 0; k < n; k++) x += cyclic[k][j];\n"
    "  cyclic[3][j] = x; } }\n"
    "void of_pointer (int n, shared [] double *p) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = p[k]; }\n"
    "void of_element (int n, shared [] double *p) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = p[j]; }\n"
    "void walks_inside (int n, shared [] double *p) { for (int j = 0; j < n; j++) for (int k = 0; k < n; p++, k++) C[k][j] = p[j]; }\n"
    "void counts_inside (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++, s++) C[k][j] = B[k][j]; }\n"
    "void declares_two (int n) { for (int j = 0; j < n; j++) for (int k = 0, m = j; k < n; k++) C[k][j] = m + B[k][j]; }\n"
    "void named_before (int n) { int k = 3; for (int j = 0; j < n; j++) { C[0][j] = k; for (k = 0; k < n; k++) C[k][j] = B[k][j]; } }\n"
    "void bounds_before (int n) { int k = 3; for (int j = 0; j < n; j++) { for (int l = 0; l < k; l++) C[l][j] = B[l][j];\n"
    "  for (k = 0; k < n; k++) C[k][j] = B[k][j]; } }\n"
    "void named_inside (int n) { int k; for (int j = 0; j < n; j++) for (k = 0; k < n; k++) C[k][j] = k; }\n"
    "void named_twice (int n) { int k; for (int j = 0; j < n; j++) { for (k = 0; k < n; k++) C[k][j] = k; for (k = 0; k < n; k++) C[k][j] += B[k][j]; } }\n"
    "void of_volatile_array (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = va[j]; }\n"
    "void of_processes (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = B[k][j]; }\n"
    "void raced (int n) { for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) C[k][j] = B[k][j]; }\n";

/* The first loop of the function, by its header's plan. */
static struct lanes *
lanes_of (const char *name)
{
  return plan_for (name)->lanes;
}

static int
count_scalars (const char *name)
{
  return lanes_of (name) ? lanes_of (name)->scalar_count : -1;
}

static void
test_variables_have_lanes (void **state)
{
  (void) state;
  assert_int_equal (count_scalars ("sums"), 1);
  assert_false (lanes_of ("sums")->scalars->is_outer);
  assert_int_equal (count_scalars ("outer_sum"), 1);
  assert_true (lanes_of ("outer_sum")->scalars->is_outer);
  assert_int_equal (count_scalars ("perfect"), 0);
  assert_int_equal (count_scalars ("many"), 4);
  assert_null (lanes_of ("too_many"));
  assert_null (lanes_of ("carried"));
  assert_null (lanes_of ("used_first"));
  assert_null (lanes_of ("of_itself"));
  assert_null (lanes_of ("stores_global"));
  assert_null (lanes_of ("address"));
  assert_null (lanes_of ("wide"));
  assert_null (lanes_of ("no_store"));
}

static void
test_loops_inside_are_around_lanes (void **state)
{
  struct loop *loop = plan_for ("perfect");
  struct stmt *inside = loop->lanes->body;

  (void) state;
  assert_int_equal (inside->kind, STMT_FOR);
  assert_null (inside->lanes);
  assert_ptr_equal (inside->then->lanes, loop->lanes);
  assert_ptr_not_equal (inside, loop->stmt->then);
  assert_true (inside->then->plan->is_independent);
  assert_ptr_equal (inside->then->plan->induction, loop->induction);
  assert_non_null (loop->in_order);
  assert_null (loop->in_order->lanes);
  assert_non_null (lanes_of ("deep"));
  assert_non_null (lanes_of ("up_to"));
}

static void
test_columns_are_worth_while (void **state)
{
  (void) state;
  assert_null (lanes_of ("rows"));
  assert_null (lanes_of ("turned"));
  assert_null (lanes_of ("of_flat"));
  assert_null (lanes_of ("diagonal"));
  assert_null (lanes_of ("along"));
  assert_null (lanes_of ("in_turn"));
  assert_null (lanes_of ("to_rows"));
}

static void
test_no_more_lanes_than_columns (void **state)
{
  (void) state;
  assert_int_equal (lanes_of ("perfect")->most, 48);
  assert_int_equal (lanes_of ("in_flat")->most, MOST_LANES);
  assert_null (lanes_of ("in_narrow"));
}

static void
test_other_lanes_elements_forbid_it (void **state)
{
  (void) state;
  assert_null (lanes_of ("beside"));
  assert_non_null (lanes_of ("above"));
  assert_null (lanes_of ("other_column"));
  assert_null (lanes_of ("in_rows"));
}

static void
test_all_lanes_do_the_same_iterations (void **state)
{
  (void) state;
  assert_null (lanes_of ("triangle"));
  assert_null (lanes_of ("from_row"));
  assert_null (lanes_of ("walks_inside"));
  assert_null (lanes_of ("counts_inside"));
  assert_null (lanes_of ("declares_two"));
  assert_null (lanes_of ("named_before"));
  assert_null (lanes_of ("bounds_before"));
  assert_non_null (lanes_of ("named_inside"));
  assert_non_null (lanes_of ("named_twice"));
  assert_null (lanes_of ("by_scalar"));
  assert_null (lanes_of ("from_scalar"));
  assert_null (lanes_of ("from_scalar_2"));
  assert_null (lanes_of ("counted"));
  assert_null (lanes_of ("stops"));
  assert_non_null (lanes_of ("maybe"));
  assert_null (lanes_of ("labelled"));
}

static void
test_what_else_is_done (void **state)
{
  (void) state;
  assert_null (lanes_of ("calls"));
  assert_non_null (lanes_of ("math_calls"));
  assert_null (lanes_of ("pure_calls"));
  assert_null (lanes_of ("of_volatile_array"));
  assert_null (lanes_of ("stores_private"));
  assert_non_null (lanes_of ("reads_private"));
  assert_null (lanes_of ("by_private_pointer"));
  assert_null (lanes_of ("is_strict"));
  assert_null (lanes_of ("of_records"));
  assert_null (lanes_of ("reads_volatile"));
}

static void
test_pointers_are_asked (void **state)
{
  struct lanes *lanes = lanes_of ("by_pointers");

  (void) state;
  assert_null (lanes_of ("perfect")->meetings);
  assert_non_null (lanes->meetings->next);
  assert_null (lanes->meetings->next->next);
  assert_null (lanes_of ("changed_pointer"));
  assert_non_null (lanes_of ("of_pointer"));
  assert_non_null (lanes_of ("of_element"));
}

/* The loop over lanes in the innermost loop of the function. */
static struct loop *
lanes_in (const char *name)
{
  struct stmt *s = lanes_of (name)->body;

  while (!s->lanes)
    s = s->kind == STMT_BLOCK ? s->items->next : s->then;
  return s->plan;
}

static void
test_small_blocks_are_read_from_copies (void **state)
{
  struct loop *loop = lanes_in ("of_cyclic");

  (void) state;
  assert_true (loop->is_by_copies && loop->is_independent);
  assert_non_null (loop->reads);
  assert_null (loop->references);
  assert_ptr_equal (loop->reads->copied->loop, plan_for ("of_cyclic"));
  assert_true (loop->in_order->residues > 0);
  assert_int_not_equal (loop->in_order->in_order->number, loop->number);
  assert_false (lanes_in ("to_cyclic")->is_by_copies);
  assert_ptr_equal (lanes_in ("turned_cyclic")->reads->copied->loop,
                    lanes_in ("turned_cyclic")->around);
  assert_false (lanes_in ("sums")->is_by_copies);
}

static void
test_headers (void **state)
{
  (void) state;
  assert_null (lanes_of ("by_two"));
  assert_null (lanes_of ("down"));
  assert_null (lanes_of ("twice_j"));
  assert_null (lanes_of ("minus_j"));
  assert_null (lanes_of ("wraps"));
  assert_non_null (lanes_of ("by_while"));
}

static void
test_switches (void **state)
{
  (void) state;
  switches.network = true;
  assert_null (lanes_of ("of_processes"));
  switches.network = false;
  switches.race = true;
  assert_null (lanes_of ("raced"));
  switches.race = false;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_variables_have_lanes),
    cmocka_unit_test (test_loops_inside_are_around_lanes),
    cmocka_unit_test (test_columns_are_worth_while),
    cmocka_unit_test (test_no_more_lanes_than_columns),
    cmocka_unit_test (test_other_lanes_elements_forbid_it),
    cmocka_unit_test (test_all_lanes_do_the_same_iterations),
    cmocka_unit_test (test_what_else_is_done),
    cmocka_unit_test (test_pointers_are_asked),
    cmocka_unit_test (test_small_blocks_are_read_from_copies),
    cmocka_unit_test (test_headers),
    cmocka_unit_test (test_switches),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
