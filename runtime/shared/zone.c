/* Growth of the zones: cold, so one lock orders it. Pages are reserved without
   access at start and opened here, where the system can still refuse: an
   allocation that the machine cannot hold fails as malloc does. */

#include "runtime/shared/zone.h"

#include "runtime/host/host.h"
#include "runtime/shared/shadow.h"
#include "runtime/shared/shared.h"

#include <pthread.h>
#include <sys/mman.h>

struct upcr_zone_bounds upcr_zone;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
upcr_zone_init (int threads, uint64_t start, uint64_t top)
{
  upcr_zone.start = start;
  upcr_zone.top = top;
  atomic_store_explicit (&upcr_zone.symmetric_end, start, memory_order_relaxed);
  for (int t = 0; t < threads; t++)
    atomic_store_explicit (&upcr_zone.local_begin[t], top, memory_order_relaxed);
}

/* Pages of 2 MiB, where the system has them, save page faults and misses of the TLB. Measured
   on an AMD EPYC, for 64 MiB: the first touch takes a quarter of its time, a sum 10 % less, a
   copy 5 %. In a smaller stretch they could take several times the memory that it holds. */
enum
{
  HUGE_PAGES_FROM = 4 << 20
};

bool
upcr_zone_open (int thread, uint64_t offset, size_t size)
{
  char *pages = upcr_segment_address (thread, offset);

  /* A system that refuses has none to give. */
  if (size >= HUGE_PAGES_FROM)
    madvise (pages, size, MADV_HUGEPAGE);
  return mprotect (pages, size, PROT_READ | PROT_WRITE) == 0;
}

static void
close_pages (int thread, uint64_t offset, size_t size)
{
  mprotect (upcr_segment_address (thread, offset), size, PROT_NONE);
}

/* Opens the shadow of SIZE bytes at OFFSET. Its first and last page may be open
   already, for the neighbours. */
static bool
open_shadow (int thread, uint64_t offset, size_t size)
{
  uintptr_t begin = (uintptr_t) upcr_shadow_address (thread, offset) & -4096ul;
  uintptr_t end = ((uintptr_t) upcr_shadow_address (thread, offset + size) + 4095) & -4096ul;

  return mprotect ((void *) begin, end - begin, PROT_READ | PROT_WRITE) == 0;
}

static uint64_t
lowest_local_begin (void)
{
  uint64_t lowest = upcr_zone.top;

  for (int t = 0; t < THREADS; t++)
    {
      uint64_t begin = atomic_load_explicit (&upcr_zone.local_begin[t], memory_order_relaxed);
      if (begin < lowest)
        lowest = begin;
    }
  return lowest;
}

/* Opens the same pages of every partition, or of none. */
static bool
open_everywhere (uint64_t offset, size_t size)
{
  for (int t = 0; t < THREADS; t++)
    if (!upcr_zone_open (t, offset, size))
      {
        while (t-- > 0)
          close_pages (t, offset, size);
        return false;
      }
  return true;
}

static uint64_t
grow_symmetric (size_t size, size_t alignment)
{
  uint64_t end = atomic_load_explicit (&upcr_zone.symmetric_end, memory_order_relaxed);
  uint64_t offset = (end + alignment - 1) & -(uint64_t) alignment;
  uint64_t limit = lowest_local_begin ();

  if (offset > limit || size > limit - offset || !open_shadow (0, offset, size)
      || !open_everywhere (offset, size))
    return 0;
  atomic_store_explicit (&upcr_zone.symmetric_end, offset + size, memory_order_relaxed);
  return offset;
}

static uint64_t
grow_local (int thread, size_t size, size_t alignment)
{
  uint64_t begin = atomic_load_explicit (&upcr_zone.local_begin[thread], memory_order_relaxed);
  uint64_t limit = atomic_load_explicit (&upcr_zone.symmetric_end, memory_order_relaxed);
  uint64_t offset;

  if (size > begin)
    return 0;
  offset = (begin - size) & -(uint64_t) alignment;
  if (offset < limit || !open_shadow (thread, offset, size)
      || !upcr_zone_open (thread, offset, size))
    return 0;
  atomic_store_explicit (&upcr_zone.local_begin[thread], offset, memory_order_relaxed);
  return offset;
}

uint64_t
upcr_zone_grow_symmetric (size_t size, size_t alignment)
{
  pthread_mutex_lock (&lock);
  uint64_t offset = grow_symmetric (size, alignment);
  pthread_mutex_unlock (&lock);
  return offset;
}

uint64_t
upcr_zone_grow_local (int thread, size_t size, size_t alignment)
{
  pthread_mutex_lock (&lock);
  uint64_t offset = grow_local (thread, size, alignment);
  pthread_mutex_unlock (&lock);
  return offset;
}
