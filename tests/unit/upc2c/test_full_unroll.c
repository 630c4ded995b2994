/* The planner: short loops whose iterations are put in their place. */

#include "tests/unit/upc2c/planned.h"

/* clang-format off */
#define NEST(name, ...) \
  "void " name " (int n, int i) { int b = 9; for (int j = 1; j < n; j++) { int x = 0; " __VA_ARGS__ " c[j] = x; } }\n"

const char source[] = PLANNED_DECLARATIONS
    "shared [4] int g4[160][16]; volatile int seen; int global; int late (int);\n"
    NEST ("up", "for (int b = -1; b <= 1; b++) x += m[i][j + b];")
    NEST ("up_by_two", "for (int b = -3; b < 3; b += 2) x += m[i][j + b];")
    NEST ("down", "for (long b = 2; b >= 0; b--) x += m[i][j - b];")
    NEST ("not_equal", "for (unsigned b = 0; b != 4; b++) x += m[i][j + b];")
    NEST ("of_rows", "for (int b = -1; b <= 1; b++) x += m[i + b][j];")
    NEST ("stores_there", "for (int b = -1; b <= 1; b++) m[i][j + b] = b;")
    NEST ("declares", "for (int b = -1; b <= 1; b++) { int t = m[i][j + b], u; u = t; if (u) x += t; }")
    NEST ("by_steps_behind", "for (int b = 0; b < 3; b++) x += c[j * 8 + b];")
    NEST ("by_steps", "for (int b = 0; b < 3; b++) x += c[8 * j + b];")
    NEST ("nested_twice", "for (int a = 0; a < 5; a++) for (int b = 0; b < 5; b++) x += c[a * 5 + b] * m[i + a][j + b];")
    NEST ("nested", "for (int a = 0; a < 2; a++) for (int b = -1; b <= 1; b++) x += m[i + a][j + b];")
    NEST ("outer", "for (b = -1; b <= 1; b++) x += m[i][j + b];")
    NEST ("outer_twice", "for (b = -1; b <= 1; b++) x += m[i][j + b]; for (b = 0; b <= 1; b++) x += m[i][j + b];")
    NEST ("eight", "for (int b = 0; b < 8; b++) x += m[i][j + b];")
    NEST ("in_small_blocks", "for (int t = 0; t < 8; t++) for (int b = 0; b < 8; b++) x += g4[i + t][j + b];")
    NEST ("in_small_rows", "for (int b = 0; b < 8; b++) x += g4[j][b];")
    NEST ("in_large_blocks", "for (int t = 0; t < 8; t++) for (int b = 0; b < 8; b++) x += m[i + t][j + b] * m[t][b];")
    NEST ("checked", "for (int b = -1; b <= 1; b++) x += m[i][j + b];")
    NEST ("raced", "for (int b = -1; b <= 1; b++) x += m[i][j + b];")
    NEST ("of_processes", "for (int b = -1; b <= 1; b++) x += m[i][j + b];")
    NEST ("plain", "for (int b = -1; b <= 1; b++) x += m[i][j + b];")

    NEST ("seventeen", "for (int b = 0; b < 17; b++) x += m[i][j + b];")
    NEST ("none", "for (int b = 0; b < 0; b++) x += m[i][j + b];")
    NEST ("unknown", "for (int b = 0; b < i; b++) x += m[i][j + b];")
    NEST ("by_value", "for (int b = -1; b <= 1; b += i) x += m[i][j + b];")
    NEST ("wraps", "for (unsigned b = -1u; b != 1; b++) x += m[i][j + b];")
    NEST ("far", "for (long b = -5000000000; b < -4999999998; b++) x += m[i][j + b + 5000000000];")
    NEST ("much", "for (int b = 0; b < 8; b++) x += m[i][j + b] + m[i + b][j] + a[j + b] + a[i + b] + c[j + b] + z[j + b] + a[j - b] + z[j - b] + c[j - b];")
    NEST ("nested_much", "for (int a = 0; a < 8; a++) for (int b = 0; b < 8; b++) x += m[i + a][j + b] + m[a][b];")
    NEST ("nested_much_along", "for (int a = 0; a < 8; a++) for (int b = 0; b < 8; b++) x += m[i + a][j + b] + c[2 * a + b];")
    NEST ("by_shifted_rows", "for (int b = 0; b < 3; b++) x += c[(j << 4) + b];")
    NEST ("by_rows_backwards", "for (int b = 0; b < 3; b++) x += c[1500 + -9 * j + b];")
    NEST ("by_rows", "for (int b = 0; b < 3; b++) x += c[9 * j + b];")
    NEST ("by_rows_around", "for (int t = 0; t < n; t++) for (int b = 0; b < 3; b++) x += m[i + t][j + b];")
    NEST ("of_row", "for (int b = 0; b < 3; b++) x += m[j][b];")
    NEST ("alone", "for (int b = 0; b < 3; b++) x += a[2 * b];")
    NEST ("of_others", "for (int b = 0; b < 3; b++) x += a[i + j];")
    NEST ("leaves", "for (int b = -1; b <= 1; b++) { if (x) break; x += m[i][j + b]; }")
    NEST ("goes_on", "for (int b = -1; b <= 1; b++) { if (x) continue; x += m[i][j + b]; }")
    NEST ("calls", "for (int b = -1; b <= 1; b++) x += late (m[i][j + b]);")
    NEST ("changes", "for (int b = -1; b <= 1; b++) { x += m[i][j + b]; if (x) b++; }")
    NEST ("by_pointer", "for (int b = -1; b <= 1; b++) { int *p = &b; x += m[i][j + b] + *p; }")
    NEST ("keeps", "for (int b = -1; b <= 1; b++) { static int t; t += m[i][j + b]; x = t; }")
    NEST ("has_array", "for (int b = -1; b <= 1; b++) { int t[2] = { 0 }; x += m[i][j + b] + t[0]; }")
    NEST ("has_expression", "for (int b = -1; b <= 1; b++) x += ({ m[i][j + b]; });")
    NEST ("has_literal", "for (int b = -1; b <= 1; b++) x += m[i][j + b] + (int) { b };")
    NEST ("outer_wanted", "for (b = -1; b <= 1; b++) x += m[i][j + b]; x += b;")
    NEST ("outer_wanted_first", "x += b; for (b = -1; b <= 1; b++) x += m[i][j + b];")
    NEST ("outer_wanted_else", "for (b = -1; b <= 1; b++) x += m[i][j + b]; if (i) x = 1; else x += b;")
    NEST ("outer_goes_on", "for (b = -1; b <= 1; b++) x += m[i][j + b]; for (; b < 4; b++) x++;")
    NEST ("outer_of_itself", "for (b = -1; b <= 1; b++) x += m[i][j + b]; for (b = b + 1; b < 4; b++) x++;")
    NEST ("outer_entered", "if (i) goto in; for (b = -1; b <= 1; b++) x += m[i][j + b]; for (b = 0; b < 4; b++) { in: x += b; }")
    NEST ("outer_volatile", "for (seen = -1; seen <= 1; seen++) x += m[i][j + seen];")
    NEST ("outer_global", "for (global = -1; global <= 1; global++) x += m[i][j + global];")
    NEST ("two_counters", "for (int b = -1, t = 0; b <= 1; b++) x += m[i][j + b] * t;")
    NEST ("two_steps", "int t = 0; for (int b = -1; b <= 1; b++, t++) x += m[i][j + b] * t;")
    NEST ("own_pragma", "\n#pragma GCC unroll 2\nfor (int b = -1; b <= 1; b++) x += m[i][j + b];")
    "void collapsed (int n, int i) { int x = 0;\n#pragma omp parallel for collapse(2)\n"
    "  for (int j = 1; j < n; j++) for (int b = -1; b <= 1; b++) m[i][j + b] = x; }\n"
    "void no_loop (int j, int i) { for (int b = -1; b <= 1; b++) m[i][j + b] = 1; }\n";
