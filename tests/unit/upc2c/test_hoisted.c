/* The planner: pointers-to-shared without names that are the same in all iterations of a loop. */

#include "tests/unit/upc2c/planned.h"

const char source[] = PLANNED_DECLARATIONS
    "shared [] double *shared rows[40 * THREADS]; shared [] double *mine[40]; shared [4] double wide[40 * THREADS];\n"
    "struct grid { shared [] double *cell; shared [4] double *far; shared [4] double (*rows)[4]; volatile int n;\n"
    "  shared [] double *volatile v; int k; shared [] char *text; shared [] double *other; } grid, *grids[3]; shared struct grid there;\n"
    "strict shared int gate; shared [] double *strict_rows; struct grid *global; int k0; char *private;\n"
    "shared [] double *get (void); int put_off (void);\n"
    "void directory (int i, int n) { for (int j = 0; j < n; j++) wide[j] = rows[i - 1][j] + rows[i + 1][j] + rows[i - 1][j + 1]; }\n"
    "void record (struct grid *g, int n) { for (int j = 0; j < n; j++) g->cell[j] = g->far[j]; }\n"
    "void named (int n) { for (int j = 0; j < n; j++) grid.cell[j] = 1; }\n"
    "void of_rows (struct grid *g, int i, int n) { for (int j = 0; j < n; j++) g->rows[i][j] = 1; }\n"
    "void private_array (int i, int n) { for (int j = 0; j < n; j++) wide[j] = mine[i][j]; }\n"
    "void of_shared_record (int n) { for (int j = 0; j < n; j++) wide[j] = there.cell[j]; }\n"
    "void sums (shared [] double *p, int k, int n) { for (int j = 0; j < n; j++) wide[j] = (p + k)[j]; }\n"
    "void moving (int n) { for (int j = 0; j < n; j++) wide[j] = rows[j][3]; }\n"
    "void changed_index (int i, int n) { for (int j = 0; j < n; j++) { wide[j] = rows[i][j]; i++; } }\n"
    "void maybe (int i, int n) { for (int j = 0; j < n; j++) if (i) wide[j] = rows[i][j]; }\n"
    "void maybe_and (int i, int n) { for (int j = 0; j < n; j++) wide[j] = i && rows[i][j]; }\n"
    "void either (int i, int n) { for (int j = 0; j < n; j++) wide[j] = i ? rows[i][j] : 0; }\n"
    "void stops (int i, int n) { for (int j = 0; j < n; j++) { if (wide[j]) break; wide[j] = rows[i][j]; } }\n"
    "void stored (int i, int n) { for (int j = 0; j < n; j++) { wide[j] = rows[i][j]; rows[j] = rows[3]; } }\n"
    "void stored_mine (int i, int n) { for (int j = 0; j < n; j++) { wide[j] = mine[i][j]; mine[j] = 0; } }\n"
    "void stored_record (struct grid *g, int n) { for (int j = 0; j < n; j++) { wide[j] = g->cell[j]; *g = grid; } }\n"
    "void stored_in_step (int i, int n) { for (int j = 0; j < n; mine[0] = 0, j++) wide[j] = mine[i][j]; }\n"
    "void stored_before (int i, int n) { for (int j = 0; mine[0] = 0, j < n; j++) wide[j] = mine[i][j]; }\n"
    "void stored_number (struct grid *g, int n) { for (int j = 0; j < n; j++) { g->cell[j] = 1; g->k = 2; } }\n"
    "void stored_char (struct grid *g, int n) { for (int j = 0; j < n; j++) { g->cell[j] = 1; *private = 2; } }\n"
    "void shared_char (int n) { for (int j = 0; j < n; j++) grid.text[j] = 1; }\n"
    "void shared_char_far (struct grid *g, int n) { for (int j = 0; j < n; j++) g->text[j] = 1; }\n"
    "void variable_stored (struct grid *g, int n) { shared [] double *x; for (int j = 0; j < n; j++) { x = 0; g->cell[j] = 1; } }\n"
    "void addressed_stored (struct grid *g, int n) { shared [] double *x, **y = &x; for (int j = 0; j < n; j++) { x = 0; g->cell[j] = 1; } }\n"
    "void other_pointer (struct grid *g, int n) { for (int j = 0; j < n; j++) { g->cell[j] = 1; g++; } }\n"
    "void of_volatile (struct grid *g, int n) { for (int j = 0; j < n; j++) g->v[j] = 1; }\n"
    "void orders (struct grid *g, int n) { for (int j = 0; j < n; j++) { g->cell[j] = 1; gate = 2; } }\n"
    "void ordered_header (struct grid *g) { for (int j = 0; j < gate; j++) g->cell[j] = 1; }\n"
    "void calls (struct grid *g, int n) { for (int j = 0; j < n; j++) { g->cell[j] = 1; put_off (); } }\n"
    "void called (int n) { for (int j = 0; j < n; j++) get ()[j] = 1; }\n"
    "void pure_called (struct grid *g, int n) { for (int j = 0; j < n; j++) g->cell[j] = pure (j); }\n"
    "void with_effect (struct grid *g, int n) { for (int j = 0; j++ < n; ) g->cell[j] = 1; }\n"
    "void for_ever (struct grid *g) { for (int j = 0; ; j++) g->cell[j] = 1; }\n"
    "void of_body (int n) { for (int j = 0; j < n; j++) { int i = j / 2; wide[j] = rows[i][3]; } }\n"
    "void owned (struct grid *g, int n) { upc_forall (int j = 0; j < n; j++; &g->far[j]) g->far[j] = g->cell[j]; }\n"
    "void behind_pragma (struct grid *g, int n) { \n#pragma GCC ivdep\n for (int j = 0; j < n; j++) g->cell[j] = 1; }\n"
    "void two_members (struct grid *g, int n) { for (int j = 0; j < n; j++) g->cell[j] = g->other[j]; }\n"
    "void by_name (shared [] double *p, int n) { for (int j = 0; j < n; j++) p[j] = 1; }\n"
    "void local_record (int n) { for (int j = 0; j < n; j++) { struct grid g = *grids[j]; wide[j] = g.cell[3]; } }\n"
    "void local_array (int n) { for (int j = 0; j < n; j++) { shared [] double *at[1] = { mine[j] }; wide[j] = at[0][3]; } }\n"
    "void bound (struct grid *g) { for (int j = 0; j < g->k; j++) wide[j] = 1; }\n"
    "void bounds (int *first, int i) { for (int j = first[i]; j < first[i + 1]; j++) wide[j] = 1; }\n"
    "void shared_bound (int i) { for (int j = 0; j <= a[i] - 1; j++) wide[j] = 1; }\n"
    "void shared_bound_beside (int i) { for (int j = 0; j < a[i]; j++) { wide[j] = 1; s = j; } }\n"
    "void shared_bound_stored (int i, int *w) { for (int j = 0; j < a[i]; j++) { wide[j] = 1; *w = j; } }\n"
    "void bound_of_type (struct grid *g) { for (int j = 0; j < g->k; j++) four[j] = 1; }\n"
    "void bound_stored (struct grid *g) { for (int j = 0; j < g->k; j++) { wide[j] = 1; g->k = 7; } }\n"
    "void bound_moves (int *first) { for (int j = 0; j < first[j]; j++) wide[j] = 1; }\n"
    "void bound_and (struct grid *g, int n) { for (int j = 0; j < n && g; j++) wide[j] = 1; }\n"
    "void volatile_bound (struct grid *g) { for (int j = 0; j < g->n; j++) wide[j] = 1; }\n"
    "void index (struct grid *g, int n) { for (int j = 0; j < n; j++) wide[j + 2 * g->k] = 1; }\n"
    "void index_maybe (struct grid *g, int n) { for (int j = 0; j < n; j++) if (g) wide[j + g->k] = 1; }\n"
    "void index_of_bound (struct grid *g) { for (int j = 0; j < g->k; j++) wide[j + g->k] = 1; }\n"
    "void owned_bound (struct grid *g) { upc_forall (int j = 0; j < g->k; j++; &wide[j]) wide[j] = g->cell[j]; }\n"
    "void owned_far (struct grid *g, struct grid *h, int n) { upc_forall (int j = 0; j < n; j++; &g->far[j]) g->far[j] = h->cell[j]; }\n"
    "void owned_rows (int i, int n) { upc_forall (int j = 0; j < n; j++; &wide[j]) wide[j] = rows[i][j]; }\n"
    "void global_bound (void) { for (int j = 0; j < k0; j++) four[j] = 1; }\n"
    "void raced (struct grid *g, int n) { for (int j = 0; j < n; j++) g->cell[j] = 1; }\n";

