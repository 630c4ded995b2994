/* rand and random: one generator, as in glibc, which begins as after srandom (1). */

#include "runtime/libc/libc.h"

#include <stdlib.h>

static __thread struct random_data data;
static __thread int32_t table[32];

static struct random_data *
generator (void)
{
  if (!data.state)
    initstate_r (1, (char *) table, sizeof table, &data);
  return &data;
}

long
upcr_random (void)
{
  int32_t result;

  random_r (generator (), &result);
  return result;
}

int
upcr_rand (void)
{
  return upcr_random ();
}

void
upcr_srandom (unsigned seed)
{
  srandom_r (seed, generator ());
}

void
upcr_srand (unsigned seed)
{
  upcr_srandom (seed);
}

/* The state as the program knows it: the first word, which tells its kind, is before
   what the generator uses. */
static char *
current_state (void)
{
  return (char *) (generator ()->state - 1);
}

char *
upcr_initstate (unsigned seed, char *state, size_t bytes)
{
  char *old = current_state ();

  return initstate_r (seed, state, bytes, &data) ? NULL : old;
}

char *
upcr_setstate (char *state)
{
  char *old = current_state ();

  return setstate_r (state, &data) ? NULL : old;
}
