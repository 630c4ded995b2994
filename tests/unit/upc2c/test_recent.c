/* The planner: elements in the block of the last access, and assignments that are seldom made. */

#include "tests/unit/upc2c/planned.h"

#define UNTIL "while (pure (i)) "
#define EACH "for (int r = 0; r < n; r++) "
#define WALK UNTIL "{ if (s) i++; s += x[i]; }"

const char source[] = PLANNED_DECLARATIONS
    "shared [64] int x[640], y[640], o[1280]; shared [64] int rows[40][64]; shared [32] int least[640];\n"
    "shared [64] int *moving; shared [64] struct { int key, value; } records[640]; static int kept;\n"
    "void merges (int n)\n"
    "{ int i = 0, j = 0, k = 0; while (i < n && j < n) if (x[i] < y[j]) o[k++] = x[i++]; else o[k++] = y[j++]; }\n"
    "void least_blocks (int i) { " UNTIL "{ if (s) i++; s += least[i]; } }\n"
    "void beside (int i, int n) { " UNTIL "{ s += x[i - 1] + x[i + n]; if (s) i += 4; } }\n"
    "void two_walkers (int i, int k) { " UNTIL "{ if (s) i++; else k++; s += x[i] + x[k]; } }\n"
    "void two_arrays (int i) { " UNTIL "{ if (s) i++; s += x[i] + y[i]; } }\n"
    "void follows (int i) { int j = 0; " UNTIL
    "{ int k = i + 1; if (s) j = k - 2; s += x[j]; i++; } }\n"
    "void in_do (int i) { " UNTIL "{ do i++; while (x[i] < 3); } }\n"
    "void by_pointer (int i, shared [64] int *p) { " UNTIL "{ if (s) i--; s += p[i]; } }\n"
    "void of_records (int i) { " UNTIL "{ if (s) ++i; s += records[i].value; } }\n"
    "void nested (int i, int n) { for (int j = 0; j < n; j++) " UNTIL
    "{ if (s) i++; s += x[i]; } }\n"
    "void small_blocks (int i) { " UNTIL "{ if (s) i++; s += a[i]; } }\n"
    "void far (int i) { " UNTIL "{ if (s) i += 5; s += x[i]; } }\n"
    "void farther (int i) { " UNTIL "{ s += x[i]; if (s) i = i + -5; } }\n"
    "void by_variable (int i, int n) { " UNTIL "{ s += x[i]; if (s) i += n; } }\n"
    "void by_own_sum (int i, int n) { " UNTIL "{ s += x[i]; if (s) i = i + n; } }\n"
    "void halves (int i) { " UNTIL "{ s += x[i]; if (s) i /= 2; } }\n"
    "void loaded (int i, int n) { int k = 0; " UNTIL "{ s += x[k]; k = at[i & 7]; i++; } }\n"
    "void begins (int i) { " UNTIL "{ int k = at[i & 7]; s += x[k]; i++; } }\n"
    "void products (int i, int n) { " UNTIL "{ if (s) i++; s += x[i * n]; } }\n"
    "void inner (int i) { " UNTIL "{ int k = i - 1; s += x[k]; if (s) i++; } }\n"
    "void of_rows (int i) { " UNTIL "{ if (s) i++; s += rows[i][3]; } }\n"
    "void in_a_row (int i) { " UNTIL "{ if (s) i++; s += rows[3][i]; } }\n"
    "void fixed (int i, int n) { " UNTIL "{ if (s) i++; s += x[n - 1]; } }\n"
    "void by_static (int i) { " UNTIL "{ if (s) kept++; s += x[kept]; } }\n"
    "void by_address (int i) { stores (&i); " UNTIL "{ if (s) i++; s += x[i]; } }\n"
    "void by_volatile (int i) { volatile int k = 0; " UNTIL "{ if (s) k++; s += x[k]; } }\n"
    "void by_moving (int i) { " UNTIL "{ if (s) i++; s += moving[i]; f (); } }\n"
    "void by_stepped (int i, shared [64] int *p) { " UNTIL
    "{ if (s) i++; s += p[i]; if (s) p++; } }\n"
    "void labelled (int i) { " UNTIL "{ if (s) i++; s += x[i]; back: s++; } if (s) goto back; }\n"
    "void one_thread (int i) { " UNTIL "{ if (s) i++; s += x[i]; } }\n"
    "void in_step (int i) { for (; pure (i); i = at[i & 7]) s += x[i]; }\n"
    "void in_condition (int i) { while (i = at[i & 7]) s += x[i]; }\n"
    "void compacts (int n, shared [64] int *p) { int k = 0; for (int i = 0; i < n; i++) if (x[i]) p[k++] = i; }\n"
    "void partition (int i, int n)\n"
    "{ while (pure (n)) { while (x[i] < n) i++; s += x[i]; n--; } }\n"
    "void from_start (int i, int n)\n"
    "{ while (pure (n)) { i = n; while (x[i] < n) i++; n--; } }\n"
    "void counted (int i, int n)\n"
    "{ while (pure (n)) { while (i < n) { s += x[i]; i++; } n--; } }\n"
    "void of_two (int i, int n)\n"
    "{ while (pure (n)) { while (x[i] < a[i]) i++; n--; } }\n"
    "void of_two_in_body (int i, int n)\n"
    "{ while (pure (n)) { while (x[i] < n) { s += a[i]; i++; } n--; } }\n"
    "void declared (int n)\n"
    "{ while (pure (n)) { int i = 0; while (x[i] < n) i++; n--; } }\n"
    "void alone (int i, int n) { while (x[i] < n) i++; }\n"
    "int largest (int n) { int most = 0; for (int i = 0; i < n; i++) if (x[i] > x[most]) { most = i; } return most; }\n"
    "int or_else (int n) { int most = 0; for (int i = 0; i < n; i++) if (x[i] > x[most]) most = i; else s++; return most; }\n"
    "int other (int n) { int most = 0; for (int i = 0; i < n; i++) if (x[i] > x[s]) most = i; return most; }\n"
    "int of_private (int n) { int most = 0; for (int i = 0; i < n; i++) if (x[i] > at[most]) most = i; return most; }\n"
    "void counts (int n) { int most = 0; for (int i = 0; i < n; i++) if (x[i] > x[most]) most++; }\n"
    "void at_a_half (int i, int n) { " EACH "{ i = n / 2; " WALK " } }\n"
    "void at_a_shifted (int i, int n) { " EACH "{ i = (n + r) >> 1; " WALK " } }\n"
    "void at_a_multiple (int n) { " EACH "{ int i = r * n - 1; " WALK " } }\n"
    "void further_on (int i, int n) { " EACH "{ i += 2 * n; " WALK " } }\n"
    "void at_a_remainder (int i, int n) { " EACH "{ i = n % 64; " WALK " } }\n"
    "void at_a_quotient (int i, int n) { " EACH "{ i = n / r; " WALK " } }\n"
    "void at_a_loaded (int i, int n) { " EACH "{ i = at[r & 7]; " WALK " } }\n"
    "void on_by_loaded (int i, int n) { " EACH "{ i += at[r & 7]; " WALK " } }\n"
    "void times_itself (int i, int n) { " EACH "{ i *= 2; " WALK " } }\n"
    "void bisects (int i, int n) { " EACH UNTIL "{ i = (i + n) / 2; s += x[i]; } }\n"
    "void doubles (int i, int n) { " EACH UNTIL "{ s += x[i]; i = 2 * i; } }\n"
    "void begins_inside (int k, int n) { " EACH
    "while (pure (k)) { int i = k / 2; s += x[i]; k--; } }\n"
    "void far_inside (int i, int n) { " EACH UNTIL "{ s += x[i]; i += 2 * n; } }\n"
    "void no_loop (int n) { int most = 0; if (x[n] > x[most]) most = n; while (pure (n)) n--; }\n";

