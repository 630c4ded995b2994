/* Where locks were allocated. */

#include "runtime/sync/primitives/lock_text.h"

#include "runtime/diag/diag.h"

#include <stdio.h>

void
upcr_lock_origin_text (const struct upcr_lock_origin *origin, char *text, size_t bytes)
{
  struct upcr_location at = { origin->place, origin->line };

  if (!origin->what)
    *text = '\0';
  else if (at.line || upcr_find_line (&origin->place, 1, &at))
    snprintf (text, bytes, ", allocated at %s:%d by %s", at.file, at.line, origin->what);
  else
    snprintf (text, bytes, ", allocated by %s", origin->what);
}
