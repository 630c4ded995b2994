/* Programs of real size for the bench: each does a fixed amount of work that is timed as a
   whole, in one thread, compiled and linked natively and by upcc from the same objects. */

#ifndef REAL_H
#define REAL_H

#include "tests/fixtures/libraries/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How fast a loop is depends on where it lies in its cache lines, by up to a tenth. This puts
   the text of all objects at the same distance from a cache line in both programs. */
__attribute__ ((used, noinline, aligned (64))) static void
align_text (void)
{
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