/* How many pointers the outermost loop of the function has the values of. */
static int
count (const char *name)
{
  int n = 0;

  for (struct hoisted *h = plan_for (name)->stmt->hoisted; h; h = h->next)
    n++;
  return n;
}

static void
test_what_has_no_name_gets_one (void **state)
{
  struct loop *loop = plan_for ("record");

  (void) state;
  assert_int_equal (count ("directory"), 2);
  assert_int_equal (count ("record"), 2);
  assert_int_equal (access_by (loop, "g")->address, ADDRESS_REFERENCE);
  assert_int_equal (count ("two_members"), 2);
  assert_int_equal (count ("by_name"), 0);
  assert_int_equal (count ("named"), 1);
  assert_int_equal (count ("of_rows"), 1);
  assert_int_equal (count ("private_array"), 1);
  assert_int_equal (count ("of_shared_record"), 1);
  assert_int_equal (count ("sums"), 1);
  assert_int_equal (count ("pure_called"), 1);
}

static void
test_integers_of_the_condition_get_one (void **state)
{
  (void) state;
  assert_int_equal (count ("bound"), 1);
  assert_non_null (plan_for ("bound")->bound);
  assert_int_equal (count ("bounds"), 1);
  assert_non_null (plan_for ("bounds")->bound);
  assert_int_equal (count ("shared_bound"), 1);
  assert_non_null (plan_for ("shared_bound")->bound);
  assert_int_equal (count ("shared_bound_beside"), 1);
  assert_int_equal (count ("shared_bound_stored"), 0);
  assert_int_equal (count ("bound_of_type"), 0);
  assert_int_equal (count ("bound_stored"), 0);
  assert_int_equal (count ("bound_moves"), 0);
  assert_int_equal (count ("bound_and"), 0);
  assert_int_equal (count ("volatile_bound"), 0);
}

