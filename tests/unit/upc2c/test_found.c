/* The planner: how elements are found that no strip makes cheap: from block to block, by tables, in copies. */

#include "tests/unit/upc2c/planned.h"

#define SIX_STORES "a[s] = 1; c[s] = 1; m[s][1] = 1; a[s] = 2; c[s] = 2; m[s][2] = 2; "
#define STORES \
  SIX_STORES SIX_STORES SIX_STORES SIX_STORES SIX_STORES SIX_STORES SIX_STORES SIX_STORES

const char source[] = PLANNED_DECLARATIONS
    "void straight (int n) { " STORES " c[n] = 3; for (int i = 0; i < n; i++) c[i * i] = 1; }\n"
    "void shorter (int n) { " STORES
    " while (c[n]) n++; while (c[n * n]) n = pure (n); do n++; while (c[n]); for (int i = 0; i < c[n]; i++) c[i] = 1; }\n"
    "inline void fast (int n) { " STORES " c[n] = 3; for (int i = 0; i < n; i++) c[i * i] = 1; }\n"
    "void again (int n) { more: " STORES
    " c[n] = 3; if (n--) goto more; for (int i = 0; i < n; i++) c[i * i] = 1; }\n"
    "void wraps (unsigned n) { int s = 0; for (unsigned u = 1; u < n; u++) s += a[u - 1]; }\n"
    "void rounds (int n) { for (int i = MYTHREAD; i < n; i += THREADS) big[i] = c[i + 1]; }\n"
    "void scan (int n) { for (int i = 1; i < n; i++) four[i] += four[i - 1]; }\n"
    "void scan_down (int n) { for (int i = n; i >= 0; i--) { int t = a[2 * i + 2]; a[2 * i] = t + c[i]; } }\n"
    "void scan_by_2 (int n) { for (int i = 2; i < n; i += 2) a[i] = a[i - 2] + a[i - 1]; }\n"
    "void sums (int n, int k) { for (int i = 0; i < n; i++) a[k] += c[i]; }\n"
    "void sums_own (int n) { for (int i = 0; i < n; i++) { int k = c[i]; a[k / 2] = 2 * a[k / 2] + i; } }\n"
    "void sums_too (int n, int k) { for (int i = 0; i < n; i++) a[k + 1] = a[k + 1] + c[i]; }\n"
    "void sums_two (int n, int k) { for (int i = 0; i < n; i++) a[k] = a[k + 1] + c[i]; }\n"
    "void sums_beside (int n, int k, double *v) { for (int i = 0; i < n; i++) a[k] += c[i] * own[i] + sqrt (v[i]); }\n"
    "void sums_seen (int n, int k) { for (int i = 0; i < n; i++) a[k] += a[i]; }\n"
    "void sums_seen_later (int n, int k) { for (int i = 0; i < n; i++) { a[k] += c[i]; s = a[k]; } }\n"
    "void sums_seen_by_shared (int n, int k, shared [] int *o) { for (int i = 0; i < n; i++) a[k] += o[i]; }\n"
    "void sums_seen_by_pointer (int n, int k, int *o) { for (int i = 0; i < n; i++) a[k] += c[i] * o[i]; }\n"
    "void sums_seen_by_call (int n, int k) { for (int i = 0; i < n; i++) a[k] += c[i] + pure (i); }\n"
    "void not_scan (int n) { for (int i = 2; i < n; i++) a[i] = a[i - 2]; }\n"
    "void maybe_scan (int n) { for (int i = 1; i < n; i++) a[i] = i > 1 ? a[i - 1] : 0; }\n"
    "void two_stores (int n) { for (int i = 1; i < n; i++) { a[i] = a[i - 1]; c[i] = 0; } }\n"
    "void two_scans (int n, int k)\n"
    "{ for (int i = 1; i < n; i++) { c[i] = c[i - 1] + 1; a[k] += c[i]; } }\n"
    "shared struct { int v[9]; } record;\n"
    "void stores_in_record (int n)\n"
    "{ for (int i = 1; i < n; i++) { record.v[i] = record.v[i - 1]; a[i] = a[i - 1]; } }\n"
    "void stores_near (int n) { for (int i = 1; i < n; i++) { a[i] = a[i - 1]; a[i + 1] = 0; } }\n"
    "void stores_by_shared (int n, shared [] int *o) { for (int i = 1; i < n; i++) { a[i] = a[i - 1]; o[i] = 0; } }\n"
    "void maybe_stores (int n) { for (int i = 1; i < n; i++) if (a[i - 1]) a[i] = 1; }\n"
    "void by_pointer (int n, int *o) { for (int i = 1; i < n; i++) { a[i] = a[i - 1]; o[i] = 0; } }\n"
    "void by_names (int n) { int o[9]; for (int i = 1; i < n; i++) { a[i] = a[i - 1]; o[i] = 0; } }\n"
    "void sparse (int n)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; z[i] = 1; } }\n"
    "void sparse_calls (int n)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; f (); } }\n"
    "void sparse_in_place (int n)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; c[i] = 1; } }\n"
    "void sparse_by_name (int n)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; own[i] = 1; } }\n"
    "void sparse_by_pointer (int n, shared [16] int *o)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; o[i] = 1; } }\n"
    "void sparse_before (int n, shared [16] int *o)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; o[i - 3] = 1; } }\n"
    "void sparse_by_walk (int n, shared int *o)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; *o++ = 1; } }\n"
    "void sparse_by_private (int n, int *o)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; o[i] = 1; } }\n"
    "void sparse_by_type (int n, double *o)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; o[i] = 1; } }\n"
    "void sparse_barrier (int n)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; upc_barrier; } }\n"
    "void sparse_strict (int n)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; flag = 1; } }\n"
    "void sparse_asm (int n)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; __asm__ (\"\"); } }\n"
    "void sparse_pure (int n)\n"
    "{ for (int i = 0; i < n; i++) { for (int k = at[i]; k < at[i + 1]; k++) s += c[at[k]]; own[i] = pure (i); } }\n"
    "void sparse_label (int n)\n"
    "{ for (int i = 0; i < n; i++) for (int k = at[i]; k < at[i + 1]; k++) { s += c[at[k]]; more: if (s) goto more; } }\n"
    "void look_up (int n) { for (int i = 0; i < n; i++) s += c[at[i]]; }\n"
    "void look_on (void) { for (int i = 0; i < at[0]; i++) s += c[at[i]]; }\n"
    "void moved (int n, shared int *o)\n"
    "{ for (int i = 0; i < n; i++, o++) for (int k = at[i]; k < n; k++) s += o[at[k]]; }\n"
    "void row_by_row (int n, shared int *o)\n"
    "{ for (int i = 0; i < n; i++) for (int k = at[i]; k < n; k++) s += o[at[k]]; }\n"
    "void waits (int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1] + flag; }\n"
    "void calls_out (int n) { for (int i = 1; i < n; i++) { a[i] = a[i - 1]; f (); } }\n"
    "void continues (int n) { for (int i = 1; i < n; i++) { if (i == 7) continue; a[i] = a[i - 1]; } }\n"
    "void own (int n) { int i; upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + 1; }\n"
    "void beside (int n) { int t = 0; for (int i = 1; i < n; i++) t += a[i] + b[i - 1] + b[i] + z[i + 15] + z[i + 64]; }\n"
    "void beside_2 (int n) { int t = 0; for (int i = 0; i < n; i++) t += a[i] + a[2 * i] + b[2 * i]; }\n"
    "void beside_p (int n, shared [16] int *p) { int t = 0; for (int i = 0; i < n; i++) t = t * 3 + p[i] + p[i + 16] + a[i]; }\n"
    "void apart_p (int n, shared [16] int *p, shared [16] int *q) { int t = 0; for (int i = 0; i < n; i++) t = t * 3 + p[i] + q[i]; }\n"
    "void apart_1000 (int n) { int t = 0; for (int i = 0; i < n; i++) t += a[i] + big[i]; }\n"
    "void thirds_of_16 (int n, shared [16] int *p) { int t = 0; for (int i = 0; i < n; i++) t += p[3 * i] + b[i]; }\n"
    "void twos (int n, shared [4] int *p) { int t = 0; for (int i = 0; i < n; i++) t += p[2 * i] + six[i]; }\n"
    "void wraps_too (shared [] int *w) { int t = 0; for (unsigned u = 5; w[u]; u++) t += a[u]; }\n"
    "void on_and_on (shared [] int *w) { int t = 0; for (int i = 5; w[i]; i++) t += a[i]; }\n"
    "void up_and_down (int n) { int t = 0; for (int i = 0; i < n; i++) t += a[i] + b[n - i]; }\n"
    "void looks_up (int n) { for (int i = 0; i < n; i++) a[at[i]]++; }\n"
    "void looks_up_twice (int n, shared [16] int *p)\n"
    "{ for (int i = 0; i < n; i++) for (int k = at[i]; k < n; k++) { a[at[k]]++; a[at[i]]++; b[at[k]]++; p[at[k]]++; } }\n"
    "void looks_cyclic (int n) { for (int i = 0; i < n; i++) c[at[i]]++; }\n"
    "void looks_cyclic_too (int n) { for (int i = 0; i < n; i++) c[at[i]]++; }\n"
    "void looks_in_rows (int n) { for (int i = 0; i < n; i++) m[at[i]][at[n]]++; }\n"
    "void looks_around (int n) { for (int i = 0; i < n; i++) { a[at[i]]++; do s--; while (s > i); } }\n"
    "void looks_in_expression (int n) { for (int i = 0; i < n; i++) a[at[i]] = ({ f (); s; }); }\n";

