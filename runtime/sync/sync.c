/* The start of the room. */

#include "runtime/sync/sync.h"

#include "runtime/host/host.h"
#include "runtime/sync/barrier.h"
#include "runtime/sync/crowd.h"
#include "runtime/sync/debug.h"
#include "runtime/sync/stuck.h"

#ifdef UPCR_WINDOWS
void (*upcr_window) (void);
#endif

void
upcr_sync_init (int threads, int cpus)
{
  upcr_crowd_init (threads, cpus);
  upcr_barrier_init (threads);
  upcr_stuck_init ();
}
