/* Reads DWARF: one number after the other, never beyond the end. */

#ifndef PRIVATIZE_CURSOR_H
#define PRIVATIZE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is read beyond the end, or from a number that does not fit, is zero and sets
   IS_BAD. */
struct cursor
{
  const unsigned char *at, *end;
  bool is_bad;
};

uint64_t read_number (struct cursor *cursor, size_t bytes);
uint64_t read_uleb (struct cursor *cursor);
int64_t read_sleb (struct cursor *cursor);
const char *read_text (struct cursor *cursor);
/* COUNT bytes, or NULL. */
const unsigned char *read_bytes (struct cursor *cursor, uint64_t count);

#endif
