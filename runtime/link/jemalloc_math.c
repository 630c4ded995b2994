/* See jemalloc_math.h. Errors are a few units in the last place. */

#include "runtime/link/jemalloc_math.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#define LN_2 0.693147180559945309417
/* In two parts, of which multiples of the first are exact. */
#define LN_2_HIGH 0x1.62e4200000000p-1
#define LN_2_LOW 0x1.fdf473de6af28p-22
#define EXPONENT_BIAS 1023
#define MANTISSA_BITS 52

static double
power_of_two (int exponent)
{
  uint64_t bits = (uint64_t) (exponent + EXPONENT_BIAS) << MANTISSA_BITS;
  double power;

  memcpy (&power, &bits, sizeof power);
  return power;
}

/* log (m 2^e) = e log 2 + 2 artanh ((m - 1) / (m + 1)), with m near 1. */
double
upcr_jemalloc_log (double x)
{
  uint64_t bits;
  double mantissa, t, power, sum = 0;
  int exponent;

  memcpy (&bits, &x, sizeof bits);
  exponent = (int) (bits >> MANTISSA_BITS) - EXPONENT_BIAS;
  mantissa = x / power_of_two (exponent);
  if (mantissa > 1.4142135623730951)
    {
      mantissa /= 2;
      exponent++;
    }
  t = power = (mantissa - 1) / (mantissa + 1);
  for (int i = 1; i < 24; i += 2, power *= t * t)
    sum += power / i;
  return 2 * sum + exponent * LN_2;
}

/* exp (x) = 2^k exp (x - k log 2), with the rest near 0. */
double
upcr_jemalloc_exp (double x)
{
  double k = upcr_jemalloc_round (x / LN_2);
  double rest = x - k * LN_2_HIGH - k * LN_2_LOW, term = 1, sum = 1;

  if (k <= -EXPONENT_BIAS)
    return 0;
  if (k > EXPONENT_BIAS)
    return __builtin_inf ();
  for (int i = 1; i < 18; i++)
    sum += term *= rest / i;
  return sum * power_of_two ((int) k);
}

double
upcr_jemalloc_round (double x)
{
  double magnitude = x < 0 ? -x : x, whole;

  if (!(magnitude < 1 / DBL_EPSILON))
    return x;
  whole = (double) (int64_t) magnitude;
  whole += magnitude - whole >= 0.5;
  return x < 0 ? -whole : whole;
}
