/* Berkeley UPC's functions on ticks, pointers-to-shared and threads (bupc_extensions.h). */

#include "runtime/bupc/bupc.h"
#include "runtime/host/host.h"

#define FUNCTION(type, name, parameters, value) \
  type name parameters;                         \
  type name parameters                          \
  {                                             \
    return value;                               \
  }

FUNCTION (uint64_t, bupc_ticks_to_us, (uint64_t ticks), upcr_ticks_to_ns (ticks) / 1000)
FUNCTION (double, bupc_tick_granularityus, (void), upcr_tick_granularity_us ())
FUNCTION (double, bupc_tick_overheadus, (void), upcr_tick_overhead_us ())

FUNCTION (int, bupc_dump_shared, (upcr_pts p, char *buffer, int bytes),
          upcr_dump_pts (p, buffer, bytes))
FUNCTION (upcr_pts, bupc_ptradd, (upcr_pts p, size_t block, size_t bytes, ptrdiff_t n),
          upcr_pts_add (p, block, bytes, n))
FUNCTION (upcr_pts, bupc_local_to_shared, (void *address, int thread, int phase),
          upcr_pts_of_own (address, thread, phase))
FUNCTION (upcr_pts, bupc_inverse_cast, (void *address), upcr_pts_of_address (address))

FUNCTION (int, bupc_castable, (upcr_pts p), upcr_pts_is_null (p) || upcr_cast (p) != NULL)
FUNCTION (unsigned, bupc_thread_distance, (int x, int y), upcr_thread_distance (x, y))

int bupc_thread_castable (unsigned thread);

int
bupc_thread_castable (unsigned thread)
{
  if (thread >= (unsigned) THREADS)
    upcr_fatal ("bupc_thread_castable: invalid thread %u; THREADS is %d", thread, THREADS);
  return upcr_thread_info (thread).guaranteed != 0;
}