/* The reference of LOOP that is AT that distance from the array ROOT. */
static struct reference *
reference_at (struct loop *loop, const char *root, int64_t at)
{
  struct reference *r = loop->references;

  while (r && !(r->at.constant == at && strcmp (r->root->decl->name->text, root) == 0))
    r = r->next;
  assert_non_null (r);
  return r;
}

static void
test_references_in_phase_cross_blocks_together (void **state)
{
  struct loop *loop = plan_for ("beside");
  struct reference *a = reference_at (loop, "a", 0), *b = reference_at (loop, "b", 0);
  struct reference *back = reference_at (loop, "b", -1), *on = reference_at (loop, "z", 15);
  struct reference *round = reference_at (loop, "z", 64);

  (void) state;
  assert_true (loop->crosses_blocks);
  assert_true (a->crosses && b->crosses && back->crosses && on->crosses && round->crosses);
  /* The first of the list leads; b[i - 1] and z[i + 15] are a block apart, in two threads. */
  assert_null (round->crosses_with);
  assert_ptr_equal (a->crosses_with, round);
  assert_ptr_equal (b->crosses_with, round);
  assert_true (a->is_beside && b->is_beside);
  assert_null (on->crosses_with);
  assert_ptr_equal (back->crosses_with, on);
  assert_false (back->is_beside);
}

