/* Progress of operations in flight, made by threads that wait. While a thread has set its
   upcr_progress, every wait of the runtime in that thread calls it between two looks at what
   it waits for, and before it sleeps. It says whether it did something: then the wait spins
   for as long again. It may wake others, and sleeps itself only for locks of its own; within
   it upcr_progress counts as unset. */

#ifndef UPCR_SYNC_PROGRESS_H
#define UPCR_SYNC_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef bool upcr_progress_function (void);
extern __thread upcr_progress_function *upcr_progress;

bool upcr_call_progress (void);

/* True when there was something to do. */
static inline bool
upcr_make_progress (void)
{
  return upcr_progress != NULL && upcr_call_progress ();
}

#endif
