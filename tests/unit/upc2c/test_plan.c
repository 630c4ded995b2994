/* The planner: what is the plan for this loop, and where are its elements? */

#include "tests/unit/upc2c/planned.h"

const char source[] = PLANNED_DECLARATIONS
    "void sum (int n, int k) { int s = 0, i; for (i = 0; i < n; i++) s += a[4 * k + 2 * i + 3]; }\n"
    "void equal (int n) { int i; for (i = 0; i < n; i++) { a[i + 1] += b[i]; a[1 + i] = 2; } }\n"
    "void down (int n) { int s = 0, i; for (i = n - 1; i >= 0; i--) s += a[i] + c[i]; }\n"
    "void wraps (unsigned n) { int s = 0; for (unsigned u = 1; u < n; u++) s += a[u - 1]; }\n"
    "void square (int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i * i]; }\n"
    "void calls (int n, shared [16] int *p) { for (int i = 0; i < n; i++) { p[i] = 1; f (); } }\n"
    "void global (int n) { for (int i = 0; i < n; i++) { q[i] = 1; f (); } }\n"
    "void attributes (int n) { for (int i = 0; i < n; i++) q[i] = pure (i) + fixed_value (i); }\n"
    "void roots (int n) { for (int i = 0; i < n; i++) q[i] = sqrt (i); }\n"
    "void bodies (int n) { for (int i = 0; i < n; i++) q[i] = near_by (i); }\n"
    "void rounds (int n) { for (int i = MYTHREAD; i < n; i += THREADS) big[i] = c[i + 1]; }\n"
    "void two_rounds (int n) { for (int i = n; i > 0; i -= 2 * THREADS) c[i] = 1; }\n"
    "void own_roots (int n) { for (int i = 0; i < n; i++) q[i] = cbrt (i); }\n"
    "void two_calls (int n) { for (int i = 0; i < n; i++) q[i] = by_far (i); }\n"
    "void recursion (int n) { for (int i = 0; i < n; i++) q[i] = itself (i); }\n"
    "void by_address (int n) { for (int i = 0; i < n; i++) q[i] = stores (&n); }\n"
    "void labelled (int n) { for (int i = 0; i < n; i++) { goto in; in: a[i] = 1; } }\n"
    "void rows (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < 16; j++) m[i][j] = i; }\n"
    "void rowp (shared [64] int (*r)[16], int n)\n"
    "{ for (int i = 0; i < n; i++) for (int j = 0; j < 16; j++) r[i][j] = i; }\n"
    "void rowpn (shared [64] int (*r)[16], int n)\n"
    "{ for (int i = 0; i < n; i++) for (int j = 0; j < 17; j++) r[i][j] = r[j][i]; }\n"
    "void less (int n) { for (int i = 0; i < n; i++) a[i - 3] = 1; }\n"
    "void divided (int n, int k) { for (int i = 0; i < n; i++) a[i + n / k] = 1; }\n"
    "void walk (shared [16] int *p, shared [16] int *e) { for (; p < e; p++) f (*p, p[1]); }\n"
    "void until (shared [16] int *p) { for (; *p != 0; p++) f (p); }\n"
    "void leaps (shared [16] int *p, shared [16] int *e) { for (; p < e; p += 2) f (*p); }\n"
    "void cells (shared int *p, shared int *e) { for (; p < e; p++) f (*p); }\n"
    "void drain (int n, shared [16] int *p, shared [16] int *q) { while (n--) *p++ = *--q; }\n"
    "void fill (shared [16] int *p, shared [16] int *e) { while (p < e) { f (p[1]); *p++ = 1; } }\n"
    "void pair (shared [16] int *p, shared [16] int *q) { for (; p != q; p++, q--) f (*p, *q); }\n"
    "void long_way (shared [] int *p, int n) { for (int i = 0; i < n; i++) f (*p++); }\n"
    "void skips (shared [16] int *p, int n) { while (n--) { if (n & 1) continue; f (*p++); } }\n"
    "void sees (shared [16] int *p, int n) { while (n--) { f (*p++); f (p); } }\n"
    "void some (shared [16] int *p, int n) { while (n--) if (n & 1) f (*p++); }\n"
    "void again (shared [16] int *p, int n) { while (n--) { f (*p++); p++; } }\n"
    "void given_on (shared [16] int *p, int n) { while (n--) f (p++); }\n"
    "void inner (shared [16] int *p, int n) { while (n--) for (int k = n; k; k--) f (*p++); }\n"
    "void next_of (shared [16] int *p, int n) { while (n--) f (*++p); }\n"
    "void leaves (shared [16] int *p, int n) { while (n--) { if (*p++) goto out; } out: f (p); }\n"
    "void counted (shared [16] int *p, int n) { while (n--) { f (*p++); n--; } }\n"
    "void mine (shared [16] int *p, shared [16] int *e) { upc_forall (; p < e; p++; p) *p = 1; }\n"
    "void each (shared int *p, shared int *e) { upc_forall (; p < e; p++; p) *p = 1; }\n"
    "void alone (shared [16] int *p, shared [16] int *e)\n"
    "{ upc_forall (; p < e; p++; p + 1) *p = 1; }\n"
    "void ahead (shared [16] int *p, shared [16] int *e)\n"
    "{ upc_forall (; p < e; p++; p + 1) f (*p); }\n"
    "void given (shared [16] int *p, shared [16] int *e) { upc_forall (; p < e; p++; &a[3]) f (*p); }\n"
    "void global_end (int n) { upc_forall (; p0 < q; p0++; p0) f (*p0); }\n"
    "void by_two (int n) { int i; upc_forall (i = 0; i < n; i++; 2 * i) c[2 * i] = i; }\n"
    "int stride; void stored_step (int n) { for (int i = n; i > 0; i -= stride) a[i] = 1; }\n"
    "void shares (int n) { int i; upc_forall (i = 0; i < n; i++; i * THREADS / n) a[i] = b[i]; }\n"
    "void thirds (int n) { int i; upc_forall (i = 0; i < n; i++; i / 3) a[i] = b[i]; }\n"
    "void jumps (int n) { int i; upc_forall (i = 0; i < n; i++; &a[7 * i]) b[i] = 1; }\n"
    "void pairs3 (int n) { int i; upc_forall (i = 0; i < n; i++; &a[2 * i]) b[i] = 1; }\n"
    "void single (int n) { int i; upc_forall (i = 0; i < n; i++; 3) a[i] = b[i]; }\n"
    "void modulo (int n, int k) { int i; upc_forall (i = k; i < n; i++; i % THREADS) c[i] = 1; }\n"
    "void odds (int n) { int i; upc_forall (i = 0; i < n; i++; i * i) c[i] = i; }\n";

