/* Which of all UPC threads belong to this process, and which share memory with these. Compiled code
   tests by addresses whether a partition is one of theirs (include/upct/network.h). */

#include "runtime/host/host.h"

#include <upct/segment.h>

UPCR_PER_PROCESS int upcr_first_thread;
UPCR_PER_PROCESS int upcr_own_threads = 1;

unsigned long __upc_own_start = __UPC_SEGMENT_BASE;
unsigned long __upc_own_bytes = __UPC_STRIDE;

UPCR_PER_PROCESS unsigned long __upc_near_start = __UPC_SEGMENT_BASE;
UPCR_PER_PROCESS unsigned long __upc_near_bytes = __UPC_STRIDE;

void
upcr_set_near_threads (int first, int count)
{
  __upc_near_start = __UPC_SEGMENT_BASE + first * __UPC_STRIDE;
  __upc_near_bytes = count * __UPC_STRIDE;
}

void
upcr_set_own_threads (int first, int count)
{
  upcr_first_thread = first;
  upcr_own_threads = count;
  __upc_own_start = __UPC_SEGMENT_BASE + first * __UPC_STRIDE;
  __upc_own_bytes = count * __UPC_STRIDE;
}
