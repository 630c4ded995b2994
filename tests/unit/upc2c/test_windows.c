/* The planner: loops through private copies of what they access in small blocks. */

#include "tests/unit/upc2c/planned.h"

const char source[] = PLANNED_DECLARATIONS
    "shared [2] int two[400 * THREADS], twos2[400 * THREADS];\n"
    "shared [4] int fours3[400 * THREADS]; shared [4] struct { int x, y; } pair[400 * THREADS];\n"
    "shared [16] int row[160 * THREADS][16], row2[160 * THREADS][16];\n"
    "shared [8] int eights[400 * THREADS], eights2[400 * THREADS];\n"
    "shared [4] long double ld[400 * THREADS], ld2[400 * THREADS];\n"
    "void neighbours (int n) { for (int i = 1; i < n; i++) four[i] = fours2[i - 1] + fours2[i + 1]; }\n"
    "void upwards (int n) { for (int i = 1; i < n; i++) four[i] = fours2[i + 1] + fours2[i - 1]; }\n"
    "void two_arrays (int n) { for (int i = 1; i < n; i++) four[i] = fours2[i + 1] + fours3[i + 1]; }\n"
    "void grid (int n, int k)\n"
    "{ for (int i = 1; i < n; i++) four[48 * k + i] = fours2[48 * k - 48 + i] + fours2[48 * k + 48 + i]\n"
    "    + fours2[48 * k + i - 1] + fours2[48 * k + i + 1]; }\n"
    "void span_12 (int n) { for (int i = 20; i < n; i++) four[i] = fours2[i + 1] + fours2[i - 11]; }\n"
    "void span_13 (int n) { for (int i = 20; i < n; i++) four[i] = fours2[i + 1] + fours2[i - 12]; }\n"
    "void sides (int n) { for (int i = 20; i < n; i++) four[i] = fours2[i] + fours2[i - 7] + fours2[i + 6]; }\n"
    "void update (int n) { for (int i = 0; i < n; i++) four[i] += fours2[i + 1]; }\n"
    "void step (int n) { for (int i = 0; i < n; i++) { four[i]++; six[i] = 0; } }\n"
    "void two_stores (int n) { for (int i = 0; i < n; i++) { four[i] = fours2[i + 1]; fours2[i] = 1; } }\n"
    "void store_first (int n) { for (int i = 0; i < n; i++) { fours2[i] = 1; four[i] = fours2[i + 1]; } }\n"
    "void in_place (int n) { for (int i = 0; i < n; i++) four[i + 1] = four[i]; }\n"
    "void far_in_place (void) { for (int i = 0; i < 16; i++) four[i] = four[i + 17]; }\n"
    "void far_by_12 (void) { for (int i = 0; i < 12; i++) four[i] = four[i + 12] + fours2[i + 1]; }\n"
    "void far_before (void) { for (int i = 0; i < 12; i++) { int t = four[i + 12]; four[i] = t + fours2[i + 1]; } }\n"
    "void own_in_phase (int n) { for (int i = 0; i < n; i++) four[i + 1] = fours2[i + 1] + own[i]; }\n"
    "void own_somewhere (int n, int k) { for (int i = 0; i < n; i++) four[i] = fours2[i + k + 1] + own[i]; }\n"
    "void by_threads (int n) { for (int i = MYTHREAD; i < n; i += THREADS) four[i] = fours2[i + 1]; }\n"
    "void records (int n) { for (int i = 0; i < n; i++) four[i] = pair[i + 1].x; }\n"
    "void rows (int n, int k)\n"
    "{ for (int i = 0; i < k; i++) for (int j = 1; j < n; j++) row[i][j] = row2[i][j - 1] + row2[i][j + 1]; }\n"
    "void maybe (int n) { for (int i = 0; i < n; i++) four[i] = i ? fours2[i - 1] : 0; }\n"
    "void maybe_and (int n) { for (int i = 0; i < n; i++) four[i] = i && fours2[i - 1]; }\n"
    "void by_pointers (int n, shared [4] int *x, shared [4] int *y)\n"
    "{ for (int i = 1; i < n; i++) x[i] = y[i - 1] + y[i + 1]; }\n"
    "void by_indefinite (int n, shared [4] int *x, shared [] int *y)\n"
    "{ for (int i = 1; i < n; i++) x[i] = four[i + 1] + y[i + 1]; }\n"
    "void to_indefinite (int n, shared [] int *y) { for (int i = 1; i < n; i++) y[i] = four[i + 1] + fours2[i]; }\n"
    "void read_too (int n, int k) { for (int i = 0; i < n; i++) four[i] = fours2[i + 1] + four[k]; }\n"
    "void other_too (int n, int k) { for (int i = 0; i < n; i++) four[i] = fours2[i + 1] + six[k]; }\n"
    "void in_phase (int n) { for (int i = 4; i < n; i++) four[i] = fours2[i - 4] + fours2[i + 4]; }\n"
    "void beside_some_phase (int n, int k) { for (int i = 1; i < n; i++) four[k + i] = fours2[i - 1] + fours2[i + 1]; }\n"
    "void cyclic (int n) { for (int i = 0; i < n; i++) four[i] = c[i + 1]; }\n"
    "void large (int n) { for (int i = 0; i < n; i++) big[i] = vast[i + 1]; }\n"
    "void mixed (int n) { for (int i = 0; i < n; i++) four[i] = vast[i + 1]; }\n"
    "void sixteen (int n) { for (int i = 0; i < n; i++) z[i] = a[i + 1]; }\n"
    "void eight (int n) { for (int i = 0; i < n; i++) eights[i] = eights2[i + 1]; }\n"
    "void down (int n) { for (int i = n; i > 0; i--) four[i] = fours2[i - 1]; }\n"
    "void reversed (int n) { for (int i = 0; i < n; i++) four[i] = fours2[n - i]; }\n"
    "void reversed_2 (int n) { for (int i = 0; i < n; i++) two[i] = twos2[n - i]; }\n"
    "void reversed_16 (int n) { for (int i = 0; i < n; i++) z[i] = a[n - i]; }\n"
    "void beside_2 (int n) { for (int i = 0; i < n; i++) two[i] = twos2[i + 1]; }\n"
    "void by_2 (int n) { for (int i = 0; i < n; i += 2) four[i] = fours2[i + 1]; }\n"
    "void strides (int n) { for (int i = 0; i < n; i++) four[i] = fours2[2 * i + 1]; }\n"
    "void wraps (unsigned n) { for (unsigned u = 1; u < n; u++) four[u] = fours2[u - 1]; }\n"
    "void small_induction (int n) { for (short i = 1; i < n; i++) four[i] = fours2[i - 1]; }\n"
    "void few (void) { for (int i = 0; i < 11; i++) four[i] = fours2[i + 1]; }\n"
    "void just (void) { for (int i = 0; i < 12; i++) four[i] = fours2[i + 1]; }\n"
    "void few_16 (void) { for (int i = 63; i > 0; i--) z[i] = a[i + 1]; }\n"
    "void just_16 (void) { for (int i = 63; i >= 0; i--) z[i] = a[i + 1]; }\n"
    "void to_strict (int n) { for (int i = 0; i < n; i++) four[i] = fours2[i + 1] + flag; }\n"
    "void wide (int n) { for (int i = 0; i < n; i++) ld[i] = ld2[i + 1]; }\n"
    "void walks (int n, shared [4] int *y) { for (int i = 0; i < n; i++) four[i] = *y++ + fours2[i + 1]; }\n"
    "void many (int n) { for (int i = 0; i < n; i++) four[i] = fours2[i + 1] + fours2[i + 20] + fours2[i + 40]\n"
    "    + fours2[i + 60] + fours2[i + 80] + fours2[i + 100] + fours2[i + 121]; }\n"
    "void too_many (int n) { for (int i = 0; i < n; i++) four[i] = fours2[i + 1] + fours2[i + 20] + fours2[i + 40]\n"
    "    + fours2[i + 60] + fours2[i + 80] + fours2[i + 100] + fours2[i + 121] + fours2[i + 141]; }\n"
    "void checked (int n) { for (int i = 1; i < n; i++) four[i] = fours2[i - 1]; }\n"
    "void raced (int n) { for (int i = 1; i < n; i++) four[i] = fours2[i - 1]; }\n"
    "void of_processes (int n) { for (int i = 1; i < n; i++) four[i] = fours2[i - 1]; }\n"
    "void of_one_thread (int n) { for (int i = 1; i < n; i++) four[i] = fours2[i - 1]; }\n"
    "void of_any_number (int n) { for (int i = 1; i < n; i++) four[i] = fours2[i - 1]; }\n"
    "void from_element (int n, int k, shared [4] int *y) { for (int i = 1; i < n; i++) four[i] = fours2[i - 1] + fours2[i + 1] + y[k]; }\n"
    "void from_pointer (int n, shared [4] int *y) { for (int i = 1; i < n; i++) four[i] = y[i - 1] + y[i + 1]; }\n"
    "void owned (int n) { int i; upc_forall (i = 0; i < n; i++; &four[i]) four[i] = fours2[i + 1]; }\n";