static struct recent *
recent_of (const char *function, const char *root)
{
  return access_by (while_in (function)->plan, root)->recent;
}

static void
test_walking_indexes_have_a_recent_block (void **state)
{
  struct loop *loop = while_in ("merges")->plan;
  struct recent *by_i = access_by (loop, "x")->recent, *by_j = access_by (loop, "y")->recent;

  (void) state;
  assert_non_null (by_i);
  assert_string_equal (by_i->walker->name->text, "i");
  assert_string_equal (by_i->root->name->text, "x");
  assert_string_equal (by_j->walker->name->text, "j");
  assert_ptr_equal (by_i->loop, loop);
  /* One for each array. */
  assert_int_equal (loop->recents->number, 3);
  loop = while_in ("two_walkers")->plan;
  assert_non_null (loop->recents->next);
  loop = while_in ("two_arrays")->plan;
  assert_non_null (loop->recents->next);
  loop = while_in ("beside")->plan;
  assert_non_null (loop->recents);
  assert_null (loop->recents->next);
}

static void
test_other_walks (void **state)
{
  static const char *const names[] = { "follows", "in_do", "inner" };

  (void) state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_non_null (recent_of (names[i], "x"));
  assert_non_null (recent_of ("least_blocks", "least"));
  assert_non_null (recent_of ("by_pointer", "p"));
  assert_non_null (recent_of ("of_records", "records"));
}

