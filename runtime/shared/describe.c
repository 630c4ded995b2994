/* Names an address of the segment that faulted, for crash reports. */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <stdio.h>

int
upcr_segment_describe (const void *address, char *buffer, unsigned long bytes)
{
  uint64_t distance = (uintptr_t) address - UPCR_SEGMENT_BASE;
  uint64_t thread = distance / UPCR_STRIDE;
  uint64_t offset = distance % UPCR_STRIDE;

  if ((uintptr_t) address < UPCR_SEGMENT_BASE || thread >= UPCR_MAX_THREADS)
    return 0;
  if (thread == 0 && offset < UPCR_NULL_BYTES)
    snprintf (buffer, bytes, "access through a null pointer-to-shared");
  else if (thread >= (uint64_t) THREADS)
    snprintf (buffer, bytes, "access through a pointer-to-shared with affinity to thread %lu of %d",
              (unsigned long) thread, THREADS);
  else
    snprintf (buffer, bytes, "access outside of the shared data: thread %lu, offset 0x%lx",
              (unsigned long) thread, (unsigned long) offset);
  return 1;
}
