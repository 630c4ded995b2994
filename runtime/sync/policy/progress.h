/* Progress of operations in flight, made by waiting threads. While a UPC thread has set its
   function, every wait of the runtime in it calls that function between two looks at what it
   waits for, and before it sleeps. The function says whether it did something; if so, the wait
   spins for as long again. It may wake others, and sleeps itself only for locks of its own.
   Within it the function counts as unset.

   A POSIX thread that is not the only one of its UPC thread calls it only in exclusive
   operations, as another one may be working at the same operations in flight. */

#ifndef UPCR_SYNC_PROGRESS_H
#define UPCR_SYNC_PROGRESS_H

#include "runtime/host/host.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef bool upcr_progress_function (void);

/* Of each UPC thread; written by it, in exclusive operations. Relaxed: others of its POSIX
   threads look whether there is one. */
extern struct upcr_progress
{
  _Alignas(64) _Atomic (upcr_progress_function *) function;
} upcr_progress[UPCR_MAX_THREADS];

static inline void
upcr_set_progress (upcr_progress_function *function)
{
  atomic_store_explicit (&upcr_progress[MYTHREAD].function, function, memory_order_relaxed);
}

bool upcr_call_progress (void);

/* True when there was something to do. */
static inline bool
upcr_make_progress (void)
{
  return atomic_load_explicit (&upcr_progress[MYTHREAD].function, memory_order_relaxed) != NULL
         && upcr_call_progress ();
}

#endif
