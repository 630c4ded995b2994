/* The planner of programs of several processes: runs of elements in batches (plan/batch_run.c). */

#include "tests/unit/upc2c/planned.h"

#define NEST(name, inner) \
  "void " name " (int n) { int j; long k; for (int i = 0; i < n; i++) " inner " }\n"

/* clang-format off */
const char source[] = PLANNED_DECLARATIONS
  "shared [100] int m2[400][100], t2[400][100]; shared [50] int half[400][100]; shared [] int *r0; shared double wide[4000];\n"
  "extern shared [100] int open_ended[][100];\n"
  "struct box { char c; int v[100]; }; shared [] struct box *boxes; shared [] int *table[100];\n"
  "struct pair { int x, y; }; shared [100] struct pair pairs[400][100]; static unsigned char narrow; static double t;\n"
  "void transposes (void) { upc_forall (int i = 0; i < 100; i++; &t2[i][0]) for (int j = 0; j < 100; j++) t2[i][j] = m2[j][i]; }\n"
  "void plans_copy (void) { upc_forall (int i = 0; i < 100; i++; &t2[i][0]) for (int j = 0; j < 100; j++) t2[i][j] = m2[j][i]; }\n"
  NEST ("column", "for (j = 0; j < n; j++) s += m2[j][i];")
  NEST ("checked", "for (j = 0; j < n; j++) s += m2[j][i];")
  NEST ("checked_unknown", "for (j = 0; j < n; j++) s += open_ended[j][i];")
  NEST ("unknown", "for (j = 0; j < n; j++) s += open_ended[j][i];")
  NEST ("checked_store", "for (j = 0; j < n; j++) t2[2][i] = m2[j][i];")
  NEST ("by_two_rows", "for (k = i; k <= n; k++) s += m2[2 * k + 1][i];")
  NEST ("by_long", "for (k = i; k <= n; k++) s += m2[2 * k + 1][i];")
  NEST ("upwards", "for (j = 0; j < n; j++) s += m2[n - j][i];")
  NEST ("halves", "for (j = 0; j < n; j++) s += half[j][i];")
  NEST ("indefinite", "for (j = 0; j < n; j++) s += r0[7 * j + i];")
  NEST ("cyclic", "for (j = 0; j < n; j++) own[j] = wide[j + i] * wide[3 * j];")
  NEST ("outside_too", "{ t += wide[7 * i]; for (j = 0; j < n; j++) t += m2[j][i]; }")
  NEST ("within_block", "for (j = 0; j < n; j++) s += m2[i][j] + wide[j];")
  NEST ("diagonal", "for (j = 0; j < n; j++) s += m2[j][j] + wide[j + i];")
  NEST ("scattered", "for (j = 0; j < n; j++) t += m2[at[j]][i] + m2[j][i];")
  NEST ("of_members", "for (j = 0; j < n; j++) s += pairs[j][i].x;")
  NEST ("same", "for (j = 0; j < n; j++) t += wide[7 * i];")
  NEST ("inside", "for (j = 0; j < n; j++) s += boxes[i].v[j];")
  NEST ("inside_all", "for (j = 0; j < n; j++) s += boxes[j].v[j];")
  NEST ("pointers", "for (j = 0; j < n; j++) s += table[j][7 * j + i];")
  NEST ("conditional", "for (j = 0; j < n; j++) if (at[j]) t += m2[j][i];")
  NEST ("by_two", "for (j = 0; j < n; j += 2) s += m2[j][i];")
  NEST ("down", "for (j = n; j > 0; j--) s += m2[j][i];")
  NEST ("may_wrap", "for (unsigned char c = 0; c <= narrow; c++) s += m2[c][i];")
  NEST ("factor", "for (j = 0; j < n; j++) s += r0[n * j + i];")
  NEST ("has_array", "for (j = 0; j < n; j++) { int v[2] = { 1 }; s += m2[j][i] + v[0]; }")
  NEST ("hoists", "for (j = 0; j < n; j++) t += p0[16 * j + i];")
  NEST ("has_inner", "for (j = 0; j < n; j++) for (k = 0; k < n; k++) s += m2[j + k][i];");
/* clang-format on */

static int
set_up_network (void **state)
{
  switches.network = true;
  return set_up (state);
}

