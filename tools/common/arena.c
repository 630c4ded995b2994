/* The arena is an obstack of glibc: chunks of memory in which a pointer moves. The chunks
   stay reachable, so that leak checkers know they are meant. */

#include "tools/common/common.h"

#include <obstack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc xmalloc
#define obstack_chunk_free free

enum
{
  CHUNK_BYTES = 1 << 16
};

static struct obstack arena;
static bool is_ready;

static struct obstack *
ready_arena (void)
{
  if (!is_ready)
    obstack_begin (&arena, CHUNK_BYTES);
  is_ready = true;
  return &arena;
}

void *
arena_alloc (size_t size)
{
  return memset (obstack_alloc (ready_arena (), size), 0, size);
}

void *
arena_grow (void *items, size_t count, size_t *capacity, size_t size)
{
  void *grown;

  if (count <= *capacity)
    return items;
  grown = arena_alloc (grown_capacity (*capacity, count) * size);
  if (items)
    memcpy (grown, items, *capacity * size);
  *capacity = grown_capacity (*capacity, count);
  return grown;
}

char *
arena_copy (const char *text, size_t length)
{
  return obstack_copy0 (ready_arena (), text, length);
}

char *
arena_format (const char *format, ...)
{
  struct obstack *to = ready_arena ();
  va_list args;

  va_start (args, format);
  if (obstack_vprintf (to, format, args) < 0)
    fail ("out of memory");
  va_end (args);
  obstack_1grow (to, 0);
  return obstack_finish (to);
}

void
arena_reset (void)
{
  if (is_ready)
    obstack_free (&arena, NULL);
  is_ready = false;
}
