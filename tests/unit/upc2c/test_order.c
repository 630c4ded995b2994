/* The planner: in which order may iterations come, and in which do they? */

#include "tests/unit/upc2c/planned.h"

const char source[] = PLANNED_DECLARATIONS
    "void free_order (int n) { for (int i = 0; i < n; i++) c[i] = four[0]; }\n"
    "void fours (int n) { for (int i = n; i > 0; i--) four[i - 1] = c[2 * i] + a[0]; }\n"
    "void far_strides (int n) { for (int i = 0; i < n; i++) four[i] = c[5 * i]; }\n"
    "void fours_by_2 (int n) { for (int i = 0; i < n; i += 2) four[i] = 1; }\n"
    "void twelve (int n) { for (int i = 0; i < n; i += 5) four[i] = six[i]; }\n"
    "void long_strips (int n) { for (int i = 0; i < n; i++) z[i] = a[i] + 1; }\n"
    "void cut_strips (int n) { for (int i = 1; i < n; i++) z[i] = a[0] ? a[i - 1] + a[i] + a[i + 1] : 0; }\n"
    "void large (int n) { for (int i = 0; i < n; i++) four[i] = a[0] ? big[i] : 0; }\n"
    "void ordered (int n) { for (int i = 1; i < n; i++) four[i] = four[i - 1]; }\n"
    "void few (void) { for (int i = 0; i < 15; i++) four[i] = 1; }\n"
    "void by_pointers (int n, shared int *x, shared int *y, shared int *z)\n"
    "{ for (int i = 1; i < n; i++) { x[i] = y[i - 1] + y[i]; z[i] = x[i] + c[i]; } }\n"
    "void by_one_pointer (int n, shared int *x) { for (int i = 0; i < n; i++) x[i] = x[i + 1]; }\n"
    "void by_element (int n, shared int *x, shared int *y) { for (int i = 0; i < n; i++) x[i] = y[3]; }\n"
    "void by_element_twice (int n, shared int *x, shared int *y) { for (int i = 0; i < n; i++) x[i] = y[n] + 2 * y[n]; }\n"
    "void by_two_elements (int n, shared int *x, shared int *y) { for (int i = 0; i < n; i++) x[i] = y[3] + y[4]; }\n"
    "void by_own_element (int n, shared int *x) { for (int i = 0; i < n; i++) x[i] = x[3]; }\n"
    "void by_late_element (int n, int m, shared int *x, shared int *y) { for (int i = 0; i < n; i++) x[i] = y[n / m]; }\n"
    "void by_one_block (int n, shared int *x, shared [] int *y) { for (int i = 0; i < n; i++) x[i] = y[3]; }\n"
    "void of_static (int n, shared int *x) { for (int i = 0; i < n; i++) x[i] = a[3] + c[i]; }\n"
    "void by_rows (int n, int k) { for (int i = 0; i < n; i++) c[i] += c[i + k * n]; }\n"
    "void by_indefinite (int n, shared int *x, shared [] int *y) { for (int i = 0; i < n; i++) x[i] = y[i]; }\n"
    "void sum (int n) { int t = 0; for (int i = 0; i < n; i++) t += c[i]; }\n"
    "void sum_walk (int n, shared int *x) { long t = 0; for (; n--;) t -= *x++; }\n"
    "void sum_bits (int n) { unsigned t = 0; int u = 0; for (int i = 0; i < n; i++) { t ^= c[i] * i; u |= c[i + 1]; } }\n"
    "void sum_store (int n, shared int *x) { int t = 0; for (int i = 0; i < n; i++) { x[i] = c[i]; t += c[i]; } }\n"
    "void sum_product (int n) { int t = 1; for (int i = 0; i < n; i++) t *= c[i]; }\n"
    "void sum_double (int n) { double t = 0; for (int i = 0; i < n; i++) t += c[i]; }\n"
    "void sum_by_double (int n) { int t = 0; for (int i = 0; i < n; i++) t += c[i] * 0.5; }\n"
    "void sum_short (int n) { short t = 0; for (int i = 0; i < n; i++) t += c[i]; }\n"
    "void sum_volatile (int n) { volatile int t = 0; for (int i = 0; i < n; i++) t += c[i]; }\n"
    "void sum_static (int n) { for (int i = 0; i < n; i++) s += c[i]; }\n"
    "void sum_seen (int n) { int t = 0; own[0] = *&t; for (int i = 0; i < n; i++) t += c[i]; }\n"
    "void sum_used (int n) { int t = 0; for (int i = 0; i < n; i++) t += c[i] + t; }\n"
    "void sum_bound (int n) { int t = 0; for (int i = 0; i < n - t; i++) t += c[i]; }\n"
    "void sum_wanted (int n) { int t = 0; for (int i = 0; i < n; i++) c[i] = (t += c[i]); }\n"
    "void sum_mixed (int n) { int t = 0; for (int i = 0; i < n; i++) { t += c[i]; t ^= c[i + 1]; } }\n"
    "void near (int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; }\n"
    "void apart (void) { for (int i = 0; i < 16; i++) a[i] = a[i + 16]; }\n"
    "void even (int n) { for (int i = 0; i < n; i += 2) a[i] = a[i + 1]; }\n"
    "void odd (int n) { for (int i = 0; i < n; i += 2) a[i + 4] = a[i]; }\n"
    "void last (void) { for (int i = 0; i < 16; i++) a[i + 15] = a[i]; }\n"
    "void down16 (void) { for (int i = 31; i >= 16; i--) a[i - 15] = a[i]; }\n"
    "void down15 (void) { for (int i = 30; i >= 16; i--) a[i] = a[i - 15]; }\n"
    "void by2 (void) { for (int i = 0; i < 16; i += 2) a[i + 14] = a[i]; }\n"
    "void by2far (void) { for (int i = 0; i < 16; i += 2) a[i] = a[i + 16]; }\n"
    "void pairs (int n) { for (int i = 0; i < n; i++) a[2 * i] = a[2 * i + 1]; }\n"
    "void pairs2 (int n) { for (int i = 0; i < n; i++) a[2 * i + 4] = a[2 * i]; }\n"
    "void thirds (int n) { for (int i = 0; i < n; i += 3) a[i] = 1; }\n"
    "void thirds_down (int n) { for (int i = n; i > 0; i--) a[3 * (n - i)] = 1; }\n"
    "void halves (int n) { for (int i = 0; i < n; i += 2) a[i] = 1; }\n"
    "void far (int n) { for (int i = 0; i < n; i++) a[17 * i] = 1; }\n"
    "void reversed (int n) { for (int i = 0; i < n; i++) a[n - i] = own[i]; }\n"
    "void mixed (int n) { for (int i = 0; i < n; i++) a[i] = a[2 * i + 1]; }\n"
    "void same (int n, int k) { for (int i = 0; i < n; i++) a[i + k] += a[k + i]; }\n"
    "void next (int n, int k) { for (int i = 0; i < n; i++) a[i + k + 1] = a[i + k]; }\n"
    "void other (int n, int k, int l) { for (int i = 0; i < n; i++) a[i + k] = a[i + l]; }\n"
    "void fixed (int n) { for (int i = 0; i < n; i++) a[i] = a[3]; }\n"
    "void round (void) { for (unsigned u = 0; u < 16; u++) a[u + 16] = a[u]; }\n"
    "void twice (void) { for (int i = 0; i < 4; i++) a[2 * i + 6] = a[2 * i]; }\n"
    "void mirror (void) { for (int i = 0; i < 16; i++) a[20 - i] = a[40 - i]; }\n"
    "void later (int n) { for (int i = 0; i < n; i++) a[i] = a[i + 1]; }\n"
    "void later_down (int n) { for (int i = n; i > 0; i--) a[i] = a[i - 1]; }\n"
    "void later_by_2 (int n) { for (int i = 0; i < n; i += 2) a[i] += a[i + 4]; }\n"
    "void later_2 (int n, int k) { for (int i = 0; i < n; i++) a[2 * i + k] = a[2 * i + k + 4] + 1; }\n"
    "void later_first (int n) { for (int i = 0; i < n; i++) { z[i] = a[i + 1]; a[i] = 1; b[i] = z[i]; } }\n"
    "void later_then (int n) { for (int i = 0; i < n; i++) { a[i] = 1; z[i] = a[i + 1]; } }\n"
    "void later_if (int n) { for (int i = 0; i < n; i++) if (z[i]) a[i] = a[i + 1]; }\n"
    "void later_stores (int n) { for (int i = 0; i < n; i++) { a[i + 1] = 2; a[i] = 1; } }\n"
    "void later_other (int n, int k) { for (int i = 0; i < n; i++) a[i] = a[i + 1] + a[i + k]; }\n"
    "void later_wraps (unsigned n) { for (unsigned i = 0; i != n; i++) a[i] = a[i + 1]; }\n"
    "void later_own (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = a[i + 1]; }\n"
    "void later_steps (int n, int k) { for (int i = 0; i < n; i += k) a[i] = a[i + 1]; }\n"
    "void later_cyclic (int n) { for (int i = 0; i < n; i++) c[i] = c[i + 1]; }\n"
    "void later_pieces (int n) { for (int i = 0; i < n; i++) four[i] = four[i + 8]; }\n"
    "void later_walk (int n, shared int *p) { for (; n--; p++) *p = p[1]; }\n"
    "void copy_both (int n) { for (int i = 0; i < n; i++) a[i] = b[n - i]; }\n"
    "void copy_down (int n) { for (int i = n; i > 0; i--) a[i] = b[i - 1]; }\n"
    "void alias2 (int n, shared [16] int *p) { for (int i = 0; i < n; i++) a[i] = p[i]; }\n"
    "void large_strips (int n) { for (int i = 0; i < n; i++) big[i] = vast[i] + 1; }\n"
    "void pieces (int n, int k) { for (int i = 0; i < n; i++) four[i] = fours2[i + 8] + fours2[i + 4 * k]; }\n"
    "void pieces_on (int n) { for (int i = 0; i < n; i++) four[i + 1] = fours2[i + 1]; }\n"
    "void pieces_by_2 (int n) { for (int i = 0; i < n; i++) four[2 * i] = fours2[2 * i]; }\n"
    "void pieces_at (int n, int k) { for (int i = 0; i < n; i++) four[i] = fours2[i + k]; }\n"
    "void pieces_off (int n) { for (int i = 0; i < n; i++) four[i] = fours2[i + 2]; }\n"
    "void pieces_off_p (int n, shared [4] int *x) { for (int i = 0; i < n; i++) four[i] = x[i + 1]; }\n"
    "void pieces_p (int n, shared [4] int *x, shared [4] int *y) { for (int i = 0; i < n; i++) x[i] = y[i] + x[i]; }\n"
    "void pieces_of_p (int n, shared [4] int *x) { for (int i = 0; i < n; i++) x[i] *= 2; }\n"
    "void pieces_walk (int n, shared [4] int *x, shared [4] int *y) { for (; n--;) *x++ = *y++; }\n"
    "void pieces_walk_1 (int n, shared [4] int *x, shared int *y) { for (; n--;) *x++ = *y++ + 1; }\n"
    "void pieces_walk_1_far (int n, shared [4] int *x, shared int *y) { for (; n--;) *x++ = *y++ + 1; }\n"
    "void pieces_down (int n) { for (int i = n; i > 0; i--) four[n - i] = 1; }\n"
    "void pieces_back (int n) { for (int i = n; i > 0; i--) four[i] = 1; }\n"
    "void pieces_value (int n) { for (int i = 0; i < n; i++) four[i] = i; }\n"
    "void pieces_own (int n) { for (int i = 0; i < n; i++) four[i] = own[i]; }\n"
    "void pieces_own_16 (int n) { for (int i = 0; i < n; i++) z[i] = own[i]; }\n"
    "void pieces_value_16 (int n) { for (int i = 0; i < n; i++) z[i] = i; }\n"
    "void pieces_other (int n) { for (int i = 0; i < n; i++) four[i] = c[i]; }\n"
    "void pieces_few (void) { for (int i = 0; i < 15; i++) four[i] = fours2[i]; }\n"
    "void pieces_just (void) { for (int i = 0; i < 16; i++) four[i] = fours2[i]; }\n"
    "shared [16] int row[160 * THREADS][16], row2[160 * THREADS][16];\n"
    "void pieces_of_rows (int n, int k) { for (int i = 0; i < n; i++) for (int j = 0; j < k; j++) row[i][j] = row2[i][j]; }\n"
    "void pieces_order (int n) { for (int i = 0; i < n; i++) four[i] = four[i + 4]; }\n"
    "void alias (int n, shared [16] int *p) { for (int i = 0; i < n; i++) p[i] = a[i]; }\n"
    "void copy (int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }\n"
    "void own (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + 1; }\n"
    "void index (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + i; }\n"
    "void shift (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i + 1]; }\n"
    "void block (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i + 32]; }\n"
    "void both (int n, shared [16] int *x, shared [16] int *y)\n"
    "{ int i; upc_forall (i = 0; i < n; i++; &x[i]) x[i] = y[i]; }\n"
    "void cyclic (int n, shared int *x) { int i; upc_forall (i = 0; i < n; i++; i) c[i] = x[i]; }\n"
    "void shift_p (int n, shared [16] int *x, shared [16] int *y)\n"
    "{ int i; upc_forall (i = 0; i < n; i++; &x[i]) x[i] = y[i + 1]; }\n"
    "void shift_sum (int n) { int i, t = 0; upc_forall (i = 0; i < n; i++; &a[i]) t += b[i + 1]; }\n"
    "void shift_in_place (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = a[i + 1]; }\n"
    "void stencil (int n) { int i; upc_forall (i = 1; i < n; i++; &a[i]) a[i] = b[i - 1] + b[i] + b[i + 1]; }\n"
    "void stencil_far (int n) { int i; upc_forall (i = 1; i < n; i++; &a[i + 2]) a[i + 2] = b[i - 33] + b[i + 22]; }\n"
    "void stencil_4 (int n) { int i; upc_forall (i = 1; i < n; i++; &four[i]) four[i] = fours2[i - 1] + fours2[i + 1]; }\n"
    "void stencil_of_others (int n) { int i; upc_forall (i = 1; i < n; i++; &a[i]) a[i] = b[i - 1] + four[i]; }\n"
    "void stencil_by_2 (int n) { int i; upc_forall (i = 1; i < n; i++; &a[i]) a[i] = b[2 * i]; }\n"
    "void stencil_p (int n, shared [16] int *x) { int i; upc_forall (i = 1; i < n; i++; &a[i]) a[i] = x[i - 1] + b[i - 1]; }\n"
    "void stencil_k (int n, int k) { int i; upc_forall (i = 1; i < n; i++; &a[i]) a[i] = b[i + k]; }\n"
    "shared [48] int wide[4800 * THREADS], wide2[4800 * THREADS];\n"
    "void stencil_wide (int n) { int i; upc_forall (i = 1; i < n; i++; &wide[i]) wide[i] = wide2[i - 1] + wide2[i + 1]; }\n"
    "void stencil_cut (int n) { int i; upc_forall (i = 1; i < n; i++; &wide[i]) wide[i] = wide2[i - 16] + wide2[i + 16]; }\n"
    "void shift_big (int n) { int i; upc_forall (i = 0; i < n; i++; &big[i]) big[i] = vast[i + 1]; }\n";

