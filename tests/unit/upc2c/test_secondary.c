/* Variables that move beside the induction variable (plan/secondary.c), and counters in bodies (plan/steps.c). */

#include "tests/unit/upc2c/planned.h"

#define LOOP(name, head, body)                                                                    \
  "int " name " (int n) { int i, j = 0, k = 0, s = 0; long l = 0; unsigned u = 0; size_t z = 0; " \
  "short h = 0; " head " " body " return s + i + j + k + (int) (l + u + z + h); }\n"
#define UP "for (i = 0; i < n; i++)"

/* clang-format off */
const char source[] = PLANNED_DECLARATIONS
  "typedef unsigned long size_t; int *seen (int *); void use (int);\n"
  /* In the header. */
  LOOP ("beside", "for (i = 0; i < n; i++, k++)", "big[k] = 1;")
  LOOP ("beside_first", "for (i = 0; i < n; k++, i++)", "big[k] = 1;")
  LOOP ("against", "for (i = n - 1, k = 0; i >= 0; i--, k++)", "big[k] = vast[i];")
  LOOP ("before", "for (i = 0; i < n; k -= 3, i++)", "s += big[k];")
  LOOP ("by_steps", "for (i = 0; i < n; i += 2, k += 6)", "s += big[k + 1] * vast[i];")
  LOOP ("of_long", "for (i = 0; i < n; i++, l++)", "big[l] = 1;")
  LOOP ("of_size", "for (i = 0; i < n; i++, z--)", "s += big[z];")
  LOOP ("by_fraction", "for (i = 0; i < n; i += 2, k++)", "big[k] = vast[i];")
  LOOP ("by_fraction_against", "for (i = n; i > 0; i -= 2, k++)", "big[k] = vast[i];")
  LOOP ("by_fraction_down", "for (i = n; i > 0; i -= 3, k--)", "big[k] = vast[i];")
  LOOP ("by_small_fraction", "for (i = 0; i < 6; j += 2, i += 4, k++)", "big[k] = vast[j];")
  LOOP ("by_fraction_from", "for (k = 9; i < 10; i += 4, k++)", "big[k] = 1;")
  LOOP ("by_no_fraction", "for (i = 0; i < n; k += 3, i += 2)", "big[k] = 1;")
  LOOP ("beside_long_steps", "for (size_t i = 0; i < n; i += 1ul << 31, k++)", "big[k] = 1;")
  LOOP ("by_fraction_of_unsigned", "for (u = 0; u < n; u += 2, k++)", "big[k] = 1;")
  LOOP ("unsigned_fraction", "for (i = 0; i < n; i += 2, u++)", "big[u] = 1;")
  LOOP ("in_two_parts", "for (i = 0; i < n; k++, i++, k++)", "big[k] = 1;")
  LOOP ("back_and_forth", "for (i = 0; i < n; k++, i++, k--)", "big[k] = 1;")
  LOOP ("of_unsigned", "for (i = 0; i < n; i++, u++)", "big[u] = 1;")
  LOOP ("of_short", "for (i = 0; i < n; i++, h++)", "big[h] = 1;")
  LOOP ("beside_unsigned", "for (u = 0; u < n; u++, k++)", "big[k] = 1;")
  LOOP ("by_variable", "for (i = 0; i < n; i++, k += j)", "big[k] = 1;")
  LOOP ("by_product", "for (i = 0; i < n; i++, k *= 2)", "big[k] = 1;")
  LOOP ("twice", "for (i = 0; i < n; i++, k++)", "{ big[k] = 1; if (i & 1) k++; }")
  LOOP ("is_static", "for (i = 0; i < n; i++, own[0]++)", "big[own[0]] = 1;")
  LOOP ("is_seen", "int *p = seen (&k); for (i = 0; i < n; i++, k++)", "{ big[k] = 1; *p = 0; }")
  LOOP ("by_sum", "for (i = 0, k = 4; i < n; i++, k = k + 2)", "big[k] = 1;")
  /* In the body. */
  LOOP ("set_in_header", "for (i = 0, k = 0; i < n; i++)", "big[k++] = 1;")
  LOOP ("behind_pragma", "\n#pragma omp simd linear(k)\nfor (i = 0; i < n; i++)", "{ big[k] = 1; k++; }")
  LOOP ("in_statement", UP, "{ big[k++] = 1; s += ({ if (s > 9) break; 1; }); }")
  LOOP ("in_index", UP, "big[k++] = 1;")
  LOOP ("in_index_of_load", UP, "s += big[k--] * i;")
  LOOP ("in_declaration", UP, "{ int x = big[k++]; s += x; }")
  LOOP ("at_end", UP, "{ big[k] = 1; k += 2; }")
  LOOP ("in_middle", UP, "{ big[k] = 1; k++; s += i; }")
  LOOP ("both", "i = 0; while (i < n)", "big[k++] = vast[i++];")
  LOOP ("behind_jump", UP, "{ if (big[i] == 7) break; vast[k++] = 1; }")
  LOOP ("as_prefix", UP, "big[++k] = 1;")
  LOOP ("read_later", UP, "{ big[k++] = 1; s += k; }")
  LOOP ("read_in_step", "int t = 0; for (i = 0; i < n; i++, t += k)", "big[k++] = t;")
  LOOP ("read_in_last", "int t = 0; i = 0; while (i < n)", "{ vast[i++] = big[k] + t; k += 2; t += k; }")
  LOOP ("read_beside", UP, "big[k++] = k;")
  LOOP ("in_if", UP, "if (i & 1) big[k++] = 1;")
  LOOP ("in_choice", UP, "s += i & 1 ? big[k++] : 0;")
  LOOP ("in_and", UP, "s += i & 1 && big[k++];")
  LOOP ("before_jump", UP, "{ big[k++] = 1; if (vast[i] == 7) break; }")
  LOOP ("goes_on", UP, "{ if (vast[i] == 7) continue; big[k++] = 1; }")
  LOOP ("twice_in_body", UP, "{ big[k++] = 1; vast[k++] = 1; }")
  LOOP ("down_in_body", UP, "{ k -= 2; big[k + 1] = 1; vast[k--] = 1; }")
  LOOP ("thrice", UP, "{ big[k++] = 1; k++; vast[k] = 1; k++; }")
  LOOP ("index_later", UP, "{ big[k++] = 1; if (i & 1) s += vast[(k) + 4]; }")
  LOOP ("private_later", UP, "{ big[k++] = 1; s += at[k]; }")
  LOOP ("called_later", UP, "{ big[k++] = 1; s += vast[pure (k)]; }")
  LOOP ("if_before", UP, "{ if (i & 1) vast[k++] = 1; big[k++] = 1; }")
  LOOP ("if_later", UP, "{ big[k++] = 1; if (i & 1) vast[k++] = 1; }")
  LOOP ("jump_between", UP, "{ big[k++] = 1; if (s > 9) break; vast[k++] = 1; }")
  LOOP ("product_later", UP, "{ big[k++] = 1; k *= 2; }")
  LOOP ("of_header", "for (i = 0; i < n; i++, k++)", "big[k++] = 1;")
  LOOP ("of_private", UP, "{ at[k] = big[i]; k++; }")
  LOOP ("of_body", UP, "{ int x = 0; big[x++] = 1; }")
  LOOP ("of_narrow", UP, "big[h++] = 1;")
  LOOP ("seen_in_body", "int *p = seen (&k); " UP, "{ big[k++] = *p; }")
  LOOP ("no_count", "i = 0; while (big[i] != n)", "{ vast[k++] = 1; i = vast[i]; }");
