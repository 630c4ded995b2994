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
    cmocka_unit_test (test_in_one_block_they_stay),
    cmocka_unit_test (test_in_small_blocks_their_addresses_are_computed),
    cmocka_unit_test (test_other_steps_are_as_written),
    cmocka_unit_test (test_the_order_is_the_programs),
    cmocka_unit_test (test_own_elements_are_next_to_each_other),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
