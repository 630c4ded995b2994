/* Every partition is in the one address space of all threads, whatever allocated its contents.
   So every thread can cast everything. */

#include "runtime/shared/shared.h"

#include "runtime/host/host.h"
#include "runtime/start/start.h"

void *
upcr_cast (upcr_pts p)
{
  return upcr_pts_is_null (p) ? NULL : upcr_pts_address (p);
}

struct upcr_thread_info
upcr_thread_info (size_t thread)
{
  struct upcr_thread_info info = { UPCR_CASTABLE_ALL, UPCR_CASTABLE_ALL, -1, -1 };

  if (thread >= (size_t) THREADS)
    upcr_fatal ("upc_thread_info: invalid thread %zu; THREADS is %d", thread, THREADS);
  upcr_bound_cpu (thread, &info.core, &info.numa_node);
  return info;
}
