/* The split-phase barrier of UPC, and the barrier of library functions. */

#ifndef UPCR_SYNC_BARRIER_H
#define UPCR_SYNC_BARRIER_H

#include "runtime/host/host.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The value of a statement that gives none. */
#define UPCR_NO_ID INT_MIN

void upcr_barrier_init (int threads);

/* The statements upc_notify, upc_wait, upc_barrier (UPC 1.3, 6.6.1): collective. A null
   strict access is part of each. ID is the barrier's value, or UPCR_NO_ID. */
void upcr_notify (int id);
void upcr_wait (int id);
void upcr_barrier (int id);

/* After upcr_notify: whether upcr_wait would return at once. */
bool upcr_barrier_is_over (void);

/* A barrier of the runtime's own for collective library functions: independent of
   the program's notify and wait, but an error between them. WHAT names the
   function in messages. Orders what came before it on every thread before what
   comes after it on every thread. */
void upcr_collective_barrier (const char *what);

/* The state of a thread in the program's barrier, in a cache line of its own:

     notified   false   outside
                true    between upc_notify and upc_wait, in phase `epoch` */
struct upcr_barrier_thread
{
  /* Relaxed, both: only the diagnosis reads them from other threads. */
  _Alignas(64) _Atomic uint32_t epoch;
  atomic_bool notified;
};
extern struct upcr_barrier_thread upcr_barrier_threads[UPCR_MAX_THREADS];

/* Has THREAD notified, and not waited yet? */
static inline bool
upcr_has_notified (int thread)
{
  return atomic_load_explicit (&upcr_barrier_threads[thread].notified, memory_order_relaxed);
}

/* Prints an error for each thread that has notified and not waited, at the end of a run; false: none has. */
bool upcr_report_notifications (void);

/* For collective functions that have no barrier: an error between upc_notify and upc_wait.
   WHAT names the function in the message. */
static inline void
upcr_reject_in_split_phase (const char *what)
{
  if (__builtin_expect (upcr_has_notified (MYTHREAD), 0))
    upcr_fatal ("%s between upc_notify and upc_wait", what);
}

#endif
