/* Moving bytes. */

#include "runtime/coll/copy.h"

#include <string.h>

void
upcr_copy (void *dst, const void *src, size_t bytes)
{
  if (dst != src)
    memcpy (dst, src, bytes);
}

void
upcr_swap (void *a, void *b, size_t bytes)
{
  char part[4096], *x = a, *y = b;

  while (bytes > 0)
    {
      size_t some = bytes < sizeof part ? bytes : sizeof part;

      memcpy (part, x, some);
      memcpy (x, y, some);
      memcpy (y, part, some);
      x += some;
      y += some;
      bytes -= some;
    }
}
