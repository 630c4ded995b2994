#include "tools/trace/report/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void *
take_memory (size_t count, size_t bytes)
{
  void *memory = calloc (count ? count : 1, bytes);

  if (!memory)
    fail ("out of memory");
  return memory;
}

void *
grow_memory (void *array, size_t *room, size_t count, size_t bytes)
{
  size_t wanted = *room ? *room : 64;

  if (count <= *room)
    return array;
  while (wanted < count)
    wanted *= 2;
  array = reallocarray (array, wanted, bytes);
  if (!array)
    fail ("out of memory");
  memset ((char *) array + *room * bytes, 0, (wanted - *room) * bytes);
  *room = wanted;
  return array;
}

char *
format_text (const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  if (vasprintf (&text, format, args) < 0)
    fail ("out of memory");
  va_end (args);
  return text;
}
