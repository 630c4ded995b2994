/* The planner of programs of several processes: what is fetched for batches of iterations (plan/batch.c). */

#include "tests/unit/upc2c/planned.h"

/* A loop over rows, each of which reads the next one. */
#define NEXT_ROWS(name, own, array)                                                     \
  "void " name " (int n) { int i, j; upc_forall (i = 0; i < n; i++; &" array "[i][0]) " \
  "for (j = 0; j < n; j++) own[j] = " array "[i + 1][j]; }\n"

#define LOOP "for (int i = 0; i < n; i++) "

const char source[] = PLANNED_DECLARATIONS
    "shared [] int *r0; shared [100] int m2[400][100], t2[400][100]; shared double wide[4000];\n"
    "shared int cyclic2[400][1000]; shared [256] int longest2[400][256]; shared [300] int long2[400][300];\n"
    "shared [500] int several2[400][100]; shared [] int whole2[40][100];\n"
    "static double t;\n" NEXT_ROWS ("next_rows", "m2[0]", "m2") NEXT_ROWS (
        "next_longest", "longest2[0]",
        "longest2") NEXT_ROWS ("next_long", "long2[0]",
                               "long2") NEXT_ROWS ("next_of_several", "several2[0]", "several2")
        NEXT_ROWS ("next_whole", "whole2[0]", "whole2") NEXT_ROWS (
            "next_cyclic", "cyclic2[0]",
            "cyclic2") "void cyclic_alone (int n) { int j; upc_forall (j = 0; j < n; j++; &c[j]) c[j] = wide[j + 1]; }\n"
                       "void reads (int n) { " LOOP "s += big[i]; }\n"
                       "void by_outer (int n) { int j = 0; " LOOP
                       "{ t += wide[3 * i + j]; j += at[i]; } }\n"
                       "void by_stored (int n) { " LOOP
                       "{ t += wide[four[at[i]]]; four[own[i]] = 0; } }\n"
                       "void by_last (int n) { int j = 0; " LOOP
                       "{ if (j > 0) t += wide[at[i]]; j += at[i]; } }\n"
                       "void by_index (int n) { " LOOP "t += c[at[i]]; }\n"
                       "void by_shared_index (int n) { " LOOP "t += wide[big[i]]; }\n"
                       "void by_variable (int n) { " LOOP
                       "{ int j = big[i]; int k = j + 1; t += wide[k]; } }\n"
                       "void by_changed (int n) { " LOOP "{ int j; j = big[i]; t += wide[j]; } }\n"
                       "void by_condition (int n) { " LOOP "if (at[i] > 0) t += c[at[i]]; }\n"
                       "void uncertain (int n) { " LOOP "t += at[i] > 0 ? c[at[i]] : 0; }\n"
                       "void stores_index (int n) { " LOOP
                       "{ t += wide[at[i]]; at[i + 1] = 0; } }\n"
                       "void stores_to_it (int n) { " LOOP "{ t += c[at[i]]; c[own[i]] = 0; } }\n"
                       "void stores_to_others (int n) { " LOOP
                       "{ t += wide[at[i]]; c[own[i]] = 0; } }\n"
                       "void stores_by_pointer (int n, shared int *p) { " LOOP
                       "{ t += c[at[i]]; p[own[i]] = 0; } }\n"
                       "void stores_own (int n, shared int *p) { int i; upc_forall (i = 0; i < n; i++; &p[i]) p[i] = c[at[i]]; }\n"
                       "void stores_beside (int n, shared int *p) { int i; upc_forall (i = 0; i < n; i++; &p[i]) p[i + 1] = c[at[i]]; }\n"
                       "void own_alone (int n) { int i; upc_forall (i = 0; i < n; i++; &c[i]) t += c[i]; }\n"
                       "void column (int n) { " LOOP "t += m2[i][n]; }\n"
                       "void transposes (void) { int i; upc_forall (i = 0; i < 100; i++; &t2[i][0]) "
                       "for (int j = 0; j < 100; j++) t2[i][j] = m2[j][i]; }\n"
                       "void rows (int *p) { int i; upc_forall (i = 0; i < 100; i++; &c[i]) "
                       "for (int j = p[i]; j < p[i + 1]; j++) t += wide[at[j]]; }\n"
                       "void outer_counter (int n) { int i, j; upc_forall (i = 0; i < n; i++; &big[i]) "
                       "for (j = 0; j < i; j++) t += wide[at[j]]; }\n"
                       "void index_calls (int n) { " LOOP "t += wide[far_out (i)]; }\n"
                       "void calls_besides (int n) { " LOOP "{ t += wide[at[i]]; f (); } }\n"
                       "void orders_besides (int n) { " LOOP "{ t += wide[at[i]]; flag = 1; } }\n"
                       "void leaves_batch (int n) { " LOOP
                       "{ if (at[i] < 0) break; t += wide[at[i]]; } }\n"
                       "void goes_on (int n) { " LOOP
                       "{ if (at[i] < 0) continue; t += wide[at[i]]; } }\n"
                       "void own_record (int n) { " LOOP
                       "{ struct r { int i; }; t += ((shared struct r *) c)[at[i]].i; } }\n"
                       "void own_name (int n) { " LOOP
                       "{ typedef int r; t += ((shared r *) c)[at[i]]; } }\n"
                       "void outer_record (int n) { struct r { int i; }; " LOOP
                       "t += ((shared struct r *) c)[at[i]].i; }\n"
                       "void same (int n) { " LOOP "t += wide[n] + c[at[n]]; }\n"
                       "void strict_ones (int n, strict shared int *p) { " LOOP "t += p[at[i]]; }\n"
                       "void in_row (int n) { " LOOP "t += m2[at[i]][3] + m2[at[i]][4]; }\n"
                       "void alone (int n) { " LOOP "t += c[at[i]]; }\n";

