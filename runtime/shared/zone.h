/* Zones: the pieces of a partition, and how far each is in use.

       0          static end                                        top
       |null|static|symmetric heap → …          … ← local heap|

   The symmetric heap grows upwards at the same offset in every partition, the
   local heap of each thread downwards from the top of its own. They may take what
   is between them, in any proportion; a zone never shrinks. */

#ifndef UPCR_ZONE_H
#define UPCR_ZONE_H

#include "runtime/host/host.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far zones reach, in offsets. They grow under a lock, and are read without it for an
   offset that the caller got from an allocation, and so after the store that matters. */
struct upcr_zone_bounds
{
  uint64_t start;
  uint64_t top;
  _Atomic uint64_t symmetric_end;
  _Atomic uint64_t local_begin[UPCR_MAX_THREADS];
};

extern struct upcr_zone_bounds upcr_zone;

/* START and TOP are offsets in a partition, whole pages. */
void upcr_zone_init (int threads, uint64_t start, uint64_t top);

/* Makes SIZE bytes at OFFSET, whole pages, of THREAD's partition accessible. False, and errno:
   the system refuses. */
bool upcr_zone_open (int thread, uint64_t offset, size_t size);

/* Take SIZE bytes, whole pages, aligned to ALIGNMENT, zero and accessible: of all
   partitions, or of one. The offset, or 0 when there is no space or no memory. */
uint64_t upcr_zone_grow_symmetric (size_t size, size_t alignment);
uint64_t upcr_zone_grow_local (int thread, size_t size, size_t alignment);

/* Is OFFSET in what the zone has handed out? */
static inline bool
upcr_zone_has_symmetric (uint64_t offset)
{
  return offset >= upcr_zone.start
         && offset < atomic_load_explicit (&upcr_zone.symmetric_end, memory_order_relaxed);
}

static inline bool
upcr_zone_has_local (int thread, uint64_t offset)
{
  return offset < upcr_zone.top
         && offset >= atomic_load_explicit (&upcr_zone.local_begin[thread], memory_order_relaxed);
}

#endif
