/* Places of the program in messages of barriers. */

#ifndef UPCR_SYNC_PLACE_H
#define UPCR_SYNC_PLACE_H

#include "runtime/host/host.h"

enum
{
  UPCR_PLACE_BYTES = 768
};

/* " at FILE:LINE" in TEXT, with " in FUNCTION" behind where only the code at CALLER tells; nothing where neither is
   known. */
const char *upcr_place_text (char text[UPCR_PLACE_BYTES], const struct upcr_location *location,
                             const char *caller);

#endif