/* clang-format on */

struct counted
{
  int blocks;
  int64_t sum; /* of the constants */
};

static bool
count_block (struct stmt *s, void *data)
{
  struct counted *counted = data;

  if (s->fixed)
    {
      counted->blocks++;
      /* Of many iterations it wraps around. */
      counted->sum = (int64_t) ((uint64_t) counted->sum * 10 + (uint64_t) s->fixed->value);
    }
  return false;
}

static struct counted
unrolled (const char *function)
{
  struct counted counted = { 0, 0 };

  plan_function (function_named (function), false);
  any_stmt (function_named (function)->body, count_block, &counted);
  return counted;
}

static void
test_iterations_take_the_place_of_their_loop (void **state)
{
  (void) state;
  assert_int_equal (unrolled ("up").blocks, 3);
  assert_int_equal (unrolled ("up").sum, -99);
  assert_int_equal (unrolled ("up_by_two").sum, -309);
  assert_int_equal (unrolled ("down").sum, 210);
  assert_int_equal (unrolled ("not_equal").sum, 123);
  assert_int_equal (unrolled ("of_rows").blocks, 3);
  assert_int_equal (unrolled ("stores_there").blocks, 3);
  assert_int_equal (unrolled ("declares").blocks, 3);
  assert_int_equal (unrolled ("nested").blocks, 8);
  assert_int_equal (unrolled ("nested_twice").blocks, 30);
  assert_int_equal (unrolled ("by_steps").blocks, 3);
  assert_int_equal (unrolled ("by_steps_behind").blocks, 3);
  assert_int_equal (unrolled ("outer").blocks, 3);
  assert_int_equal (unrolled ("outer_twice").blocks, 5);
  assert_int_equal (unrolled ("eight").blocks, 8);
}