static void
test_other_phases_have_constant_strides (void **state)
{
  struct loop *loop = plan_for ("shift");

  (void) state;
  assert_int_equal (loop->residues, 16);
  assert_true (loop->is_independent && loop->is_for_scalars);
  assert_false (loop->is_consecutive);
  assert_non_null (loop->in_order);
  assert_true (loop->in_order->is_consecutive);
  for (struct reference *r = loop->references; r; r = r->next)
    {
      assert_false (r->is_own);
      assert_true (r->is_by_rounds && r->stays);
      assert_int_equal (r->stride, 16);
    }
  assert_int_equal (plan_for ("shift_p")->residues, 16);
  assert_non_null (plan_for ("shift_p")->meetings);
  /* The order counts; the same phase; large blocks. */
  assert_int_equal (plan_for ("shift_sum")->residues, 0);
  assert_int_equal (plan_for ("shift_in_place")->residues, 0);
  assert_int_equal (plan_for ("block")->residues, 0);
  assert_int_equal (plan_for ("index")->residues, 0);
  assert_int_equal (plan_for ("shift_big")->residues, 0);
}

static bool
has_middle (const char *name, uint32_t first, uint32_t count)
{
  struct loop *loop = plan_for (name);

  return loop->middle_first == first && loop->middle_count == count;
}

