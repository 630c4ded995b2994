#include "tools/common/common.h"

#include <stdlib.h>
#include <string.h>

static void *
checked (void *memory)
{
  if (!memory)
    fail ("out of memory");
  return memory;
}

void *
xmalloc (size_t size)
{
  return checked (malloc (size + !size));
}

void *
xcalloc (size_t count, size_t size)
{
  return checked (calloc (count + !count, size));
}

void *
grow_array (void *items, size_t count, size_t *capacity, size_t size)
{
  size_t wanted = grown_capacity (*capacity, count);

  if (count <= *capacity)
    return items;
  items = checked (reallocarray (items, wanted, size));
  memset ((char *) items + *capacity * size, 0, (wanted - *capacity) * size);
  *capacity = wanted;
  return items;
}
