/* rand and random: one generator, as in glibc, which begins as after srandom (1). */

#include "runtime/host/host.h"
#include "runtime/libc/libc.h"

#include <stdlib.h>

static struct random_data data;
static int32_t table[32];

/* Held by calls of a UPC thread that has other threads: they may call at once, as in glibc. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns whether the other threads are kept out. */
static inline bool
begin (void)
{
  bool is_locked = upcr_has_threads;

  if (is_locked)
    pthread_mutex_lock (&lock);
  if (!data.state)
    initstate_r (1, (char *) table, sizeof table, &data);
  return is_locked;
}

static inline void
end (bool is_locked)
{
  if (is_locked)
    pthread_mutex_unlock (&lock);
}

long
upcr_random (void)
{
  bool is_locked = begin ();
  int32_t result;

  random_r (&data, &result);
  end (is_locked);
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
  bool is_locked = begin ();

  srandom_r (seed, &data);
  end (is_locked);
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
  return (char *) (data.state - 1);
}

char *
upcr_initstate (unsigned seed, char *state, size_t bytes)
{
  bool is_locked = begin ();
  char *old = current_state ();

  if (initstate_r (seed, state, bytes, &data))
    old = NULL;
  end (is_locked);
  return old;
}

char *
upcr_setstate (char *state)
{
  bool is_locked = begin ();
  char *old = current_state ();

  if (setstate_r (state, &data))
    old = NULL;
  end (is_locked);
  return old;
}
