/* Elements that move by steps whose length is found when the program runs (plan/reference.c). */

#include "tests/unit/upc2c/planned.h"

const char source[]
    = "shared [100] int a[100 * THREADS]; shared [16] int b[100 * THREADS]; shared [] int d[100];\n"
      "shared [64] int e[64 * THREADS], m[10 * THREADS][64]; shared int c[100 * THREADS];\n"
      "shared [100] int *p;\n"
      "void by_variable (int n, int s) { for (int i = 0; i < n; i += s) a[i] = 1; }\n"
      "void down (int n, int s) { for (int i = n; i > 0; i -= s) a[i + 1] = 1; }\n"
      "void by_negative (int n, int s) { for (int i = n; i > 0; i += -s) a[i] = 1; }\n"
      "void pointed (int n, int s) { for (long i = 0; i < n; i += s) p[i] = 1; }\n"
      "void indefinite (int n, int s) { for (int i = 0; i < n; i += s) d[i] = 1; }\n"
      "void each (int n) { int i; upc_forall (i = 0; i < n; i++; i) a[i] = 1; }\n"
      "void each_down (int n) { int i; upc_forall (i = n; i > 0; i--; i) a[i] = 1; }\n"
      "void each_other (int n) { int i; upc_forall (i = 0; i < n; i++; &c[i]) a[3 * i] = c[i]; }\n"
      "void farther (int n, int s) { for (int i = 0; i < n; i += s) { d[i] = 1; a[i] = e[2 - i]; } }\n"
      "void farther_too (int n, int s) { for (int i = 0; i < n; i += s) { d[i] = 1; e[i] = a[2 - i]; } }\n"
      "void with_break (int n, int s) { for (int i = 0; i < n; i += s) { if (d[i]) break; a[i] = 1; } }\n"
      "void with_loop (int n, int s) { for (int i = 0; i < n; i += s) { while (n > 5) n--; a[i] = 1; } }\n"
      "void with_block (int n, int s) { for (int i = 0; i < n; i += s) a[i] = ({ s; }); }\n"
      "int counted (int n, int s) { int i = 0; for (; n--; i += s) a[i] = 1; return i; }\n"
      "void by_threads (int n) { for (int i = 0; i < n; i += THREADS) a[i] = 1; }\n"
      "int seeks (int i, int s) { for (; i > 0 && a[i] != 7; i -= s) ; return i; }\n"
      "int until (int i, int s) { for (; i > 0 && i != s * s; i -= s) a[i] = 1; return i; }\n"
      "void least (int n, int s) { for (int i = 0; i < n; i += s) e[i] = 1; }\n"
      "void small (int n, int s) { for (int i = 0; i < n; i += s) b[i] = 1; }\n"
      "void far (int n, int s) { for (int i = 0; i < n; i += s) a[2 * i] = 1; }\n"
      "void changes (int n, int s) { for (int i = 0; i < n; i += s) a[i] = s++; }\n"
      "void is_unsigned (int n, unsigned s) { for (int i = 0; i < n; i += s) a[i] = 1; }\n"
      "void counter (unsigned n, int s) { for (unsigned i = 0; i < n; i += s) a[i] = 1; }\n"
      "void wide (int n, long s) { for (int i = 0; i < n; i += s) a[i] = 1; }\n"
      "void narrow (int n, int s) { for (short i = 0; i < n; i += s) a[i] = 1; }\n"
      "void same (int n, int s) { for (int i = 0; i < n; i += s) a[i + s] = a[i] + 1; }\n"
      "void wraps (int n, int s, unsigned u) { for (int i = 0; i < n; i += s) a[i + u] = 1; }\n"
      "void reads (int n) { int i; upc_forall (i = 0; i < n; i++; &c[i]) c[i] = a[i]; }\n"
      "void cyclic (int n) { int i; upc_forall (i = 0; i < n; i++; i) c[i] = 1; }\n";

