/* The planner: pointers that walk in blocks of 1, where a cursor has the addresses. */

#include "tests/unit/upc2c/planned.h"

#define LOOP(name, head, body)                                                                     \
  "void " #name                                                                                    \
  " (int n, shared int *p, shared int *e, shared int *q, int u) { int t = 0; for (" head ") " body \
  " }\n"

const char source[] = PLANNED_DECLARATIONS "shared struct { int v[2]; } *r;\n" LOOP (
    up_to, "; p < e; p++", "f (*p);") LOOP (until, "; p != e; p++", "f (*p);")
    LOOP (down, "; p < e; p++, q--", "t = t * 3 + *p - *q;") LOOP (before, "; p < e; p++",
                                                                   "t = t * 3 + *--q - *p;")
        LOOP (counts, "; n--;", "t = t * 3 + *p++;") LOOP (fills, "; n--;", "{ *p++ = t; t += 2; }")
            LOOP (numbered, "int i = 0; i < n; i++", "{ t = t * 3 + *p; p++; }")
                LOOP (beside, "int i = 0; i < n; i++", "{ t = t * 3 + *p++ + a[i]; }")
                    LOOP (searches, "; p < e; p++",
                          "if (*p == n) break;") LOOP (reads, "; p < e; p++", "{ f (*p, p); }")
                        LOOP (reads_next, "; p < e; p++",
                              "{ f (*p, p[1]); }") LOOP (stops, "; p < e && *p; p++", "f (*p);")
                            LOOP (unbound, "; *p; p++", "f (1);") LOOP (fills_up, "; t < n; p++",
                                                                        "t = t * 3 + *p;")
                                LOOP (stops_in_time, "; n--; p++", "f (*p, e);")
                                    LOOP (asks_it, "int i = 0; i < n; i++",
                                          "{ f (*p); p++; if (e == p) t++; }")
                                        LOOP (checked, "; p < e; p++", "f (*p);")
                                            LOOP (raced, "; p < e; p++", "f (*p);")
                                                LOOP (networked, "; p < e; p++", "f (*p);")
                                                    LOOP (jumps, "; p < e; p++",
                                                          "{ f (*p); if (t) goto out; } out: ;");

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

/* They ask the pointer what it leads to. */
static void
test_checked_loops_have_none (void **state)
{
  static const struct
  {
    const char *function;
    bool *kind;
  } all[] = { { "checked", &switches.check },
              { "raced", &switches.race },
              { "networked", &switches.network } };

  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      *all[i].kind = true;
      assert_null (cursor_of (all[i].function, "p"));
      *all[i].kind = false;
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_cursors_have_the_addresses),
    cmocka_unit_test (test_loops_that_need_the_pointer_have_none),
    cmocka_unit_test (test_checked_loops_have_none),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
