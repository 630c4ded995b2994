/* The generators of 48 bits. They begin with all zeros, as in glibc. */

#include "runtime/libc/libc.h"

#include <stdlib.h>

static struct drand48_data data;

/* upcr_NAME by glibc's NAME_r: from the thread's state, or from the caller's with the
   thread's parameters. */
#define OF_THREAD(type, name)  \
  type upcr_##name (void)      \
  {                            \
    type result;               \
                               \
    name##_r (&data, &result); \
    return result;             \
  }

#define OF_CALLER(type, name)                \
  type upcr_##name (unsigned short state[3]) \
  {                                          \
    type result;                             \
                                             \
    name##_r (state, &data, &result);        \
    return result;                           \
  }

OF_THREAD (double, drand48)
OF_THREAD (long, lrand48)
OF_THREAD (long, mrand48)
OF_CALLER (double, erand48)
OF_CALLER (long, nrand48)
OF_CALLER (long, jrand48)

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
