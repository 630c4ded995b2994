/* The planner: loops of which a tool is told some iterations only (--profile). */

#include "tests/unit/upc2c/planned.h"

#define SEVEN_STORES "c[k] = c[k + 1] = c[k + 2] = c[k + 3] = c[k + 4] = c[k + 5] = c[k + 6] = i;"
#define STORES \
  SEVEN_STORES SEVEN_STORES SEVEN_STORES SEVEN_STORES SEVEN_STORES SEVEN_STORES SEVEN_STORES

/* A function for each question: a loop is planned once. */
const char source[] = PLANNED_DECLARATIONS
    "int called (int x); double fabs (double x);\n"
    "void get (int n, int k) { for (int i = 0; i < n; i++) s += big[i]; }\n"
    "void copy (int n, int k) { for (int i = 0; i < n; i++) big[i] = vast[i]; }\n"
    "void cyclic (int n, int k) { for (int i = 0; i < n; i++) c[i] = k; }\n"
    "void walk (int n, int k) { shared [1000] int *p = &big[k]; for (int i = 0; i < n; i++) s += *p++; }\n"
    "void forall (int n, int k) { upc_forall (int i = 0; i < 4000; i++; &big[i]) big[i] = vast[i]; }\n"
    "void bounded (int n, int k) { for (int i = 0; i < 4000; i++) big[i] = k; }\n"
    "void few (int n, int k) { for (int i = 0; i < 3; i++) c[i] = k; }\n"
    "void nested (int n, int k) { for (int i = 0; i < n; i++) for (int j = 0; j < 32; j++) s += big[100 * i + j]; }\n"
    "void around (int n, int k) { for (int i = 0; i < n; i++) for (int j = 0; j < 33; j++) s += big[100 * i + j]; }\n"
    "void by_pointer (int n, int k) { shared [1000] int *p; upc_forall (p = big; p < big + n; p++; p) *p = k; }\n"
    "void conditional (int n, int k) { for (int i = 0; i < n; i++) if (own[i]) s += big[i]; }\n"
    "int largest (int n, int k) { for (int i = 0; i < n; i++) if (big[i] > k) k = big[i]; return k; }\n"
    "void anywhere (int n, int k) { for (int i = 0; i < n; i++) s += big[own[i]]; }\n"
    "void left_out (int n, int k) { for (int i = 0; i < n; i++) { if (own[i]) continue; s += big[i]; } }\n"
    "void computed (int n, int k) { for (int i = 0; i < n; i++) s += (int) fabs (big[i]); }\n"
    "void begins_with_call (int n, int k) { for (int i = called (n); i < n; i++) s += big[i]; }\n"
    "void bound_first (int n, int k) { for (int i = 0; (n > i); i++) s += big[i]; }\n"
    "void bound_at_left (int n, int k) { for (int i = 0; (n > i); i++) s += vast[i]; }\n"
    "void down (int n, int k) { for (long i = n; i >= 0; i -= k) s += big[i]; }\n"
    "void counter (int n, int k) { shared [1000] int *p = big; while (n--) s += *p++; }\n"
    "void last_counter (int n, int k) { shared [1000] int *p = big; for (; (--n >= 0); p++) s += *p; }\n"
    "void unwatched (int n, int k) { for (int i = 0; i < n; i++) big[i] = k; }\n"
    "void in_processes (int n, int k) { for (int i = 0; i < n; i++) big[i] = k; }\n"
    "void checked (int n, int k) { for (int i = 0; i < n; i++) big[i] = k; }\n"
    "void raced (int n, int k) { for (int i = 0; i < n; i++) big[i] = k; }\n"
    "void uncounted (int n, int k) { for (int i = 0; i < n && own[i]; i++) s += big[i]; }\n"
    "void asked (int n, int k) { for (int i = 0; i < big[k]; i++) s += big[i]; }\n"
    "void reads_in_step (int n, int k) { for (int i = 0; i < n; i++, k += c[i]) s += big[i]; }\n"
    "void short_counter (int n, int k) { for (char i = 0; i < n; i++) s += big[i]; }\n"
    "void seen_counter (int n, int k) { while (n--) s += big[n]; }\n"
    "void stepped_counter (int n, int k) { for (int i = 0; n--; i += n) s += big[i]; }\n"
    "void left (int n, int k) { for (int i = 0; i < n; i++) { if (own[i]) break; s += big[i]; } }\n"
    "void left_and_left_out (int n, int k) { for (int i = 0; i < n; i++) { if (own[i]) break; if (own[i + 1]) continue; s += big[i]; } }\n"
    "void left_counter (int n, int k) { shared [1000] int *p = big; while (n--) { if (own[k]) break; s += *p++; } }\n"
    "int returns (int n, int k) { for (int i = 0; i < n; i++) if (big[i] == k) return i; return n; }\n"
    "void calls (int n, int k) { for (int i = 0; i < n; i++) big[i] = called (k); }\n"
    "void has_static (int n, int k) { for (int i = 0; i < n; i++) { static int x; big[i] = x++; } }\n"
    "void has_loop (int n, int k) { for (int i = 0; i < n; i++) { for (int j = 0; j < k; j++) own[j]++; big[i] = k; } }\n"
    "void has_short_loops (int n, int k) { for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) { for (k = 7; k >= 0; k--) s += big[100 * i + 8 * j + k]; } }\n"
    "void has_two_loops (int n, int k) { for (int i = 0; i < n; i++) { for (int j = 0; j < 17; j++) s += big[100 * i + j]; for (int j = 0; j < 16; j++) s += vast[100 * i + j]; } }\n"
    "void has_unknown_loop (int n, int k) { for (int i = 0; i < n; i++) for (int j = 0; j < k; j++) s += big[100 * i + j]; }\n"
    "void has_walk (int n, int k) { for (int i = 0; i < n; i++) for (k = own[i]; k != 1; k = big[k]) s++; }\n"
    "void has_while (int n, int k) { for (int i = 0; i < n; i++) { while (own[k]) k++; s += big[i + k]; } }\n"
    "void has_statement (int n, int k) { for (int i = 0; i < n; i++) big[i] = ({ int x = k; x; }); }\n"
    "void everybody (int n, int k) { upc_forall (int i = 0; i < n; i++; continue) big[i] = k; }\n"
    "void has_many (int n, int k) { for (int i = 0; i < n; i++) { " STORES " } }\n"
    "void at_least_one (int n, int k) { int i = 0; do { s += big[i]; i++; } while (i < n); }\n";

