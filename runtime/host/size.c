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

bool
upcr_parse_size (const char *text, char unit, size_t *bytes)
{
  size_t digits = strspn (text, "0123456789");
  size_t length = digits + (text[digits] == '.' ? 1 + strspn (text + digits + 1, "0123456789") : 0);
  int shift = parse_unit (text + length, unit);
  long double value;

  if (!digits || shift < 0)
    return false;
  /* A long double holds each size_t exactly. Hexadecimal numbers end at the x, which is no unit. */
  value = strtold (text, NULL) * (1ull << shift);
  if (value >= (long double) SIZE_MAX)
    return false;
  *bytes = value;
  return true;
}