static void
test_middles_of_blocks_are_done_at_once (void **state)
{
  (void) state;
  assert_true (has_middle ("shift", 0, 15) && has_middle ("shift_p", 0, 15));
  assert_true (has_middle ("stencil", 1, 14));
  /* They enter at phases 3 and 12 of the own element's block. */
  assert_true (has_middle ("stencil_far", 3, 9));
  assert_true (has_middle ("stencil_wide", 1, 46));
  /* By a pointer that is taken to lead to the beginning of a block. */
  assert_true (has_middle ("stencil_p", 1, 15));
  assert_false (access_by (plan_for ("stencil_p"), "x")->reference->is_in_phase);
  assert_true (access_by (plan_for ("stencil_p"), "b")->reference->is_in_phase);
  /* Too few; other blocks and strides; a phase that is not known. */
  assert_true (has_middle ("stencil_4", 0, 0) && plan_for ("stencil_4")->residues == 4);
  assert_int_equal (plan_for ("stencil_of_others")->middle_count, 0);
  assert_int_equal (plan_for ("stencil_by_2")->middle_count, 0);
  assert_int_equal (plan_for ("stencil_k")->middle_count, 0);
  /* Not most of a large block, which is better left in its order then. */
  assert_true (has_middle ("stencil_cut", 0, 0) && plan_for ("stencil_cut")->residues == 0);
}