static void
test_form_has_all_variables (void **state)
{
  struct loop *loop = plan_for ("sum");
  struct reference *r = loop->references;

  (void) state;
  assert_int_equal (loop->form, LOOP_STRIPS);
  assert_non_null (loop->bound);
  assert_string_equal (loop->induction->name->text, "i");
  assert_non_null (r);
  assert_int_equal (r->at.constant, 3);
  assert_int_equal (r->at.count, 2);
  assert_int_equal (induction_factor (&r->at, loop), 2);
  assert_int_equal (fixed_divisor (&r->at, loop), 4);
  assert_true (r->at.is_early);
  assert_int_equal (r->stride_kind, STRIDE_IN_BLOCK);
  assert_int_equal (r->stride, 2);
  assert_false (r->stays);
}

static void
test_equal_forms_are_one_reference (void **state)
{
  struct loop *loop = plan_for ("equal");

  (void) state;
  assert_int_equal (loop->reference_count, 2);
  assert_ptr_equal (access_by (loop, "a")->loop, loop);
  assert_int_equal (access_by (loop, "a")->address, ADDRESS_REFERENCE);
}

static struct loop *
plan_for_while (const char *function)
{
  return while_in (function)->plan;
}

static void
test_pointers_walk_once_in_each_iteration (void **state)
{
  static const char *const others[] = { "skips",    "sees",  "some",    "again",
                                        "given_on", "inner", "next_of", "leaves" };
  struct loop *loop = plan_for_while ("drain");

  (void) state;
  assert_int_equal (loop->form, LOOP_STRIPS);
  assert_string_equal (loop->counter->decl->name->text, "n");
  assert_int_equal (loop->references->next->stride, 1);
  assert_int_equal (loop->references->stride, -1);
  assert_int_equal (loop->references->at.constant, -1);
  loop = plan_for_while ("fill");
  assert_string_equal (loop->induction->name->text, "p");
  assert_non_null (loop->bound);
  assert_null (loop->counter);
  assert_int_equal (access_by (loop, "p")->reference->at.constant, 1);
  loop = plan_for ("pair");
  assert_string_equal (loop->induction->name->text, "p");
  assert_null (loop->bound);
  assert_int_equal (loop->reference_count, 2);
  assert_true (plan_for ("long_way")->references->stays);
  assert_null (plan_for_while ("counted")->counter);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal (plan_for_while (others[i])->form, LOOP_AS_WRITTEN);
}

