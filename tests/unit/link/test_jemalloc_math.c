/* What jemalloc calls in place of libm, beside libm. */

#include "runtime/link/jemalloc_math.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Numbers of all sizes, denser near 1. */
static const double scales[] = { 1, 1e-3, 0.3, 7.5, 1e3, 1e9, 1e18, 1e300, 1e-15, 1e-300 };

#define EACH_NUMBER(x) \
  for (size_t each = 0; each < sizeof scales / sizeof *scales; each++) \
    for (double x = scales[each], last = 3 * scales[each]; x < last; x += scales[each] / 64)

static void
assert_near (double value, double wanted)
{
  assert_true (fabs (value - wanted) <= 8 * DBL_EPSILON * (fabs (wanted) + DBL_EPSILON));
}

static void
logarithms_are_near (void **state)
{
  (void) state;
  EACH_NUMBER (x) assert_near (upcr_jemalloc_log (x), log (x));
  assert_true (upcr_jemalloc_log (1) == 0);
}

static void
powers_are_near (void **state)
{
  (void) state;
  for (double x = -40; x < 40; x += 0.03)
    assert_near (upcr_jemalloc_exp (x) / exp (x), 1);
  assert_true (upcr_jemalloc_exp (0) == 1);
  assert_true (upcr_jemalloc_exp (-1e6) == 0);
  assert_true (isinf (upcr_jemalloc_exp (1e6)));
}

static void
rounding_is_exact (void **state)
{
  static const double others[] = { 0, 0.49999999999999994, 0.5, 1.5, 2.5, 4503599627370495.5 };

  (void) state;
  EACH_NUMBER (x)
  {
    assert_true (upcr_jemalloc_round (x) == round (x));
    assert_true (upcr_jemalloc_round (-x) == round (-x));
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_true (upcr_jemalloc_round (others[i]) == round (others[i]));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (logarithms_are_near),
    cmocka_unit_test (powers_are_near),
    cmocka_unit_test (rounding_is_exact),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