static const struct batch *
batch_in (const char *function)
{
  return plan_for (function)->batch;
}

/* How many accesses the batches of FUNCTION's loop have, and in how many levels. */
static void
assert_batch (const char *function, int accesses, int levels)
{
  const struct batch *batch = batch_in (function);

  if (!batch)
    fail_msg ("%s has no batches", function);
  assert_int_equal (batch->count, accesses);
  assert_int_equal (batch->levels, levels);
}

static int
set_up_network (void **state)
{
  switches.network = true;
  return set_up (state);
}

static void
test_batches (void **state)
{
  (void) state;
  assert_batch ("by_index", 1, 1);
  assert_batch ("by_shared_index", 2, 2);
  assert_batch ("by_variable", 2, 2);
  assert_batch ("by_condition", 1, 1);
  assert_batch ("stores_to_others", 1, 1);
  assert_batch ("stores_own", 1, 1);
  assert_batch ("column", 1, 1);
  assert_batch ("transposes", 1, 1);
  assert_batch ("rows", 1, 1);
  assert_batch ("outer_counter", 1, 1);
  assert_batch ("in_row", 2, 1);
  assert_batch ("outer_record", 1, 1);
}

/* Strips of an inner loop that are short, each of another block than the last one's. */
static void
test_short_strips (void **state)
{
  (void) state;
  assert_batch ("next_rows", 1, 1);
  assert_batch ("next_longest", 1, 1);
  assert_batch ("next_cyclic", 1, 1);
}

static void
test_loops_without_batches (void **state)
{
  static const char *const functions[]
      = { "reads",         "uncertain",  "stores_index",    "stores_to_it",  "stores_by_pointer",
          "stores_beside", "own_alone",  "index_calls",     "calls_besides", "orders_besides",
          "leaves_batch",  "goes_on",    "strict_ones",     "same",          "by_changed",
          "by_outer",      "by_stored",  "by_last",         "own_record",    "own_name",
          "next_long",     "next_whole", "next_of_several", "cyclic_alone" };

  (void) state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (batch_in (functions[i]))
      fail_msg ("%s has batches", functions[i]);
}

static void
test_other_programs (void **state)
{
  (void) state;
  switches.network = false;
  assert_null (batch_in ("alone"));
  switches.network = true;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_batches),
    cmocka_unit_test (test_short_strips),
    cmocka_unit_test (test_loops_without_batches),
    cmocka_unit_test (test_other_programs),
  };

  return cmocka_run_group_tests (tests, set_up_network, NULL);
}