static void
test_strides (void **state)
{
  struct loop *loop = plan_for ("down");

  (void) state;
  assert_true (loop->is_down);
  assert_int_equal (access_by (loop, "a")->reference->stride, -1);
  assert_int_equal (access_by (loop, "c")->reference->stride_kind, BLOCK_STRIDE);
  assert_int_equal (access_by (plan_for ("wraps"), "a")->reference->at.wrap, WRAPS_DOWN);
  assert_int_equal (access_by (plan_for ("less"), "a")->reference->at.constant, -3);
}

static void
test_steps_by_rounds_stay_in_a_thread (void **state)
{
  struct reference *r = access_by (plan_for ("rounds"), "c")->reference;

  (void) state;
  assert_true (r->stride_kind == STRIDE_IN_BLOCK && r->stays && r->stride == 1);
  assert_false (access_by (plan_for ("rounds"), "big")->reference->stays);
  assert_int_equal (access_by (plan_for ("two_rounds"), "c")->reference->stride, -2);
}

static void
test_reasons (void **state)
{
  static const char *const pure[] = { "attributes", "roots", "bodies" };
  static const char *const effects[] = { "own_roots", "two_calls", "recursion", "by_address" };

  (void) state;
  assert_string_equal (access_by (plan_for ("square"), "a")->reason,
                       "'i * i' is no affine expression of 'i'");
  assert_int_equal (access_by (plan_for ("calls"), "p")->address, ADDRESS_REFERENCE);
  assert_int_equal (access_by (plan_for ("global"), "q")->address, ADDRESS_COMPUTED);
  for (int i = 0; i < 3; i++)
    assert_int_equal (access_by (plan_for (pure[i]), "q")->address, ADDRESS_REFERENCE);
  for (int i = 0; i < 4; i++)
    assert_int_equal (access_by (plan_for (effects[i]), "q")->address, ADDRESS_COMPUTED);
  assert_string_equal (access_by (plan_for ("divided"), "a")->reason,
                       "'i + n / k' cannot be evaluated before the loop");
  assert_int_equal (plan_for ("stored_step")->form, LOOP_AS_WRITTEN);
  assert_int_equal (plan_for ("labelled")->form, LOOP_AS_WRITTEN);
  assert_string_equal (plan_for ("labelled")->reason, "a label or case leads into it");
  assert_int_equal (plan_for ("odds")->form, LOOP_CHECKED);
}

static void
test_rows_are_hoisted (void **state)
{
  struct loop *outer = plan_for ("rows");
  struct access_plan *p = access_by (outer, "m");

  (void) state;
  assert_true (is_row (outer->references));
  assert_ptr_equal (p->loop->outer, outer);
  assert_ptr_equal (p->reference->row->loop, outer);
  assert_true (p->reference->stays_in_row);
}