static void
test_strides_and_pointers_cross_apart (void **state)
{
  struct loop *loop = plan_for ("beside_2");
  struct reference *twice = NULL;

  (void) state;
  assert_true (loop->crosses_blocks);
  for (struct reference *r = loop->references; r; r = r->next)
    {
      assert_true (r->crosses);
      if (r->stride == 1)
        assert_null (r->crosses_with);
      else if (twice)
        assert_ptr_equal (r->crosses_with, twice);
      else
        twice = r;
    }
  loop = plan_for ("beside_p");
  assert_null (reference_at (loop, "p", 16)->crosses_with);
  assert_ptr_equal (reference_at (loop, "p", 0)->crosses_with, reference_at (loop, "p", 16));
  assert_false (reference_at (loop, "p", 0)->is_beside);
  assert_null (reference_at (loop, "a", 0)->crosses_with);
  assert_null (reference_at (plan_for ("apart_p"), "p", 0)->crosses_with);
  assert_null (reference_at (plan_for ("apart_p"), "q", 0)->crosses_with);
  assert_null (reference_at (plan_for ("apart_1000"), "a", 0)->crosses_with);
  assert_null (reference_at (plan_for ("apart_1000"), "big", 0)->crosses_with);
  assert_null (plan_for ("up_and_down")->references->crosses_with);
  assert_null (plan_for ("up_and_down")->references->next->crosses_with);
}

static void
test_where_blocks_are_not_crossed (void **state)
{
  (void) state;
  /* Strips of 3 do not divide a block; an index, or the induction variable, may wrap around; rows. */
  assert_false (plan_for ("thirds_of_16")->crosses_blocks);
  assert_false (plan_for ("wraps")->crosses_blocks);
  assert_false (plan_for ("wraps_too")->crosses_blocks);
  assert_true (plan_for ("on_and_on")->crosses_blocks);
  assert_true (plan_for ("rounds")->crosses_blocks);
  assert_false (plan_for ("own")->crosses_blocks);
  /* Strips of 2 are worth while. */
  assert_true (plan_for ("twos")->crosses_blocks);
  assert_int_equal (plan_for ("twos")->reference_count, 2);
}

static void
test_scattered_elements_have_tables (void **state)
{
  struct loop *loop = plan_for ("looks_up");
  struct tabled *t = access_by (loop, "a")->tabled;

  (void) state;
  assert_non_null (t);
  assert_ptr_equal (t->loop, loop);
  assert_string_equal (t->array->decl->name->text, "a");
  loop = plan_for ("looks_up_twice");
  assert_int_equal (loop->tabled_count, 3);
  assert_ptr_equal (access_by (loop, "a")->tabled->loop, loop);
  assert_ptr_not_equal (access_by (loop, "a")->tabled, access_by (loop, "b")->tabled);
  assert_null (access_by (loop, "p")->tabled->array);
  assert_null (access_by (plan_for ("looks_cyclic"), "c")->tabled);
}

