/* The functions that programs with checked accesses call (include/upct/shadow.h, check.h). */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include <upct/shadow.h>

const char upcr_has_access_checks = 1;
static const char *const wants_checked_heap __attribute__ ((used)) = &upcr_has_checks;

unsigned long __upc_bytes_ahead (const void *address);
unsigned long __upc_elements_ahead (const void *address, unsigned long block, unsigned long bytes);

void
__upc_bad_access (unsigned long owner, unsigned long offset, unsigned long bytes, const char *what,
                  const char *file, int line)
{
  if (file)
    upcr_enter (file, line);
  upcr_refuse_access (owner, offset, bytes, what);
}

unsigned long
__upc_bytes_ahead (const void *address)
{
  uint64_t at = (const char *) address - upcr_segment_address (0, 0);

  return at / UPCR_STRIDE < (uint64_t) THREADS
             ? upcr_bytes_ahead (at / UPCR_STRIDE, at % UPCR_STRIDE)
             : 0;
}

unsigned long
__upc_elements_ahead (const void *address, unsigned long block, unsigned long bytes)
{
  uint64_t at = (const char *) address - upcr_segment_address (0, 0);
  uint64_t elements = at < UPCR_STRIDE ? upcr_bytes_ahead_on_all (at) / bytes : 0;

  return elements / block * block * (uint64_t) THREADS;
}
