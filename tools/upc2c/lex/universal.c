/* Universal character names: \u00e9 and é spell the same name (C17, 6.4.3). */

#include "tools/upc2c/lex/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t
universal_length (const char *c, const char *end)
{
  size_t length;

  if (end - c < 2 || c[0] != '\\' || (c[1] != 'u' && c[1] != 'U'))
    return 0;
  length = c[1] == 'u' ? 6 : 10;
  for (size_t i = 2; i < length; i++)
    if (c + i >= end || !isxdigit ((unsigned char) c[i]))
      return 0;
  return length;
}

/* Writes CODE in UTF-8 to TO; the end of what it wrote. */
static char *
put_utf8 (char *to, unsigned long code)
{
  int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char lead_bytes[] = { 0, 0xc0, 0xe0, 0xf0 };

  *to++ = lead_bytes[more] | (code >> 6 * more & 0xff);
  while (more-- > 0)
    *to++ = 0x80 | (code >> 6 * more & 0x3f);
  return to;
}

struct name *
intern_universal (const char *text, size_t length)
{
  char digits[9], *spelling = arena_alloc (length), *to = spelling;
  const char *end = text + length;

  while (text < end)
    {
      size_t size = universal_length (text, end);

      if (size == 0)
        *to++ = *text++;
      else
        {
          memcpy (digits, text + 2, size - 2);
          digits[size - 2] = 0;
          to = put_utf8 (to, strtoul (digits, NULL, 16) & 0x1fffff);
          text += size;
        }
    }
  return intern (spelling, to - spelling);
}
