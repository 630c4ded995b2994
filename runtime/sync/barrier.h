/* What upcr_sync_init asks of the barrier, and the short collective functions, of which a
   call would be a good part. */

#ifndef UPCR_BARRIER_H
#define UPCR_BARRIER_H

#include "runtime/host/host.h"
#include "runtime/sync/stuck.h"

#include <stdatomic.h>
#include <stdint.h>

void upcr_barrier_init (int threads);

enum { UPCR_PHASES = 2 };

/* One cache line a thread: no one else touches it unless the run is ending. */
struct upcr_slot
{
  /* Relaxed, both: only reports of what threads do read them from elsewhere. */
  _Alignas (64) _Atomic uint32_t seen;
  atomic_bool notified;
  struct upcr_location place[UPCR_PHASES];
  const void *caller[UPCR_PHASES];   /* where the place has no file */
};

extern struct upcr_slot upcr_slots[UPCR_MAX_THREADS];

/* An error for collective functions that have no barrier: the caller is between upc_notify and
   upc_wait. WHAT names the function in the message. */
static inline void
upcr_reject_in_split_phase (const char *what)
{
  if (__builtin_expect (atomic_load_explicit (&upcr_slots[MYTHREAD].notified, memory_order_relaxed), 0))
    upcr_fatal ("%s between upc_notify and upc_wait", what);
}

#endif