static void
test_rows_of_pointers_are_hoisted (void **state)
{
  struct loop *outer = plan_for ("rowp");
  struct access_plan *p = access_by (outer, "r");

  (void) state;
  assert_true (is_row (outer->references));
  assert_true (is_pointer (outer->references));
  assert_ptr_equal (p->reference->row->loop, outer);
  assert_true (p->reference->stays_in_row);
  assert_false (p->reference->stays);
  outer = plan_for ("rowpn");
  p = access_by (outer, "r");
  assert_ptr_equal (p->reference->row->loop, outer);
  assert_false (p->reference->stays_in_row);
}

static void
test_pointers_step_from_strip_to_strip (void **state)
{
  struct loop *loop = plan_for ("walk");

  (void) state;
  assert_int_equal (loop->form, LOOP_STRIPS);
  assert_true (is_by_pointer (loop));
  assert_int_equal (loop->reference_count, 2);
  assert_int_equal (access_by (loop, "p")->reference->stride_kind, STRIDE_IN_BLOCK);
  assert_int_equal (access_by (loop, "p")->reference->at.constant, 1);
  assert_int_equal (plan_for ("until")->form, LOOP_STRIPS);
  assert_null (plan_for ("until")->bound);
  assert_int_equal (plan_for ("leaps")->form, LOOP_AS_WRITTEN);
  assert_int_equal (plan_for ("cells")->form, LOOP_STRIPS);
}

static void
test_pointers_find_their_own_elements (void **state)
{
  (void) state;
  assert_true (plan_for ("mine")->may_be_flat);
  assert_true (plan_for ("mine")->references->is_own);
  assert_true (plan_for ("each")->references->is_own);
  assert_int_equal (plan_for ("ahead")->form, LOOP_STRIPS);
  assert_false (plan_for ("ahead")->references->is_own);
  assert_int_equal (plan_for ("given")->form, LOOP_ONE_BY_ONE);
  assert_int_equal (plan_for ("global_end")->form, LOOP_ONE_BY_ONE);
  assert_false (plan_for ("by_two")->is_by_one);
  assert_true (access_by (plan_for ("by_two"), "c")->reference->is_own);
  /* One thread has all blocks in a row, but a pointer's phase goes round in them. */
  switches.threads = 1;
  assert_false (plan_for ("alone")->references->stays);
  switches.threads = 4;
}

static void
test_steps_have_strips (void **state)
{
  (void) state;
  assert_true (plan_for ("shares")->is_consecutive);
  assert_true (plan_for ("shares")->is_independent);
  assert_int_equal (access_by (plan_for ("shares"), "a")->reference->stride_kind, STRIDE_IN_BLOCK);
  assert_int_equal (access_by (plan_for ("thirds"), "b")->address, ADDRESS_REFERENCE);
  assert_false (plan_for ("jumps")->is_consecutive);
  assert_int_equal (access_by (plan_for ("jumps"), "b")->address, ADDRESS_COMPUTED);
  assert_true (plan_for ("pairs3")->is_consecutive);
  assert_false (plan_for ("pairs3")->may_be_flat);
  assert_int_equal (access_by (plan_for ("single"), "a")->address, ADDRESS_REFERENCE);
  assert_true (access_by (plan_for ("modulo"), "c")->reference->is_own);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_form_has_all_variables),
    cmocka_unit_test (test_equal_forms_are_one_reference),
    cmocka_unit_test (test_pointers_walk_once_in_each_iteration),
    cmocka_unit_test (test_strides),
    cmocka_unit_test (test_steps_by_rounds_stay_in_a_thread),
    cmocka_unit_test (test_reasons),
    cmocka_unit_test (test_rows_are_hoisted),
    cmocka_unit_test (test_rows_of_pointers_are_hoisted),
    cmocka_unit_test (test_pointers_step_from_strip_to_strip),
    cmocka_unit_test (test_pointers_find_their_own_elements),
    cmocka_unit_test (test_steps_have_strips),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
