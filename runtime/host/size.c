/* Sizes as users write them. */

#include "runtime/host/size.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The power of two that a unit stands for, or -1. */
static int
unit_shift (char unit)
{
  static const char units[] = "BKMGT";
  const char *found = unit ? strchr (units, toupper ((unsigned char) unit)) : NULL;

  return found ? 10 * (found - units) : -1;
}

/* What follows the number: nothing, a unit, or a unit and B. */
static int
parse_unit (const char *text, char preset)
{
  int shift = unit_shift (*text ? *text : preset);

  if (shift > 0 && *text && toupper ((unsigned char) text[1]) == 'B')
    text++;
  return *text && text[1] ? -1 : shift;
}

/* How much of TEXT is its number, decimal with a fraction or hexadecimal without; 0: it has none. */
static size_t
number_length (const char *text)
{
  static const char decimal[] = "0123456789";
  size_t digits = strspn (text, decimal);

  if (digits == 1 && *text == '0' && tolower ((unsigned char) text[1]) == 'x')
    {
      digits = strspn (text + 2, "0123456789abcdefABCDEF");
      return digits ? 2 + digits : 0;
    }
  return digits && text[digits] == '.' ? digits + 1 + strspn (text + digits + 1, decimal) : digits;
}

bool
upcr_is_bare_size (const char *text)
{
  size_t length = number_length (text);

  return length && !text[length] && !strchr (text, '.');
}

bool
upcr_parse_size (const char *text, char unit, size_t *bytes)
{
  size_t length = number_length (text);
  int shift = parse_unit (text + length, unit);
  long double value;

  if (!length || shift < 0)
    return false;
  /* A long double holds each size_t exactly. */
  value = strtold (text, NULL) * (1ull << shift);
  if (value >= (long double) SIZE_MAX)
    return false;
  *bytes = value;
  return true;
}
