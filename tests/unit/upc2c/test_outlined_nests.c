/* The planner: nests that AddressSanitizer does not instrument, where all their accesses are right. */

#include "tests/unit/upc2c/planned.h"

#include <string.h>

#define NEST(name, parameters, statement)                              \
  "void " name " (int n" parameters ") { for (int i = 0; i < n; i++) " \
  "for (int j = 0; j < n; j++) " statement " }\n"

#define NESTS                                                                                   \
  NEST ("in_arrays", "", "A[i][j] = B[j][i];")                                                  \
  NEST ("in_two_states", "", "A[i][j] = 1;")                                                    \
  NEST ("in_copies_too", "", "for (int k = 0; k < n; k++) A[i][j] += B[j][k];")                 \
  NEST ("in_copies_by_table", "", "for (int k = 0; k < n; k++) A[i][j] += B[j][k] * table[k];") \
  NEST ("of_scalars", ", double x, double y, double z",                                         \
        "{ double w = x; A[i][j] = w + sqrt (y); z = w; }")                                     \
  NEST ("of_pointers", ", shared double (*q)[48]", "A[i][j] = q[i][j];")                        \
  NEST ("of_pointers_apart", ", shared [] double *q, shared [] double *r", "q[j] = r[j] + 1;")  \
  NEST ("of_global", "", "{ A[i][j] = total; total = j; }")                                     \
  NEST ("of_table", "", "A[i][j] = table[j];")                                                  \
  NEST ("of_private_pointer", "", "A[i][j] = *p;")                                              \
  NEST ("of_member", "", "A[i][j] = one.x;")                                                    \
  NEST ("of_bool", ", _Bool b", "A[i][j] = b;")                                                 \
  NEST ("of_global_bool", "", "A[i][j] = is_global;")                                           \
  NEST ("of_inner_bool", "", "{ _Bool b = i; A[i][j] = b; }")                                   \
  NEST ("of_volatile", "", "A[i][j] = changing;")                                               \
  NEST ("of_name", "", "A[i][j] = __func__[0];")

const char source[] = PLANNED_DECLARATIONS
    "shared double A[48 * THREADS][48], B[48 * THREADS][48];\n"
    "double table[48], *p, total; struct pair { double x; } one; volatile double changing; _Bool is_global;\n" NESTS
    "void enough (void) { for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) A[i][j] = 1; }\n"
    "void few (void) { for (int i = 0; i < 15; i++) for (int j = 0; j < 17; j++) A[i][j] = 1; }\n"
    "void line (int n) { for (int i = 0; i < n; i++) A[i][0] = 1; }\n"
    "void outer_counters (int n) { int i, j; for (i = 0; i < n; i++) for (j = 0; j < n; j++) A[i][j] = 1; }\n"
    "void of_forall (int n, shared double *q) { upc_forall (int i = 0; i < n; i++; q) for (int j = 0; j < n; j++) A[i][j] = 1; }\n";

static struct nest *
nest_of (const char *name)
{
  struct nest *nest;

  switches.outlines = true;
  nest = plan_for (name)->nest;
  switches.outlines = false;
  return nest;
}

/* "x =y ", of variables x and y, which the nest stores to. */
static const char *
arguments_of (const char *name)
{
  static char text[100];
  struct nest *nest = nest_of (name);

  *text = '\0';
  assert_non_null (nest);
  for (const struct outlined *o = nest->loops->loop->outlined; o; o = o->next)
    sprintf (text + strlen (text), "%s%s ", o->is_stored ? "=" : "", o->decl->name->text);
  return text;
}

static void
test_nests_are_functions (void **state)
{
  struct nest *nest = nest_of ("in_arrays");

  (void) state;
  assert_true (nest->is_outlined && nest->unchecked && !nest->may_copy && !nest->in_copies);
  nest = nest_of ("in_copies_too");
  assert_true (nest->is_outlined && nest->unchecked && nest->may_copy && nest->in_copies);
  assert_true (nest_of ("enough")->is_outlined);
  assert_null (nest_of ("few"));
  assert_null (nest_of ("line"));
}

static void
test_without_the_switch_they_are_not (void **state)
{
  (void) state;
  assert_null (plan_for ("outer_counters")->nest);
}

static void
test_functions_have_arguments (void **state)
{
  (void) state;
  assert_string_equal (arguments_of ("of_scalars"), "=z y x n ");
  assert_string_equal (arguments_of ("of_pointers"), "q n ");
  assert_string_equal (arguments_of ("of_global"), "n ");
  assert_string_equal (arguments_of ("of_forall"), "q n ");
  assert_non_null (nest_of ("of_inner_bool"));
  assert_non_null (nest_of ("of_global_bool"));
}

static void
test_private_memory_is_instrumented (void **state)
{
  static const char *const names[] = { "of_table",          "of_private_pointer", "of_member",
                                       "of_bool",           "of_volatile",        "of_name",
                                       "in_copies_by_table" };

  (void) state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_null (nest_of (names[i]));
}

/* Functions of strips are not given what the nest would find out. */
static void
test_nests_are_not_asked (void **state)
{
  struct nest *nest = nest_of ("of_pointers_apart");

  (void) state;
  assert_true (nest->is_outlined && !nest->is_asked);
}

static void
test_strips_of_a_function_are_none (void **state)
{
  struct loop *outer, *inner;
  struct stmt *s;

  (void) state;
  switches.outlines = true;
  outer = plan_for ("in_two_states");
  assert_true (switches.outlines);
  switches.outlines = false;
  s = outer->stmt->then;
  inner = s->plan;
  assert_true (inner->is_outlined);
  exchange_state (outer->nest->unchecked);
  assert_true (s->plan != inner && !s->plan->is_outlined);
  exchange_state (outer->nest->unchecked);
  assert_ptr_equal (inner, s->plan);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_nests_are_functions),
    cmocka_unit_test (test_without_the_switch_they_are_not),
    cmocka_unit_test (test_functions_have_arguments),
    cmocka_unit_test (test_private_memory_is_instrumented),
    cmocka_unit_test (test_nests_are_not_asked),
    cmocka_unit_test (test_strips_of_a_function_are_none),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
