/* The planner: indexes that are in variables which iterations set once (plan/index_value.c). */

#include "tests/unit/upc2c/planned.h"

#define LOOP(name, body) \
  "void " name " (int n, int k, short z) { for (int i = 0; i < n; i++) { " body " } }\n"

/* Their indexes follow i. */
#define GOOD                                                                                     \
  LOOP ("plain", "int q = i + 1; big[q] = 1;")                                                   \
  LOOP ("cast", "unsigned long q = (unsigned long) i + 1; big[q] = 1;")                          \
  LOOP ("fixed", "const int q = 2 * i - (k + 3); big[q] = 1;")                                   \
  LOOP ("wide", "long q = i + k * 5; big[q] = 1;")                                               \
  LOOP ("threads", "int q = i + THREADS - MYTHREAD; big[q] = 1;")                                \
  LOOP ("negative", "int q = -(-i); big[q + 1] = 1;")                                            \
  LOOP ("assigned", "int q; q = i + 1; big[q] = 1;")                                             \
  LOOP ("of_two", "int p = i + 1, q = p + k; big[q] = 1;")                                       \
  LOOP ("of_outer", "int p = i + 1; { int q = p + k; big[q] = 1; }")                             \
  LOOP ("in_inner", "int p = i + 1; if (k) big[p] = 1;")                                         \
  LOOP ("of_loop", "int p = i * 20; for (int j = 0; j < k; j++) { int q = p + j; big[q] = 1; }") \
  LOOP ("chained", "int p = k + 1, q = p + i; big[q] = 1;")                                      \
  LOOP ("outer_alone", "int p = i; { int q = p; big[q] = 1; }")                                  \
  LOOP ("no_counter", "int q = k + 1; big[q] = 1;")

/* Of these that is not known. */
#define BAD                                                                 \
  LOOP ("stepped", "int q = i + 1; if (k) q++; big[q] = 1;")                \
  LOOP ("set_again", "int q = i + 1; if (k) q = 3; big[q] = 1;")            \
  LOOP ("set_twice", "int q; q = i + 1; if (k) q = 3; big[q] = 1;")         \
  LOOP ("set_below", "int q; if (k) q = i + 1; big[q] = 1;")                \
  LOOP ("set_behind", "int q; big[q] = 1; q = i + 1;")                      \
  LOOP ("pointed", "int q = i + 1; g (&q); big[q] = 1;")                    \
  LOOP ("changed", "int q = i + k; k++; big[q] = 1;")                       \
  LOOP ("by_global", "int q = i + hidden; f (); big[q] = 1;")               \
  LOOP ("by_volatile", "int q = i + v; big[q] = 1;")                        \
  LOOP ("is_volatile", "volatile int q = i + 1; big[q] = 1;")               \
  LOOP ("is_static", "static int q; q = i + 1; big[q] = 1;")                \
  LOOP ("narrow", "short q = i + 1; big[q] = 1;")                           \
  LOOP ("is_bool", "_Bool q = i + 1; big[q] = 1;")                          \
  LOOP ("of_narrow", "int q = i + z; big[q] = 1;")                          \
  LOOP ("cast_to_short", "int q = (short) i + 1; big[q] = 1;")              \
  LOOP ("cast_to_bool", "int q = (_Bool) i + 1; big[q] = 1;")               \
  LOOP ("cast_to_real", "int q = (int) (i + 1.5); big[q] = 1;")             \
  LOOP ("divided", "int q = i / 2; big[q] = 1;")                            \
  LOOP ("loaded", "int q = i + c[i]; big[q] = 1;")                          \
  LOOP ("called", "int q = i + pure (i); big[q] = 1;")                      \
  LOOP ("real", "int q = i + 1.5; big[q] = 1;")                             \
  LOOP ("labelled", "int q = i + 1; again: big[q] = 1; if (k) goto again;") \
  LOOP ("with_statement", "int q = i + 1; big[q] = ({ int y = 2; y; });")   \
  LOOP ("redeclared", "int q = i + k; { int k = 3; big[q] = k; }")          \
  LOOP ("long_sum", "int q = i + i + i + i + i + i + i + i + i + i + i + i + i; big[q] = 1;")

/* What else has the variable. */
#define OTHER                                        \
  LOOP ("private", "int q = i + 1; at[q] = big[i];") \
  LOOP ("named", "int q = i + 1; big[q] = q;")

