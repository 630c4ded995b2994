/* The zones where other processes have partitions: the own ones are accessible from the start, and so is
   what process 0 hands out of them for symmetric blocks without asking. Pages take memory when they are
   touched, as always. */

#include "runtime/shared/zone.h"

static void init_bounds (int threads, uint64_t start, uint64_t top);
#define upcr_zone_init init_bounds
#include "runtime/shared/zone.c"
#undef upcr_zone_init

void
upcr_zone_init (int threads, uint64_t start, uint64_t top)
{
  init_bounds (threads, start, top);
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    if (!open_pages (t, start, top))
      upcr_usage_error ("no memory for a shared heap of %lu KiB in each of %d threads: %s",
                        (unsigned long) ((top - start) >> 10), threads, strerror (errno));
  store (&upcr_zone.low, upcr_symmetric_end ());
  for (int t = 0; t < threads; t++)
    store (&upcr_zone.high[t], upcr_local_start ());
}