/* clang-format on */

static void
assert_secondary (const char *function, int64_t factor)
{
  const struct secondary *s = plan_for (function)->secondaries;

  assert_non_null (s);
  assert_null (s->next);
  assert_int_equal (s->factor, factor);
}

static void
test_what_moves_beside_is_a_sum (void **state)
{
  (void) state;
  assert_secondary ("beside", 1);
  assert_secondary ("against", -1);
  assert_secondary ("before", -3);
  assert_secondary ("by_steps", 3);
  assert_secondary ("of_long", 1);
  assert_secondary ("of_size", -1);
  assert_secondary ("by_sum", 2);
  assert_secondary ("in_two_parts", 2);
}

static void
test_its_elements_have_strides (void **state)
{
  struct loop *loop = plan_for ("by_steps");

  (void) state;
  assert_int_equal (loop->form, LOOP_STRIPS);
  assert_int_equal (access_by (loop, "big")->address, ADDRESS_REFERENCE);
  assert_int_equal (loop->references->stride * loop->references->next->stride, 2 * 6);
  assert_true (plan_for ("against")->is_independent);
}

static void
assert_compared (const char *function, const char *induction, int64_t factor, bool is_down)
{
  struct loop *loop = plan_for (function);

  assert_string_equal (loop->induction->name->text, induction);
  assert_non_null (loop->bound);
  assert_string_equal (loop->compared->decl->name->text, "i");
  assert_int_equal (loop->compared->factor, factor);
  assert_int_equal (loop->step_value, 1);
  assert_int_equal (loop->is_down, is_down);
}

