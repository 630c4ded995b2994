/* Reads the records of static shared objects: indexes, pieces, names. */

#include "runtime/shared/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* UPC allows more, but people stop before. */
enum
{
  MOST_DIMENSIONS = 16
};

static const char *
behind (const char *text)
{
  return text + strlen (text) + 1;
}

static const char *
file_of (const upcr_object *object)
{
  return behind (object->__text);
}

static const char *
name_of (const upcr_object *object)
{
  return behind (file_of (object));
}

static const char *
lengths_of (const upcr_object *object)
{
  return behind (name_of (object));
}

uint64_t
upcr_object_offset (const upcr_object *object)
{
  return (uintptr_t) object->__image - (uintptr_t) __upc_shared_start;
}

uint64_t
upcr_object_piece (const upcr_object *object, uint32_t thread)
{
  uint64_t count = object->__count * (object->__times_threads ? THREADS : 1);
  uint64_t block = object->__block ? object->__block : count;
  uint64_t blocks = block ? count / block : 0, own = blocks / THREADS * block;

  if (thread < blocks % THREADS)
    own += block;
  else if (thread == blocks % THREADS)
    own += count - blocks * block;
  return own * object->__bytes;
}

bool
upcr_object_is_dealt (const upcr_object *object)
{
  return THREADS > 1 && upcr_object_piece (object, 1) > 0;
}

uint64_t
upcr_object_room (const upcr_object *object)
{
  uint64_t room = object->__room;

  for (const upcr_object *o = __start_upc_objects; o < __stop_upc_objects; o++)
    if (o->__image == object->__image && o->__room < room)
      room = o->__room;
  return room;
}

bool
upcr_object_is_first (const upcr_object *object)
{
  const upcr_object *o = __start_upc_objects;

  while (o->__image != object->__image)
    o++;
  return o == object;
}

const upcr_object *
upcr_object_up_to (uint64_t offset)
{
  const upcr_object *last = NULL;

  for (const upcr_object *o = __start_upc_objects; o < __stop_upc_objects; o++)
    if (upcr_object_offset (o) <= offset
        && (!last || upcr_object_offset (o) > upcr_object_offset (last)))
      last = o;
  return last;
}

const upcr_object *
upcr_object_after (uint64_t offset)
{
  const upcr_object *first = NULL;

  for (const upcr_object *o = __start_upc_objects; o < __stop_upc_objects; o++)
    if (upcr_object_offset (o) > offset
        && (!first || upcr_object_offset (o) < upcr_object_offset (first)))
      first = o;
  return first;
}

int
upcr_object_text (const upcr_object *object, char *text, size_t bytes)
{
  return snprintf (text, bytes, "'%s', declared at %s:%u", object->__text, file_of (object),
                   object->__line);
}

/* The length that TEXT begins with, such as "[4*THREADS]"; TEXT is then behind it. */
static uint64_t
read_length (const char **text)
{
  char *end;
  uint64_t length = strtoul (*text + 1, &end, 10);

  if (end == *text + 1)
    length = 1;
  if (*end == '*')
    end++;
  if (*end == 'T')
    length *= THREADS;
  *text = strchr (end, ']') + 1;
  return length;
}

/* Writes INDEX, of the element, dimension by dimension. */
static int
write_indexes (const upcr_object *object, uint64_t index, char *text, size_t bytes)
{
  uint64_t lengths[MOST_DIMENSIONS], row = 1;
  int n = 0, written = 0;

  for (const char *c = lengths_of (object); *c && n < MOST_DIMENSIONS;)
    row *= lengths[n++] = read_length (&c);
  for (int i = 0; i < n; i++)
    {
      row /= lengths[i];
      written += snprintf (text + written, bytes - written, "[%lu]",
                           (unsigned long) (row ? index / row : index));
      index %= row ? row : 1;
    }
  return written;
}

/* Its index, of the ultimate element. */
static uint64_t
index_of (const upcr_object *object, uint32_t thread, uint64_t n)
{
  uint64_t block = object->__block;

  return block ? (n / block * THREADS + thread) * block + n % block : n;
}

int
upcr_element_name (const upcr_object *object, uint32_t thread, uint64_t offset, char *text,
                   size_t bytes)
{
  uint64_t n = (offset - upcr_object_offset (object)) / object->__bytes;
  char indexes[MOST_DIMENSIONS * 23 + 1] = "";

  write_indexes (object, index_of (object, thread, n), indexes, sizeof indexes);
  return snprintf (text, bytes, "%s%s", name_of (object), indexes);
}

int
upcr_element_text (const upcr_object *object, uint32_t thread, uint64_t offset, char *text,
                   size_t bytes)
{
  uint64_t distance = offset - upcr_object_offset (object), in = distance % object->__bytes;
  uint64_t n = distance / object->__bytes;
  char name[256], phase[32] = "", part[32] = "";

  upcr_element_name (object, thread, offset, name, sizeof name);
  if (in)
    snprintf (part, sizeof part, "byte %lu of ", (unsigned long) in);
  if (object->__block != 1)
    snprintf (phase, sizeof phase, ", phase %lu",
              (unsigned long) (object->__block ? n % object->__block : n));
  int written = snprintf (text, bytes, "%s%s (thread %u%s) of ", part, name, thread, phase);
  if ((size_t) written >= bytes)
    return written;
  return written + upcr_object_text (object, text + written, bytes - written);
}