/* Modulo how many times THREADS the iterations of a strip are congruent. */
static uint32_t
residues_of (const char *name)
{
  return plan_for (name)->residues;
}

static void
test_sums_of_integers_have_any_order (void **state)
{
  static const char *const not_free[] = { "sum_product", "sum_double",   "sum_by_double",
                                          "sum_short",   "sum_volatile", "sum_static",
                                          "sum_seen",    "sum_used",     "sum_bound",
                                          "sum_wanted",  "sum_mixed" };

  (void) state;
  assert_int_equal (residues_of ("sum"), 1);
  assert_false (plan_for ("sum")->is_for_vectors);
  assert_int_equal (residues_of ("sum_bits"), 1);
  assert_int_equal (residues_of ("sum_store"), 1);
  assert_int_equal (residues_of ("sum_walk"), 1);
  for (size_t i = 0; i < sizeof not_free / sizeof *not_free; i++)
    assert_int_equal (residues_of (not_free[i]), 0);
}

static void
test_free_order_goes_by_residues (void **state)
{
  (void) state;
  assert_int_equal (residues_of ("free_order"), 1);
  assert_true (plan_for ("free_order")->is_for_vectors);
  assert_int_equal (residues_of ("fours"), 4);
  assert_int_equal (access_by (plan_for ("fours"), "four")->reference->stride, -4);
  assert_int_equal (access_by (plan_for ("fours"), "c")->reference->stride, -8);
  assert_true (plan_for ("fours")->is_for_scalars);
  assert_false (plan_for ("free_order")->is_for_scalars);
  assert_int_equal (access_by (plan_for ("far_strides"), "c")->reference->stride, 20);
  assert_false (plan_for ("far_strides")->is_for_scalars);
  assert_int_equal (residues_of ("fours_by_2"), 2);
  assert_int_equal (residues_of ("twelve"), 12);
  assert_int_equal (residues_of ("long_strips"), 16);
  assert_int_equal (residues_of ("cut_strips"), 16);
  /* Strips of 5 are short, those of 8 are not. */
  assert_int_equal (residues_of ("thirds"), 16);
  assert_int_equal (residues_of ("thirds_down"), 16);
  assert_int_equal (residues_of ("halves"), 0);
  assert_int_equal (residues_of ("reversed"), 0);
  assert_int_equal (residues_of ("far"), 16);
  assert_int_equal (residues_of ("large"), 0);
  assert_int_equal (residues_of ("ordered"), 0);
  assert_int_equal (residues_of ("few"), 0);
}

