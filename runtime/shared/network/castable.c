/* What is castable: the near partitions. */

#include "runtime/shared/shared.h"

#include "runtime/host/host.h"
#include "runtime/shared/zone.h"
#include "runtime/start/start.h"

void *
upcr_cast (upcr_pts p)
{
  return upcr_pts_is_null (p) || !upcr_is_near (upcr_pts_address (p)) ? NULL : upcr_pts_address (p);
}

struct upcr_thread_info
upcr_thread_info (size_t thread)
{
  struct upcr_thread_info info = { 0, 0, -1, -1 };

  if (thread >= (size_t) THREADS)
    upcr_fatal ("upc_thread_info: invalid thread %zu; THREADS is %d", thread, THREADS);
  if (upcr_is_near (upcr_segment_address (thread, 0)))
    info.guaranteed = info.probable = UPCR_CASTABLE_ALL;
  if (upcr_is_own_thread (thread))
    upcr_bound_cpu (thread, &info.core, &info.numa_node);
  return info;
}
