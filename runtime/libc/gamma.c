/* The logarithm of the gamma function, which stores the sign in a variable. */

#include "runtime/libc/libc.h"

#include <math.h>

int upcr_signgam;

double
upcr_lgamma (double x)
{
  return lgamma_r (x, &upcr_signgam);
}

float
upcr_lgammaf (float x)
{
  return lgammaf_r (x, &upcr_signgam);
}

long double
upcr_lgammal (long double x)
{
  return lgammal_r (x, &upcr_signgam);
}

/* The older names of the same. */
double
upcr_gamma (double x)
{
  return upcr_lgamma (x);
}

float
upcr_gammaf (float x)
{
  return upcr_lgammaf (x);
}

long double
upcr_gammal (long double x)
{
  return upcr_lgammal (x);
}
