/* Zones: which pages of the partitions belong to symmetric blocks, which to local blocks, and
   which to none.

       0          static end                                        top
       |null|static|symmetric blocks → …          … ← local blocks|

   A symmetric block takes the same pages of every partition, the lowest that are free in all of
   them. A local block takes the highest pages that are free in its own partition. Freed pages
   can serve either kind.

   The pages beside a block are accessible, also below the lowest and after the highest one. So a
   program that writes a few bytes beside a block damages its own data or nothing. It never
   damages the allocator's data, which is elsewhere, and never crashes in some runs only. */

#ifndef UPCR_ZONE_H
#define UPCR_ZONE_H

#include "runtime/host/host.h"
#include "runtime/shared/pages.h"
#include "runtime/shared/use.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which pages are accessible, in offsets: in all partitions those from START up to LOW, in each
   those from its HIGH up to TOP. Marks move under a lock, towards the middle only, and are read
   without it for an offset that the caller got from an allocation, and so after the store that
   matters. */
struct upcr_zone_bounds
{
  uint64_t start;
  uint64_t top;
  _Atomic uint64_t low;
  _Atomic uint64_t high[UPCR_MAX_THREADS];
};

extern struct upcr_zone_bounds upcr_zone;

/* START and TOP are offsets in a partition, whole pages. The page below START is accessible, the one
   from TOP on is reserved. */
void upcr_zone_init (int threads, uint64_t start, uint64_t top);

/* Where the pages that symmetric blocks may take end, and those of local ones begin. Where other processes
   have partitions nobody knows what both take there: symmetric blocks, which process 0 takes for all,
   have the lower half. */
static inline uint64_t
upcr_symmetric_end (void)
{
#ifdef UPCR_NETWORK
  return (upcr_zone.start + upcr_zone.top) / 2 / UPCR_PAGE * UPCR_PAGE;
#else
  return upcr_zone.top;
#endif
}

static inline uint64_t
upcr_local_start (void)
{
#ifdef UPCR_NETWORK
  return upcr_symmetric_end ();
#else
  return upcr_zone.start;
#endif
}

/* Has this process THREAD's partition? */
static inline bool
upcr_is_own_thread (int thread)
{
#ifdef UPCR_NETWORK
  return thread >= UPCR_FIRST_THREAD && thread <= UPCR_LAST_THREAD;
#else
  (void) thread;
  return true;
#endif
}

/* Makes SIZE bytes at OFFSET, whole pages, of THREAD's partition accessible. False, and errno:
   the system refuses. */
bool upcr_zone_open (int thread, uint64_t offset, size_t size);

/* Take SIZE bytes, whole pages, aligned to ALIGNMENT, zero and accessible: of all
   partitions, or of one. The offset, or 0 when there is no space or no memory. */
uint64_t upcr_zone_take_symmetric (size_t size, size_t alignment);
uint64_t upcr_zone_take_local (int thread, size_t size, size_t alignment);

/* Give back what was taken, in any pieces. It holds zeros. */
void upcr_zone_give_symmetric (uint64_t offset, size_t size);
void upcr_zone_give_local (int thread, uint64_t offset, size_t size);

/* What another process has taken for symmetric blocks ends at END, or further up. */
void upcr_zone_note_symmetric (uint64_t end);

/* Between *LOW and *HIGH no page of THREAD's partition has ever been taken. */
void upcr_zone_marks (int thread, uint64_t *low, uint64_t *high);

/* What is taken of the partitions: BYTES of pages, and how much that has been at most. THREAD may be
   THREADS: all of them. */
struct upcr_use upcr_zone_use (int thread);

/* Is OFFSET accessible, as are all blocks of the heap? */
static inline bool
upcr_zone_is_open (int thread, uint64_t offset)
{
  return offset >= upcr_zone.start && offset < upcr_zone.top
         && (offset < atomic_load_explicit (&upcr_zone.low, memory_order_relaxed)
             || offset >= atomic_load_explicit (&upcr_zone.high[thread], memory_order_relaxed));
}

#endif
