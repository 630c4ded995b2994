/* Places of the program in messages of barriers. */

#include "runtime/sync/primitives/place.h"

#include "runtime/diag/diag.h"

#include <stdio.h>

const char *
upcr_place_text (char text[UPCR_PLACE_BYTES], const struct upcr_location *location,
                 const char *caller)
{
  struct upcr_symbol symbol = { .address = caller ? caller - 1 : NULL };
  size_t used = 0;

  text[0] = '\0';
  if (location->file)
    snprintf (text, UPCR_PLACE_BYTES, " at %s:%d", location->file, location->line);
  else if (caller)
    {
      upcr_symbolize (&symbol, 1);
      if (symbol.line)
        used = snprintf (text, UPCR_PLACE_BYTES, " at %s:%d", symbol.file, symbol.line);
      if (symbol.function[0] && used < UPCR_PLACE_BYTES)
        snprintf (text + used, UPCR_PLACE_BYTES - used, " in %s", symbol.function);
    }
  return text;
}
