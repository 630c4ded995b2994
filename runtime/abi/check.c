/* What programs call that check their accesses (include/upct/shadow.h). Where this file is linked,
   the heap is a checked one (runtime/shared/checked.c). */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include <upct/shadow.h>

const char upcr_has_checks = 1;

void
__upc_bad_access (unsigned long owner, unsigned long offset, unsigned long bytes, const char *what,
                  const char *file, int line)
{
  if (file)
    upcr_enter (file, line);
  upcr_refuse_access (owner, offset, bytes, what);
}