static void
test_the_variable_that_moves_least_counts (void **state)
{
  struct loop *loop = plan_for ("by_small_fraction");

  (void) state;
  assert_int_equal (loop->form, LOOP_STRIPS);
  assert_int_equal (plan_for ("by_fraction_from")->form, LOOP_STRIPS);
  assert_true (plan_for ("by_fraction")->is_independent);
  assert_compared ("by_fraction", "k", 2, false);
  assert_compared ("by_fraction_against", "k", -2, false);
  assert_compared ("by_fraction_down", "k", 3, true);
  assert_compared ("by_small_fraction", "k", 4, false);
  assert_null (plan_for ("by_steps")->compared);
  assert_null (plan_for ("beside_first")->compared);
  assert_string_equal (plan_for ("by_no_fraction")->induction->name->text, "i");
  assert_string_equal (plan_for ("beside_long_steps")->induction->name->text, "i");
}

static void
assert_none (const char *const *functions)
{
  for (; *functions; functions++)
    if (plan_for (*functions)->secondaries)
      fail_msg ("%s", *functions);
}

static void
test_what_may_be_another_sum_is_none (void **state)
{
  static const char *const functions[] = { "by_no_fraction",
                                           "of_unsigned",
                                           "of_short",
                                           "beside_unsigned",
                                           "by_variable",
                                           "by_product",
                                           "twice",
                                           "is_static",
                                           "is_seen",
                                           "by_fraction_of_unsigned",
                                           "unsigned_fraction",
                                           "back_and_forth",
                                           "beside_long_steps",
                                           NULL };

  (void) state;
  assert_none (functions);
}

static void
test_counters_in_bodies_move_in_the_step (void **state)
{
  (void) state;
  assert_secondary ("in_index", 1);
  assert_secondary ("set_in_header", 1);
  assert_secondary ("in_index_of_load", -1);
  assert_secondary ("in_declaration", 1);
  assert_secondary ("at_end", 2);
  assert_secondary ("in_middle", 1);
  assert_secondary ("both", 1);
  assert_secondary ("behind_jump", 1);
}

static bool
is_moved_by (struct expr *e, void *nothing)
{
  (void) nothing;
  return (e->kind == EXPR_STEP || e->kind == EXPR_COMPOUND)
         && strcmp (strip_parens (e->a)->decl->name->text, "k") == 0;
}

/* The step comes behind the body, where the counter has moved already. */
static void
test_counters_that_the_step_reads_stay (void **state)
{
  (void) state;
  assert_true (any_in_stmt (plan_for ("read_in_step")->stmt->then, is_moved_by, NULL));
  assert_true (any_in_stmt (plan_for ("read_in_last")->stmt->then, is_moved_by, NULL));
}

static void
assert_apart (const char *function, int64_t big, int64_t vast)
{
  struct loop *loop = plan_for (function);

  assert_int_equal (loop->reference_count, 2);
  assert_int_equal (access_by (loop, "big")->reference->at.constant, big);
  assert_int_equal (access_by (loop, "vast")->reference->at.constant, vast);
}

static void
test_what_comes_behind_a_step_is_a_sum (void **state)
{
  (void) state;
  assert_secondary ("twice_in_body", 2);
  assert_secondary ("down_in_body", -3);
  assert_secondary ("index_later", 1);
  assert_apart ("twice_in_body", 0, 1);
  assert_apart ("thrice", 0, 2);
  assert_apart ("down_in_body", -1, -2);
  assert_apart ("index_later", 0, 5);
}

static void
test_other_counters_stay (void **state)
{
  static const char *const functions[] = { "as_prefix",     "read_later",    "read_beside",
                                           "in_if",         "in_choice",     "in_and",
                                           "before_jump",   "goes_on",       "of_private",
                                           "private_later", "of_body",       "of_narrow",
                                           "seen_in_body",  "behind_pragma", "in_statement",
                                           "called_later",  "if_before",     "if_later",
                                           "jump_between",  "product_later", NULL };

  (void) state;
  assert_none (functions);
  for (int i = 0; functions[i]; i++)
    assert_true (plan_for (functions[i])->stmt->step->kind == EXPR_STEP);
  assert_null (plan_for ("of_header")->secondaries);
}

static void
test_a_while_that_counts_nothing_stays (void **state)
{
  (void) state;
  assert_false (while_in ("no_count")->is_while);
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (test_what_moves_beside_is_a_sum),
                                      cmocka_unit_test (test_its_elements_have_strides),
                                      cmocka_unit_test (test_what_may_be_another_sum_is_none),
                                      cmocka_unit_test (test_counters_in_bodies_move_in_the_step),
                                      cmocka_unit_test (test_counters_that_the_step_reads_stay),
                                      cmocka_unit_test (test_the_variable_that_moves_least_counts),
                                      cmocka_unit_test (test_what_comes_behind_a_step_is_a_sum),
                                      cmocka_unit_test (test_other_counters_stay),
                                      cmocka_unit_test (test_a_while_that_counts_nothing_stays) };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