static int
meetings_of (const char *name)
{
  int count = 0;

  for (struct meeting *m = plan_for (name)->meetings; m; m = m->next)
    count++;
  return count;
}

static void
test_pointers_may_meet (void **state)
{
  (void) state;
  assert_int_equal (residues_of ("by_pointers"), 1);
  /* x[i] and z[i] with y[i - 1], y[i] and c[i], and with each other. */
  assert_int_equal (meetings_of ("by_pointers"), 7);
  assert_int_equal (meetings_of ("free_order"), 0);
  assert_int_equal (residues_of ("by_one_pointer"), 0);
  assert_int_equal (residues_of ("by_element"), 1);
  assert_int_equal (meetings_of ("by_element"), 1);
  assert_true (plan_for ("by_element")->meetings->a->is_fixed);
  assert_null (plan_for ("by_element")->references->next);
  assert_int_equal (meetings_of ("by_element_twice"), 1);
  assert_int_equal (meetings_of ("by_two_elements"), 2);
  assert_int_equal (residues_of ("by_own_element"), 1);
  assert_int_equal (meetings_of ("by_own_element"), 1);
  assert_int_equal (residues_of ("by_late_element"), 0);
  assert_int_equal (residues_of ("by_one_block"), 0);
  assert_int_equal (meetings_of ("of_static"), 2);
  assert_int_equal (residues_of ("by_indefinite"), 0);
  /* Parts of one array, by so much apart as is not known before. */
  assert_int_equal (residues_of ("by_rows"), 1);
  assert_int_equal (meetings_of ("by_rows"), 1);
}