static void
test_integers_of_indexes_get_one (void **state)
{
  (void) state;
  assert_int_equal (count ("index"), 1);
  assert_int_equal (access_by (plan_for ("index"), "wide")->address, ADDRESS_REFERENCE);
  assert_int_equal (count ("index_maybe"), 0);
  assert_int_equal (count ("index_of_bound"), 1);
}

/* The thread may have no iteration, in which the program would evaluate it. */
static void
test_owned_iterations_read_by_what_the_header_reads_by (void **state)
{
  (void) state;
  assert_int_equal (count ("owned_bound"), 2);
  assert_int_equal (count ("owned_far"), 1);
  assert_int_equal (count ("owned_rows"), 0);
}

static void
test_no_store_to_shared_data_is_to_a_variable (void **state)
{
  (void) state;
  assert_int_equal (count ("global_bound"), 0);
  assert_non_null (plan_for ("global_bound")->bound);
}

static void
test_what_differs_has_none (void **state)
{
  (void) state;
  assert_int_equal (count ("moving"), 0);
  assert_int_equal (count ("changed_index"), 0);
  assert_int_equal (count ("other_pointer"), 0);
  assert_int_equal (count ("of_body"), 0);
  assert_int_equal (count ("called"), 0);
  assert_int_equal (count ("local_record"), 0);
  assert_int_equal (count ("local_array"), 0);
}

static void
test_each_iteration_evaluates_it (void **state)
{
  (void) state;
  assert_int_equal (count ("maybe"), 0);
  assert_int_equal (count ("maybe_and"), 0);
  assert_int_equal (count ("either"), 0);
  assert_int_equal (count ("stops"), 0);
}

static void
test_stores_may_change_it (void **state)
{
  (void) state;
  assert_int_equal (count ("stored"), 0);
  assert_int_equal (count ("stored_mine"), 0);
  assert_int_equal (count ("stored_record"), 0);
  assert_int_equal (count ("stored_in_step"), 0);
  assert_int_equal (count ("stored_before"), 0);
  assert_int_equal (count ("stored_number"), 1);
  assert_int_equal (count ("stored_char"), 0);
  assert_int_equal (count ("shared_char"), 1);
  assert_int_equal (count ("shared_char_far"), 0);
  assert_int_equal (count ("variable_stored"), 1);
  assert_int_equal (count ("addressed_stored"), 0);
  assert_int_equal (count ("of_volatile"), 0);
}

static void
test_nothing_orders_threads (void **state)
{
  (void) state;
  assert_int_equal (count ("orders"), 0);
  assert_int_equal (count ("ordered_header"), 0);
  assert_int_equal (count ("calls"), 0);
}

static void
test_headers (void **state)
{
  (void) state;
  assert_int_equal (count ("with_effect"), 0);
  assert_int_equal (count ("for_ever"), 0);
  assert_int_equal (count ("behind_pragma"), 0);
}

static void
test_an_affinity_says_what_all_threads_have (void **state)
{
  (void) state;
  assert_int_equal (count ("owned"), 2);
  assert_int_equal (plan_for ("owned")->form, LOOP_STRIPS);
  assert_int_equal (access_by (plan_for ("owned"), "g")->address, ADDRESS_REFERENCE);
}

static void
test_races_are_told_of_where_they_are (void **state)
{
  (void) state;
  switches.race = true;
  assert_int_equal (count ("raced"), 0);
  switches.race = false;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_what_has_no_name_gets_one),
    cmocka_unit_test (test_integers_of_the_condition_get_one),
    cmocka_unit_test (test_integers_of_indexes_get_one),
    cmocka_unit_test (test_owned_iterations_read_by_what_the_header_reads_by),
    cmocka_unit_test (test_no_store_to_shared_data_is_to_a_variable),
    cmocka_unit_test (test_what_differs_has_none),
    cmocka_unit_test (test_each_iteration_evaluates_it),
    cmocka_unit_test (test_stores_may_change_it),
    cmocka_unit_test (test_nothing_orders_threads),
    cmocka_unit_test (test_headers),
    cmocka_unit_test (test_an_affinity_says_what_all_threads_have),
    cmocka_unit_test (test_races_are_told_of_where_they_are),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