static bool
is_windowed (const char *name)
{
  return plan_for (name)->is_windowed;
}

static int
count_windows (const struct loop *loop)
{
  int count = 0;

  for (struct window *w = loop->windows; w; w = w->next)
    count++;
  return count;
}

static int
windows_of (const char *name)
{
  return count_windows (plan_for (name));
}

static void
test_neighbours_share_a_window (void **state)
{
  struct loop *loop = plan_for ("neighbours");
  struct reference *to = access_by (loop, "four")->reference;

  (void) state;
  assert_true (loop->is_windowed && loop->is_independent && loop->is_consecutive);
  assert_int_equal (count_windows (loop), 2);
  assert_true (to->window->is_written && !to->window->is_read);
  for (struct reference *r = loop->references; r; r = r->next)
    if (r != to)
      {
        assert_true (r->window->is_read && !r->window->is_written);
        assert_int_equal (r->window->farthest, 2);
        assert_int_equal (r->in_window, r->at.constant + 1);
        assert_int_equal (r->window->first->at.constant, -1);
      }
  assert_true (loop->in_order && loop->in_order->is_by_elements);
  assert_false (loop->in_order->is_windowed);
  assert_false (loop->crosses_blocks);
  assert_int_equal (access_by (plan_for ("upwards"), "fours2")->reference->window->farthest, 2);
}