static void
test_the_outermost_loop_has_the_block (void **state)
{
  struct loop *loop = plan_for ("nested");

  (void) state;
  assert_non_null (loop->recents);
  assert_ptr_equal (access_by (loop, "x")->recent, loop->recents);
}

static void
test_walks_begin_anew_in_outer_loops (void **state)
{
  static const char *const walks[] = { "at_a_half", "at_a_shifted", "at_a_multiple", "further_on" };
  static const char *const jumps[] = { "at_a_remainder", "at_a_quotient", "at_a_loaded",
                                       "on_by_loaded",   "times_itself",  "bisects",
                                       "doubles",        "begins_inside", "far_inside" };

  (void) state;
  for (size_t i = 0; i < sizeof walks / sizeof *walks; i++)
    assert_non_null (access_by (plan_for (walks[i]), "x")->recent);
  for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
    assert_null (access_by (plan_for (jumps[i]), "x")->recent);
}

static void
test_what_goes_here_and_there_has_none (void **state)
{
  static const char *const names[] = { "far",         "farther", "by_variable", "by_own_sum",
                                       "halves",      "loaded",  "begins",      "products",
                                       "of_rows",     "fixed",   "by_static",   "by_address",
                                       "by_volatile", "labelled" };

  (void) state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_null (recent_of (names[i], strcmp (names[i], "of_rows") == 0 ? "rows" : "x"));
  assert_null (recent_of ("in_a_row", "rows"));
  assert_null (recent_of ("small_blocks", "a"));
  assert_null (recent_of ("by_moving", "moving"));
  assert_null (recent_of ("by_stepped", "p"));
  assert_null (access_by (plan_for ("in_step"), "x")->recent);
  assert_null (recent_of ("in_condition", "x"));
}

static void
test_one_thread_has_all_in_a_row (void **state)
{
  unsigned threads = switches.threads;
  struct recent *recent;

  (void) state;
  switches.threads = 1;
  recent = recent_of ("one_thread", "x");
  switches.threads = threads;
  assert_null (recent);
}

/* The inner while of FUNCTION. */
static struct loop *
inner_loop (const char *function)
{
  struct loop *inner = NULL;

  any_stmt (while_in (function)->then, is_loop, &inner);
  assert_non_null (inner);
  return inner;
}

static void
test_searches_that_go_on_have_no_strips (void **state)
{
  static const char *const others[] = { "from_start", "counted", "of_two", "of_two_in_body",
                                        "declared" };
  struct loop *inner = inner_loop ("partition");

  (void) state;
  assert_int_equal (inner->form, LOOP_AS_WRITTEN);
  assert_non_null (inner->reason);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal (inner_loop (others[i])->form, LOOP_STRIPS);
  assert_int_equal (while_in ("alone")->plan->form, LOOP_STRIPS);
}

static void
test_stores_are_unrolled (void **state)
{
  struct loop *loop = plan_for ("compacts");

  (void) state;
  assert_non_null (access_by (loop, "p")->recent);
  assert_true (loop->is_unrolled);
}

static bool
is_seldom (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->is_seldom;
}

static void
test_assignments_to_the_index_are_seldom (void **state)
{
  static const char *const others[] = { "or_else", "other", "of_private", "counts" };

  (void) state;
  assert_true (any_stmt (plan_for ("largest")->stmt, is_seldom, NULL));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_false (any_stmt (plan_for (others[i])->stmt, is_seldom, NULL));
  while_in ("no_loop");
  assert_false (any_stmt (function_named ("no_loop")->body, is_seldom, NULL));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_walking_indexes_have_a_recent_block),
    cmocka_unit_test (test_other_walks),
    cmocka_unit_test (test_the_outermost_loop_has_the_block),
    cmocka_unit_test (test_walks_begin_anew_in_outer_loops),
    cmocka_unit_test (test_what_goes_here_and_there_has_none),
    cmocka_unit_test (test_one_thread_has_all_in_a_row),
    cmocka_unit_test (test_stores_are_unrolled),
    cmocka_unit_test (test_searches_that_go_on_have_no_strips),
    cmocka_unit_test (test_assignments_to_the_index_are_seldom),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