/* How many accesses of FUNCTION's batch are runs. */
static int
count_runs (const char *function)
{
  const struct batch *batch = plan_for (function)->batch;
  int count = 0;

  if (!batch)
    fail_msg ("%s has no batches", function);
  for (const struct batched *b = batch->accesses; b; b = b->next)
    count += b->run != NULL;
  return count;
}

static void
test_runs (void **state)
{
  (void) state;
  assert_int_equal (count_runs ("column"), 1);
  assert_int_equal (count_runs ("by_long"), 1);
  assert_int_equal (count_runs ("cyclic"), 2);
  assert_int_equal (count_runs ("has_inner"), 1);
  assert_int_equal (count_runs ("outside_too"), 1);
  assert_int_equal (count_runs ("hoists"), 1);
}

static void
test_distances (void **state)
{
  (void) state;
  assert_int_equal (plan_for ("transposes")->batch->accesses->blocks, 1);
  assert_int_equal (plan_for ("by_two_rows")->batch->accesses->blocks, 2);
  assert_int_equal (plan_for ("upwards")->batch->accesses->blocks, -1);
  assert_int_equal (plan_for ("halves")->batch->accesses->blocks, 2);
  assert_int_equal (plan_for ("indefinite")->batch->accesses->blocks, 7);
}

static void
test_other_accesses (void **state)
{
  static const char *const functions[] = { "within_block", "diagonal",   "scattered", "of_members",
                                           "inside",       "inside_all", "same",      "pointers",
                                           "conditional",  "by_two",     "down",      "may_wrap",
                                           "factor",       "has_array" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (count_runs (functions[i]) > 0)
      fail_msg ("%s has runs", functions[i]);
}

static bool
is_run_element (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_INDEX && e->plan && e->plan->address == ADDRESS_IN_RUN;
}

/* The copy reads private memory, so its plan is about the own elements alone; the loop itself is what it was. */
static bool
is_store_and_planned (struct expr *e, void *plan)
{
  if (e->kind != EXPR_ASSIGN)
    return false;
  *(struct access_plan **) plan = e->a->plan;
  return true;
}

static void
test_the_copy_is_planned_for_itself (void **state)
{
  const struct batch *batch = plan_for ("plans_copy")->batch;
  const struct run_loop *run = batch->runs;
  struct access_plan *own;

  (void) state;
  assert_non_null (run);
  assert_null (run->next);
  assert_ptr_equal (batch->accesses->run, run);
  assert_true (any_in_stmt (run->copy, is_run_element, NULL));
  assert_false (any_in_stmt (run->stmt, is_run_element, NULL));
  assert_ptr_not_equal (run->copy->plan, run->stmt->plan);
  any_in_stmt (run->copy, is_store_and_planned, &own);
  assert_ptr_equal (own->loop, run->copy->plan);
  for (const struct reference *r = run->copy->plan->references; r; r = r->next)
    assert_string_equal (r->root->decl->name->text, "t2");
}

/* The first element that a copy reads from its run. */
static bool
take_run_element (struct expr *e, void *element)
{
  if (!is_run_element (e, NULL))
    return false;
  *(struct expr **) element = e;
  return true;
}

static bool
is_checked_store (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_ASSIGN && e->a->is_checked;
}

/* Indexes that are known are compared with the bounds once, and what is read was looked up where it is fetched. */
static void
test_checked_code (void **state)
{
  const struct batch *batch;
  struct expr *element = NULL;

  (void) state;
  switches.check = true;
  batch = plan_for ("checked")->batch;
  assert_non_null (batch->runs);
  assert_true (any_in_stmt (batch->runs->copy, take_run_element, &element));
  assert_true (element->is_checked);
  assert_true (array_of_element (element)->is_checked);
  assert_int_equal (count_runs ("checked_unknown"), 0);
  /* The loop itself checks what it stores to when it begins, and the copy does at each access. */
  batch = plan_for ("checked_store")->batch;
  assert_non_null (batch->runs);
  assert_true (any_in_stmt (batch->runs->stmt, is_checked_store, NULL));
  assert_false (any_in_stmt (batch->runs->copy, is_checked_store, NULL));
  switches.check = false;
  assert_int_equal (count_runs ("unknown"), 1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_runs),
    cmocka_unit_test (test_distances),
    cmocka_unit_test (test_other_accesses),
    cmocka_unit_test (test_checked_code),
    cmocka_unit_test (test_the_copy_is_planned_for_itself),
  };

  return cmocka_run_group_tests (tests, set_up_network, NULL);
}
