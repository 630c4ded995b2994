/* The planner of programs of several processes: loops that are written twice (plan/all_near.c). */

#include "tests/unit/upc2c/planned.h"

const char source[] = PLANNED_DECLARATIONS
    "shared [100] double m2[400][100], t2[400][100];\n"
    "void product (int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)\n"
    "  m2[i][j] += t2[i][k] * t2[k][j]; }\n"
    "void short_rows (int n) { for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) big[i + k] = s; }\n"
    "void last_value (int n) { int k; for (int i = 0; i < n; i++) for (k = 0; k < 3; k++) big[i + k] = s; s = k; }\n"
    "void inside_value (int n) { int k; for (int i = 0; i < n; i++) { for (k = 0; k < 3; k++) big[i + k] = s; s = k; } }\n"
    "void own_value (int n) { for (int i = 0; i < n; i++) { int k; for (k = 0; k < 3; k++) big[i + k] = s; s = k; } }\n"
    "void of_threads (int n) { upc_forall (int i = 0; i < n; i++; &big[i]) big[i] = 1; }\n"
    "void while_loop (int n) { while (n-- > 0) { if (big[n] == 3) return; do s--; while (big[s] > s); } }\n"
    "void do_loop (int n) { do { s += big[n]; n = pure (n); } while (n > 0); }\n"
    "void calls (int n) { for (int i = 0; i < n; i++) { big[i] = 1; f (); } }\n"
    "void with_barrier (int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) big[j] = 1; upc_barrier; } }\n"
    "void private_alone (int n) { for (int i = 0; i < n; i++) at[i] = own[i]; }\n"
    "void no_access (int n) { for (int i = 0; i < n; i++) at[i] = MYTHREAD + upc_blocksizeof (big); }\n"
    "void behind_pragma (int n) {\n#pragma GCC ivdep\n for (int i = 0; i < n; i++) big[i] = 1; }\n"
    "void strict_ones (int n) { for (int i = 0; i < n; i++) { big[i] = 1; flag = i; } }\n"
    "void waits (int n) { for (int i = 0; i < n; i++) { while (big[3] == 0) ; big[i] = 1; } }\n"
    "void jumps (int n) { for (int i = 0; i < n; i++) { if (big[i]) goto out; } out: ; }\n"
    "void has_array (int n) { for (int i = 0; i < n; i++) { int v[3] = { 1 }; big[i] = v[i & 1]; } }\n"
    "void one_process (int n) { for (int i = 0; i < n; i++) big[i] = 1; }\n";

static int
set_up_network (void **state)
{
  switches.network = true;
  return set_up (state);
}

static bool
find_copied (struct stmt *s, void *found)
{
  if (s->all_near)
    *(struct stmt **) found = s;
  return s->all_near;
}

/* Plans FUNCTION: the first loop in it that has a copy, or NULL. */
static struct stmt *
copied_in (const char *function)
{
  struct decl *f = function_named (function);
  struct stmt *found = NULL;

  assert_non_null (f);
  plan_function (f, false);
  any_stmt (f->body, find_copied, &found);
  return found;
}

static void
test_copies_are_planned_as_in_one_process (void **state)
{
  struct stmt *s = copied_in ("product");

  (void) state;
  assert_non_null (s->all_near->then->plan->lanes);
  assert_null (s->then->plan->lanes);
  assert_true (switches.network);
  s = copied_in ("of_threads");
  assert_true (s->all_near->plan->may_be_flat);
  assert_true (s->plan->asks_once);
  assert_false (s->all_near->plan->asks_once);
}

static void
test_the_outermost_loop_is_copied (void **state)
{
  struct stmt *s = copied_in ("product");

  (void) state;
  assert_null (s->then->all_near);
  assert_ptr_not_equal (s->all_near->then, s->then);
  assert_ptr_not_equal (s->all_near->declaration->decls, s->declaration->decls);
  /* What a barrier is in has loops of its own. */
  s = copied_in ("with_barrier");
  assert_ptr_not_equal (s, function_named ("with_barrier")->body->items);
  assert_non_null (s);
}

static void
test_all_kinds_of_loops_are_copied (void **state)
{
  (void) state;
  assert_non_null (copied_in ("while_loop"));
  assert_non_null (copied_in ("do_loop"));
  assert_non_null (copied_in ("calls"));
}

static void
test_short_loops_in_copies_are_unrolled (void **state)
{
  (void) state;
  assert_int_equal (copied_in ("short_rows")->all_near->then->kind, STMT_BLOCK);
  assert_int_equal (copied_in ("last_value")->all_near->then->kind, STMT_FOR);
  assert_int_equal (copied_in ("inside_value")->all_near->then->items->kind, STMT_FOR);
  assert_int_equal (copied_in ("own_value")->all_near->then->items->next->kind, STMT_FOR);
}

static void
test_others_are_written_once (void **state)
{
  static const char *const names[] = { "private_alone", "no_access", "behind_pragma", "strict_ones",
                                       "waits",         "jumps",     "has_array" };

  (void) state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (copied_in (names[i]))
      fail_msg ("%s", names[i]);
  switches.network = false;
  assert_null (copied_in ("one_process"));
  switches.network = true;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_copies_are_planned_as_in_one_process),
    cmocka_unit_test (test_the_outermost_loop_is_copied),
    cmocka_unit_test (test_all_kinds_of_loops_are_copied),
    cmocka_unit_test (test_short_loops_in_copies_are_unrolled),
    cmocka_unit_test (test_others_are_written_once),
  };

  return cmocka_run_group_tests (tests, set_up_network, NULL);
}
