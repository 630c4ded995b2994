/* The planner of programs of several processes: what of far memory is fetched before a strip, and put behind it
   (plan/moved.c). */

#include "tests/unit/upc2c/planned.h"

#define LOOP "for (int i = 0; i < n; i++) "

const char source[] = PLANNED_DECLARATIONS
    "shared [] int *r0; shared [100] int m2[400][100], t2[400][100]; shared double wide[4000];\n"
    "static double t;\n"
    "void alone (int n) { " LOOP "t += big[i] + c[at[i]]; }\n"
    "void reads (int n) { " LOOP "s += big[i]; }\n"
    "void copies (int n) { " LOOP "at[i] = big[i]; }\n"
    "void writes (int n) { " LOOP "big[i] = at[i]; }\n"
    "void changes (int n) { " LOOP "big[i] += at[i]; }\n"
    "void reads_first (int n) { " LOOP "{ int x = big[i]; big[i] = x * x; } }\n"
    "void leaves_out (int n) { " LOOP "if (at[i]) big[i] = 1; }\n"
    "void may_leave_out (int n) { " LOOP "at[i] && (big[i] = 1); }\n"
    "void by_steps (int n) { " LOOP "big[2 * i] = 1; }\n"
    "void overlaps (int n) { for (int i = 1; i < n; i++) big[i] = big[i - 1]; }\n"
    "void apart (void) { for (int i = 0; i < 400; i++) big[i] = big[i + 400]; }\n"
    "void meets_pointer (int n, shared [1000] int *p) { " LOOP "big[i] = p[i]; }\n"
    "void only_reads (int n, shared [1000] int *p) { " LOOP "s += big[i] * p[i]; }\n"
    "void orders (int n) { " LOOP "{ s += big[i]; flag = 1; } }\n"
    "void waits (int n) { " LOOP "{ s += big[i]; upc_barrier; } }\n"
    "void leaves (int n) { " LOOP "{ s += big[i]; if (s > 9) break; } }\n"
    "void unknown (int n) { for (int i = 0; at[i]; i++) s += big[i]; }\n"
    "void between (int n) { " LOOP "big[i] = vast[i] + 1; }\n"
    "void in_small_blocks (int n) { " LOOP "t += a[i]; }\n"
    "struct pair { int x, y; }; extern shared [1000] int open_ended[];\n"
    "void extent (int n) { " LOOP "big[i] += at[i]; }\n"
    "void may_wrap (unsigned n, unsigned k) { for (unsigned i = 0; i < n; i++) s += big[i + k]; }\n"
    "void whole (int n, shared [1000] int *p) { " LOOP "p[i] = 1; }\n"
    "void member (int n, shared [1000] struct pair *p) { " LOOP "s += p[i].x; }\n"
    "void plain_member (int n, shared [1000] struct pair *p) { " LOOP "s += p[i].x; }\n"
    "shared [1000] double _Complex numbers[4000];\n"
    "void complex_parts (int n) { " LOOP "t += __real__ numbers[i] + __imag__ numbers[i]; }\n"
    "void complex_part_too (int n) { " LOOP
    "t += __real__ (numbers[i] * 2) + __imag__ numbers[i]; }\n"
    "void complex_all (int n) { " LOOP "t += __real__ (numbers[i] * 2); }\n"
    "void no_extent (int n) { " LOOP "s += open_ended[i]; }\n"
    "void plain_no_extent (int n) { " LOOP "s += open_ended[i]; }\n";

enum moves
{
  NOTHING,
  FETCHES,
  PUTS,
  BOTH
};

/* What FUNCTION's loop does with its references, together. */
static int
moves_in (const char *function)
{
  int moves = NOTHING;

  for (struct reference *r = plan_for (function)->references; r; r = r->next)
    moves |= (r->is_fetched ? FETCHES : 0) | (r->is_put ? PUTS : 0);
  return moves;
}

static int
set_up_network (void **state)
{
  switches.network = true;
  return set_up (state);
}

static void
test_strips_that_are_moved (void **state)
{
  (void) state;
  assert_int_equal (moves_in ("reads"), FETCHES);
  assert_int_equal (moves_in ("copies"), FETCHES);
  assert_int_equal (moves_in ("writes"), PUTS);
  assert_int_equal (moves_in ("changes"), BOTH);
  assert_int_equal (moves_in ("reads_first"), BOTH);
  assert_int_equal (moves_in ("apart"), BOTH);
  assert_int_equal (moves_in ("only_reads"), FETCHES);
  assert_int_equal (moves_in ("between"), BOTH);
  assert_int_equal (moves_in ("complex_all"), FETCHES);
}

static void
test_strips_that_are_not (void **state)
{
  (void) state;
  assert_int_equal (moves_in ("leaves_out"), NOTHING);
  assert_int_equal (moves_in ("may_leave_out"), NOTHING);
  assert_int_equal (moves_in ("by_steps"), NOTHING);
  assert_int_equal (moves_in ("overlaps"), NOTHING);
  assert_int_equal (moves_in ("meets_pointer"), NOTHING);
  assert_int_equal (moves_in ("orders"), NOTHING);
  assert_int_equal (moves_in ("waits"), NOTHING);
  assert_int_equal (moves_in ("leaves"), NOTHING);
  assert_int_equal (moves_in ("unknown"), NOTHING);
  assert_int_equal (moves_in ("in_small_blocks"), NOTHING);
  assert_int_equal (moves_in ("complex_parts"), NOTHING);
  assert_int_equal (moves_in ("complex_part_too"), NOTHING);
}

/* What is looked up once for a strip. */
static void
test_checked_code (void **state)
{
  (void) state;
  assert_int_equal (moves_in ("plain_member"), FETCHES);
  assert_int_equal (moves_in ("plain_no_extent"), FETCHES);
  switches.check = true;
  assert_int_equal (moves_in ("extent"), BOTH);
  assert_int_equal (moves_in ("may_wrap"), FETCHES);
  assert_int_equal (moves_in ("whole"), PUTS);
  assert_int_equal (moves_in ("member"), NOTHING);
  assert_int_equal (moves_in ("no_extent"), NOTHING);
  switches.check = false;
}

static void
test_other_programs (void **state)
{
  (void) state;
  switches.network = false;
  assert_int_equal (moves_in ("alone"), NOTHING);
  switches.network = true;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_strips_that_are_moved),
    cmocka_unit_test (test_strips_that_are_not),
    cmocka_unit_test (test_checked_code),
    cmocka_unit_test (test_other_programs),
  };

  return cmocka_run_group_tests (tests, set_up_network, NULL);
}
