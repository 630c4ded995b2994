/* The planner: loops that store and update here and there. */

#include "tests/unit/upc2c/planned.h"

#define TEN "own[1] = at[1]; own[2] = at[2]; "
#define LOOP "for (int i = 0; i < n; i++) "

const char source[] = PLANNED_DECLARATIONS
    "shared unsigned u[400]; shared double d[400]; shared short h[400]; shared long l[400];\n"
    "strict shared int st[400];\n"
    "void by_start (int n, shared [16] int *o) { " LOOP "o[at[i]] = 1; }\n"
    "void by_two (int n, shared [16] int *o, shared [16] int *e) { " LOOP
    "o[at[i]] = e[at[i]] + o[at[n]]; }\n"
    "void by_changed (int n) { " LOOP "{ p0[at[i]] = 1; f (); } }\n"
    "void by_own (int n, shared [16] int *o)\n"
    "{ " LOOP "{ shared [16] int *e = o + i; e[at[i]] = 1; } }\n"
    "void by_cyclic (int n, shared int *o) { " LOOP "o[at[i]] = 1; }\n"
    "void by_cyclic_too (int n, shared int *o) { " LOOP "o[at[i]] = 1; }\n"
    "void puts_here (int n) { " LOOP "c[at[i]] = i; }\n"
    "void puts_too (int n) { " LOOP "c[at[i]] = i; }\n"
    "void puts_in_blocks (int n) { " LOOP "a[at[i]] = i; }\n"
    "void until (int n) { for (int i = 0; i < n && at[i]; i++) a[at[i]] = i; }\n"
    "void until_too (int n) { for (int i = 0; i < n ? at[i] : n; i++) a[at[i]] = i; }\n"
    "void loads (int n) { " LOOP "s += a[at[i]]; }\n"
    "void much (int n) { " LOOP "{ a[at[i]] = i; " TEN TEN TEN TEN TEN "} }\n"
    "void calls (int n) { " LOOP "a[at[i]] = pure (i); }\n"
    "void short_strips (int n) { " LOOP "a[at[i]] = four[i]; }\n"
    "void long_strips (int n) { " LOOP "a[at[i]] = big[i]; }\n"
    "void nested (int n) { " LOOP "{ c[at[i]] = i; while (s) s--; } }\n"
    "void by_variable (int n) { " LOOP "{ int k = at[i]; c[k] = i; } }\n"
    "void by_two_indexes (int n) { " LOOP "{ int k = at[i]; m[k][n] = i; } }\n"
    "void at_one_place (int n, int k) { " LOOP "c[k / n] = i; }\n"
    "void counts (int n) { " LOOP "a[c[i]]++; }\n"
    "void counts_in_blocks (int n) { " LOOP "a[four[i]]--; }\n"
    "void adds (int n) { " LOOP "a[c[i]] += 3; }\n"
    "void takes_bits (int n) { " LOOP "a[c[i]] &= at[i & 7]; }\n"
    "void unsigned_sums (int n) { " LOOP "u[c[i]] -= at[i & 7]; }\n"
    "void two_arrays (int n) { " LOOP "{ a[c[i]]++; b[c[i]]++; } }\n"
    "void two_types (int n, shared long *o, shared int *e) { " LOOP "o[e[i]]++; }\n"
    "void keeps (int n) { " LOOP "s += a[c[i]]++; }\n"
    "void signed_sums (int n) { " LOOP "a[c[i]] += at[i & 7]; }\n"
    "void products (int n) { " LOOP "a[c[i]] *= 3; }\n"
    "void fractions (int n) { " LOOP "d[c[i]]++; }\n"
    "void by_fractions (int n) { " LOOP "u[c[i]] += 0.5; }\n"
    "void narrow (int n) { " LOOP "h[c[i]]++; }\n"
    "void strictly (int n) { " LOOP "st[c[i]]++; }\n"
    "void twice (int n) { " LOOP "{ a[c[i]]++; a[c[i]] ^= 1; } }\n"
    "void reads (int n) { " LOOP "{ a[c[i]]++; l[i] = a[0]; } }\n"
    "void one_type (int n, shared int *o, shared int *e) { " LOOP "o[e[i]]++; }\n"
    "void itself_too (int n) { " LOOP "c[c[i]]++; }\n"
    "void owned (int n) { int i; upc_forall (i = 0; i < n; i++; &four[i]) a[fours2[i + 1]]++; }\n"
    "int halves (int k) { int t = 0; while (k > 0) { t += a[k]; k /= 2; } return t; }\n"
    "int stays (int k) { int t = 0; while (pure (t)) t += a[k]; return t; }\n"
    "int own_halves (int k) { int t = 0; while (k) { int j = k / 2; t += a[j]; k = 0; } return t; }\n"
    "int in_condition (int k) { while (a[k] > k) k /= 2; return k; }\n"
    "int waits (int n) { int t = 0; for (int j = 0; j < n; j++) while (near_by (t)) " LOOP
    "t += a[at[i]]; return t; }\n"
    "void moves (int n) { " LOOP "c[i]++; }\n";