const char source[] = PLANNED_DECLARATIONS
    "static int hidden; volatile int v; void g (int *);\n" GOOD BAD OTHER
    "void outside (int n) { int q; for (int i = 0; i < n; i++) { q = i + 1; big[q] = 1; } }\n"
    "void by_forall (int n) { upc_forall (int i = 0; i < n; i++; &big[i]) { int q = i + 1; big[q] = 1; } }\n"
    "void by_while (int n) { int i = 0; while (i < n) { int q = i + 1; big[q] = 1; i++; } }\n"
    "void parameter (int n, int q) { for (int i = 0; i < n; i++) { q = i + 1; big[q] = 1; } }\n"
    "void once (int n, int i) { { int q = i + 1; big[q] = 1; } }\n"
    "void by_do (int n, int i) { do { int q = i + 1; big[q] = 1; } while (i++ < n); }\n";

/* The expression that is the index of the first element of big in FUNCTION. */
static bool
is_big (struct expr *e, void *data)
{
  if (e->kind != EXPR_INDEX || !token_is (token_at (e->first), "big"))
    return false;
  *(struct expr **) data = e->b;
  return true;
}

static struct expr *
index_in (const char *function)
{
  struct decl *f = function_named (function);
  struct expr *index = NULL;

  assert_non_null (f);
  plan_function (f, false);
  any_in_stmt (f->body, is_big, &index);
  assert_non_null (index);
  return index;
}

static bool
is_q_or_p (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_NAME && e->decl && e->decl->name
         && (strcmp (e->decl->name->text, "q") == 0 || strcmp (e->decl->name->text, "p") == 0);
}

static bool
has_value (const char *function)
{
  return !any_in_expr (index_in (function), is_q_or_p, NULL);
}

static void
test_indexes_have_values (void **state)
{
  static const char *const functions[] = { "plain",       "cast",       "fixed",    "wide",
                                           "threads",     "negative",   "assigned", "of_two",
                                           "of_outer",    "in_inner",   "of_loop",  "chained",
                                           "outer_alone", "no_counter", "by_do",    "outside",
                                           "by_forall",   "by_while" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!has_value (functions[i]))
      fail_msg ("%s", functions[i]);
}

static void
test_what_may_change_stays (void **state)
{
  static const char *const functions[]
      = { "stepped",  "set_again", "set_twice",     "set_below",    "set_behind",     "pointed",
          "changed",  "by_global", "by_volatile",   "is_volatile",  "is_static",      "narrow",
          "is_bool",  "of_narrow", "cast_to_short", "cast_to_bool", "cast_to_real",   "divided",
          "loaded",   "called",    "real",          "labelled",     "with_statement", "redeclared",
          "long_sum", "parameter", "once" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (has_value (functions[i]))
      fail_msg ("%s", functions[i]);
}

/* A value of another type is converted as the variable was. */
static void
test_types (void **state)
{
  struct expr *same = index_in ("plain"), *wider = index_in ("wide");

  (void) state;
  assert_int_equal (same->kind, EXPR_PAREN);
  assert_int_equal (wider->kind, EXPR_CAST);
  assert_int_equal (wider->type->kind, TYPE_LONG);
}

static void
test_loops_are_planned_by_them (void **state)
{
  struct loop *loop = plan_for ("plain");

  (void) state;
  assert_true (loop->is_independent);
  assert_int_equal (access_by (loop, "big")->address, ADDRESS_REFERENCE);
}

static bool
is_declared (struct expr *e, void *data)
{
  if (is_q_or_p (e, NULL))
    *(struct decl **) data = e->decl;
  return false;
}

/* Whether the C compiler shall not warn that q of FUNCTION, which it names, is unused. */
static bool
may_be_unused (const char *function)
{
  struct decl *d = NULL;

  any_in_stmt (function_named (function)->body, is_declared, &d);
  assert_non_null (d);
  plan_function (function_named (function), false);
  return d->is_in_indexes && d->translate && d->declaration->translate;
}

static void
test_compilers_do_not_warn (void **state)
{
  (void) state;
  assert_true (may_be_unused ("assigned"));
  assert_true (may_be_unused ("outside"));
  assert_true (may_be_unused ("named"));
  assert_false (may_be_unused ("private"));
  assert_false (may_be_unused ("stepped"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_compilers_do_not_warn),     cmocka_unit_test (test_indexes_have_values),
    cmocka_unit_test (test_what_may_change_stays),     cmocka_unit_test (test_types),
    cmocka_unit_test (test_loops_are_planned_by_them),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