static void
test_what_is_far_apart_does_not (void **state)
{
  (void) state;
  assert_int_equal (windows_of ("grid"), 4);
  assert_int_equal (windows_of ("two_arrays"), 3);
  assert_int_equal (windows_of ("span_12"), 2);
  assert_int_equal (windows_of ("span_13"), 3);
  assert_int_equal (windows_of ("sides"), 3);
  assert_int_equal (windows_of ("many"), 8);
  assert_false (is_windowed ("too_many"));
}

static void
test_stores_have_windows_of_their_own (void **state)
{
  (void) state;
  assert_true (access_by (plan_for ("update"), "four")->reference->window->is_read);
  assert_true (access_by (plan_for ("update"), "four")->reference->window->is_written);
  assert_true (access_by (plan_for ("step"), "four")->reference->window->is_read);
  assert_false (access_by (plan_for ("step"), "six")->reference->window->is_read);
  assert_int_equal (windows_of ("two_stores"), 3);
  assert_false (is_windowed ("store_first"));
  assert_false (is_windowed ("in_place"));
  assert_int_equal (windows_of ("far_in_place"), 2);
  assert_int_equal (windows_of ("far_by_12"), 3);
  assert_int_equal (windows_of ("far_before"), 3);
}

static void
test_all_that_is_copied_is_accessed (void **state)
{
  (void) state;
  assert_false (is_windowed ("maybe"));
  assert_false (is_windowed ("maybe_and"));
  assert_false (is_windowed ("to_strict"));
}

