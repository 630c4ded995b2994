/* Memory that lives as long as the run: zeroed, never freed, allocated by moving a
   pointer. */

#include "tools/upc2c/front.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20, ALIGNMENT = 8 };

/* The chunks stay reachable, so that leak checkers know they are meant. */
struct chunk
{
  struct chunk *older;
};

static struct chunk *chunks;
static char *free_start;
static size_t free_bytes;

void *
arena (size_t size)
{
  char *start;

  size = (size + ALIGNMENT - 1) & ~(size_t) (ALIGNMENT - 1);
  if (size > free_bytes)
    {
      size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
      struct chunk *chunk = calloc (1, sizeof *chunk + room);

      if (!chunk)
        fail ("out of memory");
      chunk->older = chunks;
      chunks = chunk;
      free_start = (char *) (chunk + 1);
      free_bytes = room;
    }
  start = free_start;
  free_start += size;
  free_bytes -= size;
  return start;
}

char *
arena_format (const char *format, ...)
{
  va_list args;
  int length;
  char *text;

  va_start (args, format);
  length = vsnprintf (NULL, 0, format, args);
  va_end (args);
  text = arena (length + 1);
  va_start (args, format);
  vsnprintf (text, length + 1, format, args);
  va_end (args);
  return text;
}

void *
make_room (void *items, uint32_t count, uint32_t *room, size_t size)
{
  if (count < *room)
    return items;
  *room = *room ? 2 * *room : 64;
  items = realloc (items, (size_t) *room * size);
  if (!items)
    fail ("out of memory");
  return items;
}