static void
test_others_stay (void **state)
{
  static const char *const others[] = {
    "seventeen",
    "none",
    "unknown",
    "by_value",
    "wraps",
    "far",
    "much",
    "nested_much",
    "nested_much_along",
    "by_shifted_rows",
    "by_rows_backwards",
    "by_rows",
    "by_rows_around",
    "of_row",
    "alone",
    "of_others",
    "leaves",
    "goes_on",
    "calls",
    "changes",
    "by_pointer",
    "keeps",
    "has_array",
    "has_expression",
    "has_literal",
    "outer_wanted",
    "outer_wanted_first",
    "outer_wanted_else",
    "outer_goes_on",
    "outer_of_itself",
    "outer_entered",
    "outer_volatile",
    "outer_global",
    "two_counters",
    "two_steps",
    "own_pragma",
    "collapsed",
    "no_loop",
  };

  (void) state;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (unrolled (others[i]).blocks != 0)
      fail_msg ("%s", others[i]);
}

static void
test_the_loop_around_has_strips_of_each (void **state)
{
  struct loop *loop = plan_for ("up");

  (void) state;
  assert_int_equal (loop->reference_count, 4);
  assert_int_equal (access_by (loop, "m")->address, ADDRESS_REFERENCE);
  assert_ptr_equal (access_by (loop, "m")->loop, loop);
}

/* Two copies of `int t` are two variables. */
static bool
note_decl (struct expr *e, void *data)
{
  const struct decl **of = data;

  if (e->kind != EXPR_NAME || e->decl->name->text[0] != 'u')
    return false;
  if (of[0] && of[0] != e->decl)
    of[1] = e->decl;
  of[0] = of[0] ? of[0] : e->decl;
  return false;
}

static void
test_what_a_copy_declares_is_its_own (void **state)
{
  const struct decl *of[2] = { NULL, NULL };

  (void) state;
  plan_function (function_named ("declares"), false);
  any_in_stmt (function_named ("declares")->body, note_decl, of);
  assert_non_null (of[1]);
}

static void
test_clang_finds_neighbours_in_small_blocks (void **state)
{
  (void) state;
  switches.clang = true;
  assert_int_equal (unrolled ("in_small_blocks").blocks, 8 + 64);
  assert_int_equal (unrolled ("in_small_rows").blocks, 0);
  assert_int_equal (unrolled ("in_large_blocks").blocks, 0);
  switches.clang = false;
}

static void
test_checks_are_those_of_the_loop (void **state)
{
  static const struct
  {
    bool *is_on;
    const char *function;
  } with[] = { { &switches.check, "checked" },
               { &switches.race, "raced" },
               { &switches.network, "of_processes" } };

  (void) state;
  for (size_t i = 0; i < sizeof with / sizeof *with; i++)
    {
      *with[i].is_on = true;
      assert_int_equal (unrolled (with[i].function).blocks, 0);
      *with[i].is_on = false;
    }
  assert_int_equal (unrolled ("plain").blocks, 3);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_iterations_take_the_place_of_their_loop),
    cmocka_unit_test (test_others_stay),
    cmocka_unit_test (test_the_loop_around_has_strips_of_each),
    cmocka_unit_test (test_what_a_copy_declares_is_its_own),
    cmocka_unit_test (test_clang_finds_neighbours_in_small_blocks),
    cmocka_unit_test (test_checks_are_those_of_the_loop),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
