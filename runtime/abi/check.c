/* The functions that programs with checked accesses call (include/upct/shadow.h). */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include <upct/shadow.h>

const char upcr_has_access_checks = 1;
static const char *const wants_checked_heap __attribute__ ((used)) = &upcr_has_checks;

void
__upc_bad_access (unsigned long owner, unsigned long offset, unsigned long bytes, const char *what,
                  const char *file, int line)
{
  if (file)
    upcr_enter (file, line);
  upcr_refuse_access (owner, offset, bytes, what);
}
