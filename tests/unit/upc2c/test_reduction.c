/* Sums and extremes, which loops over small blocks find in any order (plan/reduction.c). */

#include "tests/unit/upc2c/planned.h"

#define EACH "for (i = 0; i < n; i++) "
#define KERNEL(name, body) \
  "int " name " (int n) { int i, m = 0, t = 0; long w = 0; " body " return m + t + (int) w; }\n"

const char source[] = PLANNED_DECLARATIONS
    "int abs (int); int absl (int);\n"
    "shared [4] long long_four[400 * THREADS]; shared [4] unsigned u_four[400 * THREADS];\n"
    "shared [4] double d_four[400 * THREADS]; shared [4] char c_four[400 * THREADS];\n" KERNEL (
        "sum", EACH "m += four[i];") KERNEL ("sum_cyclic", EACH "m += c[i];")
        KERNEL ("count", EACH "if (four[i] == 7) m++;") KERNEL (
            "largest", EACH "if (four[i] > m) m = four[i];") KERNEL ("largest_cyclic",
                                                                     EACH "if (c[i] > m) m = c[i];")
            KERNEL ("least_block",
                    EACH "{ if (m >= four[i] + fours2[i]) { m = (four[i] + fours2[i]); } }")
                KERNEL ("chosen", EACH "m = four[i] > m ? four[i] : m;") KERNEL (
                    "chosen_other", EACH
                    "m = (m) <= (four[i]) ? (m) : (four[i]);") KERNEL ("narrow", EACH
                                                                       "if (c_four[i] < m) m = c_four[i];")
                    KERNEL ("by_local", EACH "{ int v = abs (four[i]); if (v > m) m = v; }") KERNEL (
                        "several", EACH
                        "{ if (four[i] > m) m = four[i]; if (four[i] < t) t = four[i]; w += four[i]; }")
                        KERNEL (
                            "indexes", EACH
                            "{ if (fours2[i] * fours2[i] + four[i] > m) m = fours2[i] * fours2[i] + four[i]; }")
    /* These are not. */
    KERNEL ("otherwise", EACH "if (four[i] > m) m = four[i]; else t++;") KERNEL (
        "other_value",
        EACH "if (four[i] > m) m = fours2[i];") KERNEL ("other_index",
                                                        EACH "if (four[i] > m) m = four[i + 4];")
        KERNEL ("other_operator", EACH "if (four[i] - fours2[i] > m) m = four[i] + fours2[i];") KERNEL (
            "other_operand", EACH "if (four[i] - fours2[i] > m) m = four[i] - four[i];")
            KERNEL ("chosen_changed", EACH "m = four[i] > m ? four[i] : m + 1;") KERNEL (
                "chosen_by_more", EACH "m = four[i] > m + 1 ? four[i] : m;")
                KERNEL ("by_a_function", EACH "{ int v = absl (four[i]); if (v > m) m = v; }") KERNEL (
                    "other_sign", EACH
                    "if (-four[i] > m) m = ~four[i];") KERNEL ("equal", EACH
                                                               "if (four[i] != m) m = four[i];")
                    KERNEL ("used", EACH "{ if (four[i] > m) m = four[i]; t += m; }") KERNEL (
                        "in_turns",
                        EACH "{ if (four[i] > m) m = four[i]; if (fours2[i] < m) m = fours2[i]; }")
                        KERNEL ("wider", EACH "if (long_four[i] > m) m = long_four[i];") KERNEL (
                            "of_unsigned", EACH "if (u_four[i] > m) m = u_four[i];")
                            KERNEL ("of_floating", EACH "if (d_four[i] > m) m = d_four[i];") KERNEL (
                                "chosen_from_three", EACH "m = four[i] > m ? four[i] : t;")
                                KERNEL ("chosen_by_others",
                                        EACH "m = four[i] > fours2[i] ? four[i] : m;")
                                    KERNEL ("chosen_used",
                                            EACH "{ m = four[i] > m ? four[i] : m; t += m; }")
                                        KERNEL ("chosen_omitted", EACH "m = four[i] > m ?: m;") KERNEL (
                                            "of_static", EACH "if (four[i] > s) s = four[i];")
                                            KERNEL ("of_address",
                                                    "int *p = &m; " EACH
                                                    "if (four[i] > m) m = four[i]; t = *p;")
                                                KERNEL ("calls", EACH "m += pure (four[i]);") KERNEL (
                                                    "own",
                                                    "upc_forall (i = 0; i < n; i++; &four[i]) if (four[i] > m) m = four[i];");

static void
assert_reordered (const char *function, uint32_t residues, bool is_by_pieces)
{
  struct loop *loop = plan_for (function);

  if (loop->residues != residues || loop->is_by_pieces != is_by_pieces)
    fail_msg ("%s: residues %u, pieces %d", function, loop->residues, loop->is_by_pieces);
}

static void
test_blocks_of_a_few_elements_are_done_in_pieces (void **state)
{
  static const char *const functions[] = { "sum",      "count",        "largest", "least_block",
                                           "chosen",   "chosen_other", "narrow",  "several",
                                           "by_local", "indexes" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    assert_reordered (functions[i], 4, true);
}

static void
test_blocks_of_one_are_done_by_residues (void **state)
{
  (void) state;
  assert_reordered ("sum_cyclic", 1, false);
  assert_reordered ("largest_cyclic", 1, false);
}

static void
test_what_has_an_order_keeps_it (void **state)
{
  static const char *const functions[] = { "otherwise",
                                           "other_value",
                                           "other_index",
                                           "other_operator",
                                           "other_operand",
                                           "chosen_changed",
                                           "chosen_by_more",
                                           "by_a_function",
                                           "other_sign",
                                           "equal",
                                           "used",
                                           "in_turns",
                                           "wider",
                                           "of_unsigned",
                                           "of_floating",
                                           "chosen_from_three",
                                           "chosen_used",
                                           "chosen_omitted",
                                           "of_static",
                                           "of_address",
                                           "calls",
                                           "own",
                                           "chosen_by_others" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    assert_reordered (functions[i], 0, false);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_blocks_of_a_few_elements_are_done_in_pieces),
    cmocka_unit_test (test_blocks_of_one_are_done_by_residues),
    cmocka_unit_test (test_what_has_an_order_keeps_it),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