static void
test_pointers_are_asked_whether_they_overlap (void **state)
{
  struct loop *loop = plan_for ("by_pointers");

  (void) state;
  assert_true (loop->is_windowed && loop->meetings);
  assert_non_null (plan_for ("from_pointer")->meetings);
  assert_true (is_windowed ("from_element") && plan_for ("from_element")->meetings->a->is_fixed);
  assert_null (plan_for ("neighbours")->meetings);
  assert_false (is_windowed ("by_indefinite"));
  assert_false (is_windowed ("to_indefinite"));
  assert_true (is_windowed ("read_too") && plan_for ("read_too")->meetings->a->is_fixed);
  assert_true (is_windowed ("other_too"));
}

static void
test_other_loops_have_other_plans (void **state)
{
  (void) state;
  assert_true (plan_for ("in_phase")->is_by_pieces);
  assert_false (is_windowed ("in_phase"));
  assert_true (is_windowed ("beside_some_phase"));
  assert_false (is_windowed ("cyclic"));
  assert_false (is_windowed ("large"));
  assert_true (is_windowed ("mixed"));
  assert_true (is_windowed ("sixteen"));
  assert_true (is_windowed ("down"));
  assert_true (is_windowed ("reversed"));
  assert_false (is_windowed ("reversed_2") || is_windowed ("reversed_16"));
  assert_true (is_windowed ("beside_2"));
  assert_false (is_windowed ("by_2"));
  assert_false (is_windowed ("strides"));
  assert_false (is_windowed ("wraps"));
  assert_false (is_windowed ("small_induction"));
  assert_false (is_windowed ("wide"));
  assert_false (is_windowed ("walks"));
  assert_false (is_windowed ("owned"));
  assert_false (is_windowed ("own_in_phase"));
  assert_false (is_windowed ("own_somewhere"));
  assert_false (is_windowed ("records"));
  assert_false (access_by (plan_for ("rows"), "row")->loop->is_windowed);
}

static void
test_few_iterations_are_done_in_their_order (void **state)
{
  (void) state;
  assert_false (is_windowed ("few"));
  assert_true (is_windowed ("just"));
  assert_false (is_windowed ("few_16"));
  assert_true (is_windowed ("just_16"));
  assert_int_equal (least_in_windows (plan_for ("sixteen")), 64);
  assert_int_equal (least_in_windows (plan_for ("eight")), 16);
  assert_int_equal (least_in_windows (plan_for ("mixed")), 12);
}

/* The switches say that strips tell somebody where they begin, or that other processes have shared data. */
static void
test_switches_that_watch_strips (void **state)
{
  (void) state;
  switches.check = true;
  assert_false (is_windowed ("checked"));
  switches.check = false;
  switches.race = true;
  assert_false (is_windowed ("raced"));
  switches.race = false;
  switches.network = true;
  assert_false (is_windowed ("of_processes"));
  switches.network = false;
  switches.threads = 1;
  assert_false (is_windowed ("of_one_thread"));
  switches.threads = 0;
  assert_false (is_windowed ("by_threads"));
  assert_true (is_windowed ("of_any_number"));
  switches.threads = 4;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_neighbours_share_a_window),
    cmocka_unit_test (test_what_is_far_apart_does_not),
    cmocka_unit_test (test_stores_have_windows_of_their_own),
    cmocka_unit_test (test_all_that_is_copied_is_accessed),
    cmocka_unit_test (test_pointers_are_asked_whether_they_overlap),
    cmocka_unit_test (test_other_loops_have_other_plans),
    cmocka_unit_test (test_few_iterations_are_done_in_their_order),
    cmocka_unit_test (test_switches_that_watch_strips),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