static bool
is_by_pieces (const char *name)
{
  return plan_for (name)->is_by_pieces;
}

static bool
is_in_phase (const char *name, const char *root)
{
  return access_by (plan_for (name), root)->reference->is_in_phase;
}

static void
test_elements_in_phase_go_by_pieces (void **state)
{
  (void) state;
  assert_true (is_by_pieces ("pieces"));
  assert_int_equal (residues_of ("pieces"), 4);
  assert_int_equal (access_by (plan_for ("pieces"), "four")->reference->stride, 1);
  assert_true (is_in_phase ("pieces", "fours2") && is_in_phase ("pieces", "four"));
  assert_true (is_by_pieces ("pieces_at")
               && is_in_phase ("pieces_at", "fours2") != is_in_phase ("pieces_at", "four"));
  assert_true (is_by_pieces ("pieces_on") && is_in_phase ("pieces_on", "fours2"));
  assert_false (is_by_pieces ("pieces_by_2"));
  assert_false (plan_for ("pieces_of_rows")->stmt->then->plan->is_by_pieces);
  assert_false (is_by_pieces ("pieces_off"));
  assert_false (is_by_pieces ("pieces_off_p"));
  assert_true (is_by_pieces ("pieces_p")
               && is_in_phase ("pieces_p", "x") != is_in_phase ("pieces_p", "y"));
  assert_int_equal (meetings_of ("pieces_p"), 1);
  assert_true (is_by_pieces ("pieces_of_p") && is_in_phase ("pieces_of_p", "x"));
  assert_true (is_by_pieces ("pieces_walk") && plan_for ("pieces_walk")->is_for_vectors);
  assert_non_null (plan_for ("pieces_walk")->copy_to);
  assert_false (is_by_pieces ("pieces_walk_1"));
  /* Without a cursor for y that is known by its blocks alone. */
  switches.network = true;
  assert_false (is_by_pieces ("pieces_walk_1_far"));
  switches.network = false;
  assert_true (is_by_pieces ("pieces_down"));
  assert_false (is_by_pieces ("pieces_back"));
  assert_false (is_by_pieces ("pieces_other"));
  assert_false (is_by_pieces ("pieces_order"));
  assert_false (is_by_pieces ("pieces_few"));
  assert_true (is_by_pieces ("pieces_just"));
  assert_false (is_by_pieces ("large_strips"));
  assert_true (is_by_pieces ("long_strips"));
  assert_true (plan_for ("pieces")->in_order->is_by_elements);
}

static void
test_pieces_have_the_induction_variable (void **state)
{
  (void) state;
  assert_false (plan_for ("pieces")->needs_induction);
  assert_false (plan_for ("long_strips")->is_by_blocks);
  assert_true (plan_for ("pieces_value")->needs_induction);
  assert_false (plan_for ("pieces_value")->is_by_blocks);
  assert_true (plan_for ("pieces_value_16")->is_by_blocks);
  assert_false (is_by_pieces ("pieces_own"));
  assert_true (plan_for ("pieces_own_16")->is_by_blocks);
}

/* Whether no iteration of the loop in FUNCTION accesses what another one stores to. */
static bool
is_free (const char *function)
{
  return plan_for (function)->is_independent && !plan_for (function)->keeps_order;
}

/* Whether the loop in FUNCTION has vectors, and its iterations load what later ones store to. */
static bool
keeps_order (const char *function)
{
  return plan_for (function)->is_independent && plan_for (function)->keeps_order;
}

