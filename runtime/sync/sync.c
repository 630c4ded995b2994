/* The start of the room, layer by layer. */

#include "runtime/sync/sync.h"

#include "runtime/sync/diagnosis/deadlock.h"
#include "runtime/sync/mechanism/placement.h"
#include "runtime/sync/policy/preemption.h"

void
upcr_sync_init (int threads, int cpus)
{
  upcr_placement_init (threads);
  upcr_preemption_init ();
  upcr_wait_policy_init (threads, cpus);
  upcr_barrier_init (threads);
  upcr_deadlock_init ();
}
