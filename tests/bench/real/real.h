/* Programs of real size for the bench: each does a fixed amount of work that is timed as a
   whole, in one thread, compiled and linked natively and by upcc from the same objects. */

#ifndef REAL_H
#define REAL_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed = 12345;

static inline uint32_t
next_random (void)
{
  seed = seed * 1664525 + 1013904223;
  return seed >> 8;
}

/* Text that compresses well, but not too well. */
static inline void
fill (unsigned char *bytes, size_t count)
{
  for (size_t i = 0; i < count; i++)
    bytes[i] = i > 100 && next_random () % 4 ? bytes[i - 1 - next_random () % 90]
                                             : 'a' + next_random () % 26;
}

static inline void
must (int is_true, const char *what)
{
  if (is_true)
    return;
  fprintf (stderr, "%s failed\n", what);
  exit (1);
}

#endif
