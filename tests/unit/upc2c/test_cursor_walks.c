/* The planner: pointers that walk in blocks of 1, where a cursor has the addresses. */

#include "tests/unit/upc2c/planned.h"

#define OF_WALKS "(int n, shared int *p, shared int *e, shared int *q) { int t = 0; for ("

const char source[] = PLANNED_DECLARATIONS
    "void up_to " OF_WALKS "; p < e; p++) f (*p); }\n"
    "void until " OF_WALKS "; p != e; p++) f (*p); }\n"
    "void down " OF_WALKS "; p < e; p++, q--) t = t * 3 + *p - *q; }\n"
    "void before " OF_WALKS "; p < e; p++) t = t * 3 + *--q - *p; }\n"
    "void counts " OF_WALKS "; n--;) t = t * 3 + *p++; }\n"
    "void fills " OF_WALKS "; n--;) { *p++ = t; t += 2; } }\n"
    "void numbered " OF_WALKS "int i = 0; i < n; i++) { t = t * 3 + *p; p++; } }\n"
    "void beside " OF_WALKS "int i = 0; i < n; i++) t = t * 3 + *p++ + a[i]; }\n"
    "void searches " OF_WALKS "; p < e; p++) if (*p == n) break; }\n"
    "void reads " OF_WALKS "; p < e; p++) f (*p, p); }\n"
    "void reads_next " OF_WALKS "; p < e; p++) f (*p, p[1]); }\n"
    "void stops " OF_WALKS "; p < e && *p; p++) f (*p); }\n"
    "void unbound " OF_WALKS "; *p; p++) f (1); }\n"
    "void fills_up " OF_WALKS "; t < n; p++) t = t * 3 + *p; }\n"
    "void stops_in_time " OF_WALKS "; n--; p++) f (*p, e); }\n"
    "void asks_it " OF_WALKS "int i = 0; i < n; i++) { f (*p); p++; if (e == p) t++; } }\n"
    "void checked " OF_WALKS "; p < e; p++) f (*p); }\n"
    "void networked " OF_WALKS "; p < e; p++) f (*p); }\n"
    "void jumps " OF_WALKS "; p < e; p++) { f (*p); if (t) goto out; } out: ; }\n";

static struct reference *
cursor_of (const char *function, const char *pointer)
{
  struct reference *r = plan_for (function)->references;

  while (r && strcmp (r->root->decl->name->text, pointer) != 0)
    r = r->next;
  return r && r->walk && r->stride_kind == BLOCK_STRIDE ? r : NULL;
}

static void
test_cursors_have_the_addresses (void **state)
{
  static const char *const walks[] = { "up_to",    "until",  "down",  "before",       "counts",
                                       "numbered", "beside", "fills", "stops_in_time" };

  (void) state;
  for (size_t i = 0; i < sizeof walks / sizeof *walks; i++)
    assert_non_null (cursor_of (walks[i], "p"));
  assert_int_equal (cursor_of ("up_to", "p")->stride, 1);
  assert_true (cursor_of ("up_to", "p")->stays);
  assert_int_equal (cursor_of ("down", "q")->stride, -1);
  assert_int_equal (cursor_of ("down", "q")->at.constant, 0);
  assert_int_equal (cursor_of ("before", "q")->at.constant, -1);
}

static void
test_loops_that_need_the_pointer_have_none (void **state)
{
  static const char *const others[] = { "searches", "reads",    "reads_next", "stops",
                                        "unbound",  "fills_up", "asks_it",    "jumps" };

  (void) state;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_null (cursor_of (others[i], "p"));
}

/* Checks, and the race detector, are told addresses; what may be far is found by the pointer. */
static void
test_loops_whose_data_may_be_far_have_none (void **state)
{
  (void) state;
  switches.check = switches.race = true;
  assert_non_null (cursor_of ("checked", "p"));
  switches.check = switches.race = false;
  switches.network = true;
  assert_null (cursor_of ("networked", "p"));
  switches.network = false;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_cursors_have_the_addresses),
    cmocka_unit_test (test_loops_that_need_the_pointer_have_none),
    cmocka_unit_test (test_loops_whose_data_may_be_far_have_none),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
