/* The generators of 48 bits. All zero is how glibc begins, too. */

#include "runtime/libc/libc.h"

#include <stdlib.h>

static __thread struct drand48_data data;

double
upcr_drand48 (void)
{
  double result;

  drand48_r (&data, &result);
  return result;
}

double
upcr_erand48 (unsigned short state[3])
{
  double result;

  erand48_r (state, &data, &result);
  return result;
}

long
upcr_lrand48 (void)
{
  long result;

  lrand48_r (&data, &result);
  return result;
}

long
upcr_nrand48 (unsigned short state[3])
{
  long result;

  nrand48_r (state, &data, &result);
  return result;
}

long
upcr_mrand48 (void)
{
  long result;

  mrand48_r (&data, &result);
  return result;
}

long
upcr_jrand48 (unsigned short state[3])
{
  long result;

  jrand48_r (state, &data, &result);
  return result;
}

void
upcr_srand48 (long seed)
{
  srand48_r (seed, &data);
}

unsigned short *
upcr_seed48 (unsigned short seed[3])
{
  seed48_r (seed, &data);
  return data.__old_x;
}

void
upcr_lcong48 (unsigned short parameters[7])
{
  lcong48_r (parameters, &data);
}
