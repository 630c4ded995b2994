/* The planner: nests of loops that ask once whether arrays which pointers lead to are apart. */

#include "tests/unit/upc2c/planned.h"

/* Two loops, by pointers to rows. */
#define NEST(name, more, statement)                                              \
  "void " name " (rows x, rows y, int n" more ") { for (int i = 1; i < n; i++) " \
  "for (int j = 0; j < n; j++) " statement " }\n"

const char source[] = PLANNED_DECLARATIONS
    "typedef shared [4] double (*rows)[48]; typedef shared [] double *part; rows held; int bound;\n"
    "shared [4] double fours_of[400 * THREADS][4];\n"
    "void parts (int n) { for (int i = 0; i < 4; i++) for (int j = 0; j < n; j++) fours_of[j][3 - i] = fours_of[j + 2][i]; }\n"
    "void parts_of_rows (part p, int n, int k) { for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) "
    "p[i * 48 + j] = p[k * 48 + j + 1]; }\n"
    "shared [4] double grid[48 * THREADS][48], other[48 * THREADS][48];\n" NEST (
        "windows", "",
        "x[i][j] = y[i - 1][j] + y[i][j + 1];") NEST ("strips", ", part p, part r",
                                                      "p[i * 48 + j] = r[i * 48 + j + 1];")
        NEST ("arrays", "", "grid[i][j] = other[i - 1][j] + other[i][j + 1];") NEST (
            "by_global", "", "x[i][j] = held[i - 1][j] + held[i][j + 1];")
            NEST ("changes_pointer", "", "{ x[i][j] = y[i - 1][j] + y[i][j + 1]; held = y; }") NEST (
                "calls", "",
                "{ x[i][j] = y[i - 1][j] + y[i][j + 1]; f (); }") "void residues (shared double (*x)[48], shared double (*y)[48], int n)\n"
                                                                  "{ for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i][j] = y[i][j + 1]; }\n"
                                                                  "void alone (rows x, rows y, int n) { for (int j = 0; j < n; j++) x[1][j] = y[0][j] + y[1][j + 1]; }\n"
                                                                  "void swapped (rows x, rows y, int n) { for (int t = 0; t < n; t++) { rows z = x;\n"
                                                                  "  for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) x[i][j] = y[i - 1][j] + y[i][j + 1]; x = y; y = z; } }\n"
                                                                  "void deep (rows x, rows y, int n) { for (int t = 0; t < n; t++)\n"
                                                                  "  for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) x[i][j] += y[i - 1][j] + y[i][j + 1]; }\n"
                                                                  "void forall (rows x, rows y, int n) { upc_forall (int i = 1; i < n; i++; i)\n"
                                                                  "  for (int j = 0; j < n; j++) x[i][j] = y[i - 1][j] + y[i][j + 1]; }\n"
                                                                  "void counted_on (rows x, rows y, int n) { for (int i = 1; i < n; i++)\n"
                                                                  "  { for (int j = 0; j < n; j++) x[i][j] = y[i - 1][j] + y[i][j + 1]; i += x[i][0] > 0; } }\n";

/* Whether a loop that is in another one asks nothing, as the outermost one of FUNCTION has. */
static bool
find_asked (struct stmt *s, void *question)
{
  return (s->kind == STMT_FOR || s->kind == STMT_FORALL) && s->plan->asked == question;
}

static bool
asks_once (const char *function)
{
  struct loop *loop = plan_for (function);

  return loop->question && any_stmt (loop->stmt->then, find_asked, loop->question);
}

static bool
asks_somewhere (struct stmt *s, void *nothing)
{
  (void) nothing;
  return (s->kind == STMT_FOR || s->kind == STMT_FORALL) && (s->plan->asked || s->plan->question);
}

static void
test_the_outermost_loop_asks (void **state)
{
  (void) state;
  assert_true (asks_once ("windows"));
  assert_true (asks_once ("residues"));
  assert_true (asks_once ("strips"));
  assert_true (asks_once ("by_global"));
  assert_true (asks_once ("forall"));
  assert_null (plan_for ("alone")->question);
  assert_null (plan_for ("alone")->asked);
}

static void
test_what_is_known_is_not_asked (void **state)
{
  (void) state;
  assert_null (plan_for ("arrays")->question);
}

/* All rows of pointers that do not change. */
static void
test_the_nest_is_as_large_as_pointers_last (void **state)
{
  struct loop *loop = plan_for ("swapped");
  struct stmt *inside = loop->stmt->then->items->next;

  (void) state;
  assert_null (loop->question);
  assert_non_null (inside->plan->question);
  assert_true (any_stmt (inside->then, find_asked, inside->plan->question));
  assert_true (asks_once ("deep"));
  assert_null (plan_for ("deep")->stmt->then->plan->question);
}

static void
test_what_a_nest_accesses_may_be_unknown (void **state)
{
  (void) state;
  assert_false (any_stmt (plan_for ("calls")->stmt, asks_somewhere, NULL));
  assert_false (any_stmt (plan_for ("changes_pointer")->stmt, asks_somewhere, NULL));
  assert_false (any_stmt (plan_for ("counted_on")->stmt, asks_somewhere, NULL));
}

/* The nest is done in copies, or asks. */
static void
test_copies_are_apart (void **state)
{
  struct loop *loop = plan_for ("deep");

  (void) state;
  assert_non_null (loop->nest);
  exchange_state (loop->nest->in_copies);
  assert_false (any_stmt (loop->stmt, asks_somewhere, NULL));
  exchange_state (loop->nest->in_copies);
}

/* The nest knows of arrays, not of parts of one. */
static void
test_loops_ask_of_parts_themselves (void **state)
{
  (void) state;
  assert_false (asks_once ("parts"));
  assert_false (asks_once ("parts_of_rows"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_loops_ask_of_parts_themselves),
    cmocka_unit_test (test_the_outermost_loop_asks),
    cmocka_unit_test (test_what_is_known_is_not_asked),
    cmocka_unit_test (test_the_nest_is_as_large_as_pointers_last),
    cmocka_unit_test (test_what_a_nest_accesses_may_be_unknown),
    cmocka_unit_test (test_copies_are_apart),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