static bool
is_any_loop (struct stmt *s, void *found)
{
  if (s->kind != STMT_FOR && s->kind != STMT_FORALL && s->kind != STMT_WHILE)
    return false;
  *(struct loop **) found = s->plan;
  return true;
}

/* The outermost loop of NAME's, planned with events. */
static struct stmt *
plan_told (const char *name)
{
  struct loop *loop;

  switches.profile.is_on = true;
  loop = find_planned (name, is_any_loop);
  switches.profile.is_on = false;
  return loop->stmt;
}

/* The loop of NAME's that has no events; NULL: it is not sampled. */
static struct loop *
plan_quiet (const char *name)
{
  struct stmt *told = plan_told (name);

  return told->sampled ? told->sampled->quiet->plan : NULL;
}

static void
expect_sampled (bool is_sampled, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!plan_quiet (names[i]) == is_sampled)
      fail_msg ("%s", names[i]);
}

static void
test_loops_that_only_read_and_write_are_sampled (void **state)
{
  static const char *const names[] = { "get",         "walk",        "by_pointer",
                                       "conditional", "anywhere",    "left_out",
                                       "computed",    "bound_first", "begins_with_call",
                                       "down",        "counter",     "last_counter",
                                       "left",        "has_loop",    "has_short_loops" };

  (void) state;
  expect_sampled (true, names, sizeof names / sizeof *names);
}

static void
test_others_are_not (void **state)
{
  static const char *const names[] = { "uncounted",        "asked",           "short_counter",
                                       "seen_counter",     "stepped_counter", "left_and_left_out",
                                       "left_counter",     "returns",         "calls",
                                       "has_static",       "has_two_loops",   "has_statement",
                                       "has_unknown_loop", "has_while",       "has_walk",
                                       "everybody",        "at_least_one",    "reads_in_step" };

  (void) state;
  expect_sampled (false, names, sizeof names / sizeof *names);
}

static void
test_they_are_planned_as_without_events (void **state)
{
  (void) state;
  assert_true (plan_quiet ("copy")->is_independent);
  assert_true (plan_quiet ("cyclic")->residues);
  assert_true (plan_quiet ("forall")->may_be_flat);
}

/* Loops inside a sampled one belong to its iterations; those inside others are sampled themselves. */
static void
test_loops_are_sampled_once (void **state)
{
  struct stmt *outer;

  (void) state;
  outer = plan_quiet ("nested")->stmt;
  assert_null (outer->then->sampled);
  assert_non_null (outer->then->plan);
  outer = plan_told ("around");
  assert_null (outer->sampled);
  assert_non_null (outer->then->sampled);
}

/* The bound is not the program's, so that nothing follows from its value. */
static void
test_they_end_where_the_tool_says (void **state)
{
  struct loop *quiet = plan_quiet ("bounded");

  (void) state;
  assert_false (quiet->bound->is_constant);
  assert_memory_equal (quiet->bound->decl->name->text, "__upc_end_of_quiet", 18);
  assert_null (quiet->stmt->declaration);
  quiet = plan_quiet ("bound_at_left");
  assert_memory_equal (quiet->bound->decl->name->text, "__upc_end_of_quiet", 18);
}

/* But it lies between the program's. */
static void
test_they_know_between_what_they_are (void **state)
{
  (void) state;
  assert_false (plan_quiet ("few")->residues);
}

static bool
is_planned_store (struct expr *e, void *found)
{
  if (e->kind != EXPR_ASSIGN)
    return false;
  *(struct access_plan **) found = e->a->plan;
  return true;
}

/* Code that is done once calls a function for each element, but a loop is none, even if events are told of it. */
static void
test_iterations_with_events_are_in_a_loop (void **state)
{
  struct access_plan *plan = NULL;

  (void) state;
  any_in_stmt (plan_told ("has_many")->then, is_planned_store, &plan);
  assert_non_null (plan);
  assert_false (plan->is_called);
}

static void
test_without_events_nothing_is_sampled (void **state)
{
  (void) state;
  assert_null (plan_for ("unwatched")->stmt->sampled);
}

static void
test_other_instruments_forbid_it (void **state)
{
  (void) state;
  switches.network = true;
  assert_null (plan_quiet ("in_processes"));
  switches.network = false;
  switches.check = true;
  assert_null (plan_quiet ("checked"));
  switches.check = false;
  switches.race = true;
  assert_null (plan_quiet ("raced"));
  switches.race = false;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_loops_that_only_read_and_write_are_sampled),
    cmocka_unit_test (test_others_are_not),
    cmocka_unit_test (test_they_are_planned_as_without_events),
    cmocka_unit_test (test_loops_are_sampled_once),
    cmocka_unit_test (test_they_know_between_what_they_are),
    cmocka_unit_test (test_they_end_where_the_tool_says),
    cmocka_unit_test (test_iterations_with_events_are_in_a_loop),
    cmocka_unit_test (test_without_events_nothing_is_sampled),
    cmocka_unit_test (test_other_instruments_forbid_it),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
