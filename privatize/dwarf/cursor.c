/* Reads DWARF: one number after the other, never beyond the end. */

#include "privatize/dwarf/cursor.h"

#include <string.h>

const unsigned char *
read_bytes (struct cursor *cursor, uint64_t count)
{
  const unsigned char *bytes = cursor->at;

  if (cursor->is_bad || count > (size_t) (cursor->end - cursor->at))
    {
      cursor->is_bad = true;
      return NULL;
    }
  cursor->at += count;
  return bytes;
}

/* A little-endian number of 8 BYTES at most. */
uint64_t
read_number (struct cursor *cursor, size_t bytes)
{
  uint64_t number = 0;
  const unsigned char *from = read_bytes (cursor, bytes);

  if (from)
    memcpy (&number, from, bytes);
  return number;
}

/* The bits of a LEB128 number; SHIFT is how many there were. */
static uint64_t
read_leb (struct cursor *cursor, unsigned *shift)
{
  uint64_t number = 0, byte = 0x80;

  for (*shift = 0; byte & 0x80 && !cursor->is_bad; *shift += 7)
    {
      byte = read_number (cursor, 1);
      if (*shift < 64)
        number |= (byte & 0x7f) << *shift;
    }
  return number;
}

uint64_t
read_uleb (struct cursor *cursor)
{
  unsigned shift;

  return read_leb (cursor, &shift);
}

int64_t
read_sleb (struct cursor *cursor)
{
  unsigned shift;
  uint64_t number = read_leb (cursor, &shift);

  if (shift && shift < 64 && number >> (shift - 1))
    number |= ~0ull << shift;
  return number;
}

const char *
read_text (struct cursor *cursor)
{
  const unsigned char *text = cursor->at;
  const unsigned char *end = cursor->is_bad ? NULL : memchr (text, 0, cursor->end - text);

  if (!end)
    {
      cursor->is_bad = true;
      return "";
    }
  cursor->at = end + 1;
  return (const char *) text;
}