static void
test_loads_before_stores_of_later_iterations (void **state)
{
  (void) state;
  assert_true (keeps_order ("later"));
  assert_non_null (plan_for ("later")->copy_to);
  assert_false (plan_for ("later")->copies_down);
  assert_true (keeps_order ("later_down"));
  assert_true (plan_for ("later_down")->copies_down);
  assert_true (keeps_order ("later_by_2"));
  assert_null (plan_for ("later_by_2")->copy_to);
  assert_true (keeps_order ("later_2"));
  assert_true (keeps_order ("later_first"));
  assert_true (keeps_order ("later_cyclic"));
  assert_true (plan_for ("later_cyclic")->is_windowed);
  assert_true (keeps_order ("later_pieces"));
  assert_false (plan_for ("later_pieces")->is_by_pieces);
  assert_null (plan_for ("copy_both")->copy_to);
  assert_true (plan_for ("copy_down")->copies_down);
}

static void
test_other_meetings_of_iterations (void **state)
{
  static const char *const functions[] = { "later_then",  "later_if",    "later_stores",
                                           "later_wraps", "later_steps", "later_walk" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (plan_for (functions[i])->is_independent)
      fail_msg ("%s", functions[i]);
  assert_false (plan_for ("later_own")->keeps_order);
  assert_false (keeps_order ("later_other") && !plan_for ("later_other")->meetings
                && !plan_for ("later_other")->strip_meetings);
}

static void
test_dependences (void **state)
{
  (void) state;
  assert_false (plan_for ("near")->is_independent);
  assert_true (is_free ("apart"));
  assert_true (is_free ("even"));
  assert_false (plan_for ("odd")->is_independent);
  assert_false (plan_for ("last")->is_independent);
  assert_false (plan_for ("down16")->is_independent);
  assert_true (is_free ("down15"));
  assert_false (plan_for ("by2")->is_independent);
  assert_true (is_free ("by2far"));
  assert_true (is_free ("pairs"));
  assert_false (plan_for ("pairs2")->is_independent);
  assert_int_equal (meetings_of ("mixed"), 1);
  assert_true (is_free ("same"));
  assert_false (plan_for ("next")->is_independent);
  assert_int_equal (meetings_of ("other"), 1);
  assert_int_equal (meetings_of ("fixed"), 1);
  assert_false (plan_for ("round")->is_independent);
  assert_int_equal (meetings_of ("alias"), 1);
  assert_int_equal (meetings_of ("alias2"), 1);
  assert_false (plan_for ("twice")->is_independent);
  assert_true (is_free ("mirror"));
  assert_non_null (plan_for ("copy")->copy_to);
}

static void
test_owned_blocks_are_one_piece (void **state)
{
  (void) state;
  assert_int_equal (plan_for ("own")->form, LOOP_STRIPS);
  assert_true (plan_for ("own")->may_be_flat);
  assert_true (access_by (plan_for ("own"), "a")->reference->is_own);
  assert_false (access_by (plan_for ("block"), "b")->reference->is_own);
  assert_false (plan_for ("index")->may_be_flat);
  assert_false (plan_for ("shift")->may_be_flat);
  assert_true (plan_for ("block")->may_be_flat);
  assert_true (access_by (plan_for ("block"), "b")->reference->is_in_phase);
}

static void
test_pointers_are_compared_at_run_time (void **state)
{
  struct loop *loop = plan_for ("both");

  (void) state;
  assert_true (loop->may_be_flat);
  assert_true (access_by (loop, "x")->reference->is_in_phase);
  assert_false (access_by (loop, "y")->reference->is_in_phase);
  assert_false (loop->is_independent);
  loop = plan_for ("cyclic");
  assert_int_equal (access_by (loop, "x")->reference->stride_kind, STRIDE_IN_BLOCK);
  assert_true (access_by (loop, "x")->reference->stays);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_other_phases_have_constant_strides),
    cmocka_unit_test (test_middles_of_blocks_are_done_at_once),
    cmocka_unit_test (test_free_order_goes_by_residues),
    cmocka_unit_test (test_sums_of_integers_have_any_order),
    cmocka_unit_test (test_pointers_may_meet),
    cmocka_unit_test (test_elements_in_phase_go_by_pieces),
    cmocka_unit_test (test_pieces_have_the_induction_variable),
    cmocka_unit_test (test_dependences),
    cmocka_unit_test (test_loads_before_stores_of_later_iterations),
    cmocka_unit_test (test_other_meetings_of_iterations),
    cmocka_unit_test (test_owned_blocks_are_one_piece),
    cmocka_unit_test (test_pointers_are_compared_at_run_time),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
