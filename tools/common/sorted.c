/* Sorted arrays. */

#include "tools/common/common.h"

size_t
count_before (const void *wanted, const void *items, size_t count, size_t size,
              int (*compare) (const void *, const void *))
{
  size_t low = 0, high = count;

  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (compare ((const char *) items + middle * size, wanted) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}
