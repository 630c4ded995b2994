/* Searches all static shared objects for a pointer-to-shared. */

#include "runtime/host/host.h"
#include "runtime/shared/objects.h"
#include "runtime/shared/shared.h"

#include <stdio.h>

enum
{
  WORDS = sizeof (upcr_pts) / sizeof (uint64_t),
  /* In each thread's piece of an object no more is looked at, nor in all of them. */
  AT_ONCE = 512,
  MOST_IN_PIECE = 1 << 16,
  MOST_IN_ALL = 1 << 20
};

/* Between the pieces are bytes that AddressSanitizer calls nobody's, and other threads write. */
#define READS_ALL __attribute__ ((no_sanitize ("address", "thread")))

READS_ALL static bool
is_at (const uint64_t *at, const uint64_t *value)
{
  for (int i = 0; i < WORDS; i++)
    if (at[i] != value[i])
      return false;
  return true;
}

/* So many words at OFFSET of THREAD's partition, where they are or in COPY. */
READS_ALL static const uint64_t *
peek (uint32_t thread, uint64_t offset, size_t words, uint64_t *copy)
{
  const uint64_t *at = (const uint64_t *) upcr_segment_address (thread, offset);

#ifdef UPCR_NETWORK
  if (!upcr_is_near (at))
    {
      upcr_load (copy, at, words * sizeof *copy);
      return copy;
    }
#endif
  (void) words, (void) copy;
  return at;
}

/* The offset of the first place in THREAD's piece of OBJECT that has VALUE, or 0. LEFT: how many
   words may be looked at yet. */
READS_ALL static uint64_t
find_in_piece (const upcr_object *object, uint32_t thread, const uint64_t *value, int *left)
{
  uint64_t begin = (upcr_object_offset (object) + 7) & -8ul;
  uint64_t end = upcr_object_offset (object) + upcr_object_piece (object, thread);
  uint64_t last = begin + MOST_IN_PIECE * sizeof *value;
  uint64_t copy[AT_ONCE + WORDS - 1];

  for (end = end < last ? end : last; begin + sizeof (upcr_pts) <= end && *left > 0;)
    {
      size_t places = (end - begin) / sizeof *value - WORDS + 1;
      const uint64_t *words;

      places = places < AT_ONCE ? places : AT_ONCE;
      words = peek (thread, begin, places + WORDS - 1, copy);
      for (size_t i = 0; i < places; i++)
        if (is_at (words + i, value))
          return begin + i * sizeof *value;
      begin += places * sizeof *value;
      *left -= places;
    }
  return 0;
}

static void
write_place (const upcr_object *object, uint32_t thread, uint64_t offset, char *text, size_t bytes)
{
  uint64_t in = (offset - upcr_object_offset (object)) % object->__bytes;
  char name[256];

  upcr_element_name (object, thread, offset, name, sizeof name);
  if (object->__bytes == sizeof (upcr_pts))
    snprintf (text, bytes, "'%s'", name);
  else
    snprintf (text, bytes, "byte %lu of '%s'", (unsigned long) in, name);
}

bool
upcr_find_pointer (upcr_pts p, char *text, size_t bytes)
{
  union
  {
    upcr_pts pointer;
    uint64_t words[WORDS];
  } value = { p };
  int left = MOST_IN_ALL;

  for (const upcr_object *o = __start_upc_objects; o < __stop_upc_objects; o++)
    for (int t = 0; o->__image && o->__bytes && t < THREADS; t++)
      {
        uint64_t offset = find_in_piece (o, t, value.words, &left);
        if (offset)
          {
            write_place (o, t, offset, text, bytes);
            return true;
          }
      }
  return false;
}