static struct loop *
plan_while (const char *function)
{
  return while_in (function)->plan;
}

static void
test_pointers_may_start_a_round (void **state)
{
  struct loop *loop = plan_for ("by_start");
  struct sure *start = access_by (loop, "o")->start;
  unsigned threads = switches.threads;

  (void) state;
  assert_non_null (start);
  assert_string_equal (start->pointer->decl->name->text, "o");
  /* Both pointers and their table. */
  loop = plan_for ("by_two");
  assert_int_equal (loop->sure_count, 3);
  assert_ptr_not_equal (access_by (loop, "o")->start, access_by (loop, "e")->start);
  loop = plan_for ("by_changed");
  assert_non_null (access_by (loop, "p0")->sure);
  assert_null (access_by (loop, "p0")->start);
  assert_null (access_by (plan_for ("by_own"), "e")->start);
  loop = plan_for ("by_cyclic");
  assert_non_null (access_by (loop, "o")->start);
  assert_int_equal (loop->sure_count, 1);
  assert_false (loop->is_sure_by_power);
  switches.threads = 6;
  loop = plan_for ("by_cyclic_too");
  switches.threads = threads;
  assert_null (loop->sure);
}

static void
test_short_loops_that_store_are_unrolled (void **state)
{
  static const char *const others[] = { "loads",  "much",  "calls",    "short_strips",
                                        "nested", "until", "until_too" };
  unsigned threads = switches.threads;
  struct loop *loop;

  (void) state;
  assert_true (plan_for ("puts_here")->is_unrolled);
  assert_true (plan_for ("puts_in_blocks")->is_unrolled);
  assert_true (plan_for ("long_strips")->is_unrolled);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_false (plan_for (others[i])->is_unrolled);
  switches.threads = 6;
  loop = plan_for ("puts_too");
  switches.threads = threads;
  assert_false (loop->is_unrolled);
}

static void
test_variables_of_the_body_lead_here_and_there (void **state)
{
  (void) state;
  assert_true (access_by (plan_for ("by_variable"), "c")->is_scattered);
  assert_true (access_by (plan_for ("by_two_indexes"), "m")->is_scattered);
  assert_false (access_by (plan_for ("at_one_place"), "c")->is_scattered);
}

static void
test_updates_have_a_free_order (void **state)
{
  static const char *const free[] = { "counts",        "counts_in_blocks", "adds",     "takes_bits",
                                      "unsigned_sums", "two_arrays",       "two_types" };
  static const char *const others[] = { "keeps",        "signed_sums", "products",   "fractions",
                                        "by_fractions", "narrow",      "strictly",   "twice",
                                        "reads",        "one_type",    "itself_too", "owned" };

  (void) state;
  for (size_t i = 0; i < sizeof free / sizeof *free; i++)
    {
      struct loop *loop = plan_for (free[i]);

      assert_true (loop->is_independent && loop->residues);
      assert_false (loop->is_for_vectors);
    }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_false (plan_for (others[i])->is_independent);
  assert_true (plan_for ("moves")->is_for_vectors);
}

static void
test_loops_without_a_header_look_blocks_up (void **state)
{
  (void) state;
  assert_non_null (plan_while ("halves")->tabled);
  assert_non_null (plan_while ("own_halves")->tabled);
  assert_non_null (plan_while ("in_condition")->tabled);
  assert_null (plan_while ("stays")->tabled);
}

/* Others may store to the array while it waits. */
static void
test_copies_are_made_in_a_while (void **state)
{
  struct stmt *s;

  (void) state;
  assert_null (plan_for ("waits")->copied);
  s = while_in ("waits");
  assert_null (s->plan->copied);
  assert_non_null (s->then->plan->copied);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_loops_without_a_header_look_blocks_up),
    cmocka_unit_test (test_copies_are_made_in_a_while),
    cmocka_unit_test (test_pointers_may_start_a_round),
    cmocka_unit_test (test_short_loops_that_store_are_unrolled),
    cmocka_unit_test (test_variables_of_the_body_lead_here_and_there),
    cmocka_unit_test (test_updates_have_a_free_order),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
