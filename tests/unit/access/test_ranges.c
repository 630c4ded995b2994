/* What values expressions may have in nests of loops (include/upct/nest.h), against all values. */

#include <upct/access.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

char __upc_shared_start[64];

enum
{
  MOST = 4
};

static int
has (__upc_range r, long n)
{
  return r.__low <= n && n <= r.__high;
}

/* Calls CHECK for all ranges of small numbers. */
static void
for_ranges (void (*check) (__upc_range a, __upc_range b))
{
  for (long a = -MOST; a <= MOST; a++)
    for (long b = a; b <= MOST; b++)
      for (long c = -MOST; c <= MOST; c++)
        for (long d = c; d <= MOST; d++)
          check (__upc_range_between (a, b), __upc_range_between (c, d));
}

static void
check_operators (__upc_range a, __upc_range b)
{
  __upc_range sum = __upc_range_plus (a, b), difference = __upc_range_minus (a, b);
  __upc_range product = __upc_range_times (a, b), either = __upc_range_either (a, b);

  for (long x = a.__low; x <= a.__high; x++)
    for (long y = b.__low; y <= b.__high; y++)
      {
        assert_true (has (sum, x + y) && has (difference, x - y));
        assert_true (has (product, x * y) && has (either, x) && has (either, y));
      }
  assert_true (sum.__low == a.__low + b.__low && sum.__high == a.__high + b.__high);
  assert_true (difference.__low == a.__low - b.__high);
  assert_true (difference.__high == a.__high - b.__low);
}

static void
check_loop (__upc_range first, __upc_range bound)
{
  __upc_range up = __upc_range_of_loop (first, bound, 1);
  __upc_range down = __upc_range_of_loop (first, bound, -1);
  __upc_range up_by_3 = __upc_range_of_loop (first, bound, 3);
  __upc_range down_by_3 = __upc_range_of_loop (first, bound, -3);

  for (long f = first.__low; f <= first.__high; f++)
    for (long b = bound.__low; b <= bound.__high; b++)
      {
        for (long i = f; i < b; i++)
          assert_true (has (up, i));
        for (long i = f; i > b; i--)
          assert_true (has (down, i));
        for (long i = f; i < b; i += 3)
          assert_true (has (up_by_3, i));
        for (long i = f; i > b; i -= 3)
          assert_true (has (down_by_3, i));
        assert_true (__upc_range_count (up, 1) >= (double) (b - f));
        assert_true (__upc_range_count (up, 3) * 3 >= (double) (b - f));
      }
}

static void
test_operators (void **state)
{
  (void) state;
  for_ranges (check_operators);
}

static void
test_loops (void **state)
{
  (void) state;
  for_ranges (check_loop);
  assert_true (
      __upc_range_count (__upc_range_of_loop (__upc_range_at (3), __upc_range_at (3), 1), 1) == 0);
}

static void
test_steps_end_before_the_bound (void **state)
{
  __upc_range first = __upc_range_at (0), bound = __upc_range_at (48);

  (void) state;
  assert_int_equal (__upc_range_of_loop (first, bound, 16).__high, 32);
  assert_int_equal (__upc_range_of_loop (first, bound, 15).__high, 45);
  assert_int_equal (__upc_range_of_loop (bound, first, -16).__low, 16);
  assert_int_equal (__upc_range_of_loop (bound, first, -47).__low, 1);
  /* Where it starts is not known. */
  assert_int_equal (__upc_range_of_loop (__upc_range_between (0, 5), bound, 16).__high, 47);
  assert_int_equal (__upc_range_of_loop (bound, first, 16).__high, -1);
}

static void
test_large_numbers_are_unknown (void **state)
{
  __upc_range most = __upc_range_at (1l << 60), unknown = __upc_range_unknown ();

  (void) state;
  assert_true (__upc_range_is_known (most));
  assert_false (__upc_range_is_known (__upc_range_plus (most, __upc_range_at (1))));
  assert_false (
      __upc_range_is_known (__upc_range_minus (__upc_range_at (-(1l << 60)), __upc_range_at (1))));
  assert_false (__upc_range_is_known (__upc_range_times (most, __upc_range_at (1l << 40))));
  assert_false (__upc_range_is_known (__upc_range_times (most, __upc_range_at (-2))));
  assert_false (__upc_range_is_known (__upc_range_at (__LONG_MAX__)));
  assert_false (__upc_range_is_known (__upc_range_minus (unknown, unknown)));
  assert_false (__upc_range_is_known (__upc_range_times (__upc_range_at (0), unknown)));
  assert_false (__upc_range_is_known (__upc_range_times (unknown, __upc_range_at (0))));
  assert_false (__upc_range_is_known (__upc_range_either (unknown, most)));
  assert_false (__upc_range_is_known (__upc_range_of_loop (unknown, most, 1)));
  /* There may be some. */
  assert_true (__upc_range_count (unknown, 1) == 1);
}

static void
test_what_may_wrap_around_is_unknown (void **state)
{
  __upc_range r = __upc_range_between (-1, 5);

  (void) state;
  assert_false (__upc_range_is_known (__upc_range_of_type (r, 0, 0xffffffff)));
  assert_true (__upc_range_is_known (__upc_range_of_type (r, -128, 127)));
  assert_false (__upc_range_is_known (__upc_range_of_type (r, -128, 4)));
  assert_false (__upc_range_is_known (__upc_range_in_row (__upc_range_at (0), r, 10, 1)));
  r.__low = 0;
  assert_false (__upc_range_is_known (__upc_range_in_row (__upc_range_at (0), r, 5, 1)));
  r = __upc_range_in_row (__upc_range_between (30, 40), r, 6, 2);
  assert_true (r.__low == 30 && r.__high == 50);
}

static void
test_accesses_widen_what_is_copied (void **state)
{
  __upc_nest_array a;

  (void) state;
  __upc_nest_array_at (&a, __upc_null (), 1, 100, 4, 8);
  assert_true (a.__low > a.__high);
  __upc_nest_access (&a, __upc_range_between (3, 7), 0);
  assert_true (a.__low > a.__high && !(a.__accesses > 0));
  __upc_nest_access (&a, __upc_range_between (3, 7), 2);
  __upc_nest_access (&a, __upc_range_between (5, 9), 4);
  __upc_nest_access (&a, __upc_range_between (4, 4), 1);
  assert_true (a.__low == 3 && a.__high == 9 && a.__accesses > 6.5 && a.__accesses < 7.5);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_operators),
    cmocka_unit_test (test_loops),
    cmocka_unit_test (test_steps_end_before_the_bound),
    cmocka_unit_test (test_large_numbers_are_unknown),
    cmocka_unit_test (test_what_may_wrap_around_is_unknown),
    cmocka_unit_test (test_accesses_widen_what_is_copied),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