static void
test_loops_are_written_twice_for_what_is_quick (void **state)
{
  struct loop *loop = plan_for ("looks_up");
  unsigned threads = switches.threads;

  (void) state;
  assert_ptr_equal (loop->sure->tabled, access_by (loop, "a")->tabled);
  assert_ptr_equal (access_by (loop, "a")->sure, loop);
  assert_false (loop->is_sure_by_power);
  /* The inner loop, for all three tables of the outer one, and where a pointer leads. */
  loop = plan_for ("looks_up_twice");
  assert_null (loop->sure);
  loop = access_by (loop, "p")->sure;
  assert_int_equal (loop->sure_count, 4);
  assert_null (plan_for ("looks_in_rows")->sure);
  assert_null (plan_for ("looks_around")->sure);
  assert_null (plan_for ("looks_in_expression")->sure);
  assert_false (plan_for ("looks_cyclic")->is_sure_by_power);
  switches.threads = 0;
  loop = plan_for ("looks_cyclic_too");
  switches.threads = threads;
  assert_true (loop->is_sure_by_power);
  assert_null (loop->sure);
}

static void
test_accesses_are_called_where_many_are_done_once (void **state)
{
  struct wanted w = { "a", NULL };

  (void) state;
  assert_false (access_by (plan_for ("straight"), "c")->is_called);
  any_in_stmt (function_named ("straight")->body, is_wanted, &w);
  assert_true (w.plan->is_called);
  for (const char *const *name = (const char *const[]){ "shorter", "fast", "again", NULL }; *name;
       name++)
    {
      plan_for (*name);
      any_in_stmt (function_named (*name)->body, is_wanted, &w);
      assert_false (w.plan->is_called);
    }
}

static void
test_values_are_carried (void **state)
{
  static const char *const carried[] = { "scan", "scan_down", "scan_by_2",  "by_names",
                                         "sums", "sums_too",  "two_stores", "two_scans" };
  static const char *const others[]
      = { "sums_own",         "not_scan",         "sums_two",     "maybe_scan", "stores_near",
          "stores_in_record", "stores_by_shared", "maybe_stores", "by_pointer", "waits",
          "calls_out",        "continues" };

  (void) state;
  for (size_t i = 0; i < sizeof carried / sizeof *carried; i++)
    assert_non_null (plan_for (carried[i])->carried);
  assert_null (plan_for ("two_stores")->carried->next);
  assert_non_null (plan_for ("two_scans")->carried->next);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_null (plan_for (others[i])->carried);
}

/* What nothing else of the loop may load is stored behind it. */
static void
test_stores_are_late (void **state)
{
  static const char *const late[] = { "sums", "sums_too", "sums_beside" };
  static const char *const others[] = { "sums_seen",           "sums_seen_later",
                                        "sums_seen_by_shared", "sums_seen_by_pointer",
                                        "sums_seen_by_call",   "scan" };

  (void) state;
  for (size_t i = 0; i < sizeof late / sizeof *late; i++)
    assert_non_null (plan_for (late[i])->carried->late);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    {
      print_message ("%s\n", others[i]);
      assert_non_null (plan_for (others[i])->carried);
      assert_null (plan_for (others[i])->carried->late);
    }
}

static bool
copies (const char *name)
{
  return plan_for (name)->copied;
}

static void
test_arrays_are_copied (void **state)
{
  struct loop *loop = plan_for ("sparse");

  (void) state;
  assert_non_null (loop->copied);
  assert_ptr_equal (access_by (loop, "c")->copied, loop->copied);
  assert_null (loop->reads);
  assert_null (loop->copied->stores);
  assert_false (copies ("sparse_calls"));
  assert_false (copies ("sparse_in_place"));
  assert_true (copies ("sparse_by_name"));
  assert_true (copies ("sparse_by_pointer"));
  assert_true (plan_for ("sparse_by_pointer")->copied->stores->is_forward);
  assert_false (plan_for ("sparse_before")->copied->stores->is_forward);
  assert_false (copies ("sparse_by_walk"));
  assert_false (copies ("sparse_by_private"));
  assert_true (copies ("sparse_by_type"));
  assert_false (copies ("sparse_barrier"));
  assert_false (copies ("sparse_strict"));
  assert_false (copies ("sparse_asm"));
  assert_true (copies ("sparse_pure"));
  assert_false (copies ("sparse_label"));
  assert_true (copies ("look_up"));
  assert_ptr_equal (plan_for ("look_up")->reads->copied->loop, plan_for ("look_up"));
  assert_false (copies ("look_on"));
  assert_false (copies ("moved"));
  assert_true (copies ("row_by_row"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_references_in_phase_cross_blocks_together),
    cmocka_unit_test (test_strides_and_pointers_cross_apart),
    cmocka_unit_test (test_where_blocks_are_not_crossed),
    cmocka_unit_test (test_scattered_elements_have_tables),
    cmocka_unit_test (test_loops_are_written_twice_for_what_is_quick),
    cmocka_unit_test (test_accesses_are_called_where_many_are_done_once),
    cmocka_unit_test (test_values_are_carried),
    cmocka_unit_test (test_stores_are_late),
    cmocka_unit_test (test_arrays_are_copied),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
