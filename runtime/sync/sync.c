/* The start of the room. */

#include "runtime/sync/sync.h"

#include "runtime/sync/barrier.h"
#include "runtime/sync/crowd.h"
#include "runtime/sync/debug.h"
#include "runtime/sync/stuck.h"

#include <stdlib.h>
#include <string.h>

bool upcr_check;

#ifdef UPCR_WINDOWS
void (*upcr_window) (void);
#endif

void
upcr_sync_init (int threads, int cpus)
{
  const char *check = getenv ("UPC_CHECK");

  upcr_check = check && strcmp (check, "1") == 0;
  upcr_crowd_init (threads, cpus);
  upcr_barrier_init (threads);
  upcr_stuck_init ();
}