/* How ROOT moves in FUNCTION's loop. */
static struct reference *
moved (const char *function, const char *root)
{
  struct access_plan *p = access_by (plan_for (function), root);

  return p->address == ADDRESS_REFERENCE ? p->reference : NULL;
}

static void
test_in_large_blocks_they_stay_in_one_for_a_strip (void **state)
{
  static const char *const functions[] = { "by_variable", "by_negative", "each", "each_other" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    assert_int_equal (moved (functions[i], "a")->stride_kind, STRIDE_BY_STEP);
  assert_int_equal (moved ("by_variable", "a")->stride, 1);
  assert_int_equal (moved ("down", "a")->stride, -1);
  assert_int_equal (moved ("each_other", "a")->stride, 3);
  assert_false (moved ("each", "a")->stays);
  assert_int_equal (moved ("pointed", "p")->stride_kind, STRIDE_BY_STEP);
  assert_int_equal (moved ("least", "e")->stride_kind, STRIDE_BY_STEP);
}

/* Strips of a longer step have less than four iterations: there is a plan for these, too. */
static void
test_long_steps_have_another_plan (void **state)
{
  static const char *const others[] = { "indefinite", "with_loop", "with_block", "counted",
                                        "by_threads" };
  struct loop *loop = plan_for ("by_variable");

  (void) state;
  assert_int_equal (loop->longest_step, 25);
  assert_int_equal (loop->in_order->form, LOOP_AS_WRITTEN);
  assert_null (loop->in_order->references);
  assert_int_equal (plan_for ("down")->longest_step, 25);
  assert_int_equal (plan_for ("least")->longest_step, 16);
  assert_int_equal (plan_for ("farther")->longest_step, 16);
  assert_int_equal (plan_for ("farther_too")->longest_step, 16);
  assert_int_equal (plan_for ("with_break")->longest_step, 25);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal (plan_for (others[i])->longest_step, 0);
}

static void
test_what_is_looked_for_is_near (void **state)
{
  (void) state;
  assert_int_equal (plan_for ("seeks")->form, LOOP_AS_WRITTEN);
  assert_int_equal (plan_for ("until")->form, LOOP_STRIPS);
}

static void
test_in_one_block_they_stay (void **state)
{
  struct reference *r = moved ("indefinite", "d");

  (void) state;
  assert_int_equal (r->stride_kind, STRIDE_BY_STEP);
  assert_true (r->stays);
}

static void
test_in_small_blocks_their_addresses_are_computed (void **state)
{
  (void) state;
  assert_null (moved ("small", "b"));
  assert_null (moved ("far", "a"));
}

static void
test_other_steps_are_as_written (void **state)
{
  static const char *const functions[] = { "changes", "is_unsigned", "counter", "wide",
                                           "narrow",  "each_down",   "wraps" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    assert_null (moved (functions[i], "a"));
}

/* Nobody knows how many iterations lie between an element and the same one by another index. */
static void
test_the_order_is_the_programs (void **state)
{
  (void) state;
  assert_false (plan_for ("same")->is_independent);
  assert_false (plan_for ("by_variable")->is_independent);
  assert_false (plan_for ("reads")->is_independent);
}

static void
test_own_elements_are_next_to_each_other (void **state)
{
  (void) state;
  assert_int_equal (moved ("cyclic", "c")->stride_kind, STRIDE_IN_BLOCK);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_in_large_blocks_they_stay_in_one_for_a_strip),
    cmocka_unit_test (test_long_steps_have_another_plan),
    cmocka_unit_test (test_what_is_looked_for_is_near),
    cmocka_unit_test (test_in_one_block_they_stay),
    cmocka_unit_test (test_in_small_blocks_their_addresses_are_computed),
    cmocka_unit_test (test_other_steps_are_as_written),
    cmocka_unit_test (test_the_order_is_the_programs),
    cmocka_unit_test (test_own_elements_are_next_to_each_other),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
