/* The synchronisation room: waiting, the split-phase barrier, locks, fences.

   Every wait of the runtime goes through park.c, which alone knows how many CPUs
   there are. Errors in use end the run through upcr_fatal. */

#ifndef UPCR_SYNC_H
#define UPCR_SYNC_H

#include "runtime/shared/shared.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The barrier value of a statement that gives none (UPC 1.3, 6.6.1). */
#define UPCR_NO_ID INT_MIN

/* Called once by the initial thread before the others exist. CPUS is what
   upcr_cpu_count says. */
void upcr_sync_init (int threads, int cpus);

/* The statements upc_notify, upc_wait, upc_barrier, upc_fence (UPC 1.3, 6.6.1):
   collective but for the fence. A null strict access is part of each. */
void upcr_notify (int id);
void upcr_wait (int id);
void upcr_barrier (int id);
void upcr_fence (void);

/* A barrier of the runtime's own for collective library functions: independent of
   the program's notify and wait, but an error between them. WHAT names the
   function in messages. Orders what came before it on every thread before what
   comes after it on every thread. */
void upcr_collective_barrier (const char *what);

/* One thread's call of a collective function whose work thread 0 does alone. */
struct upcr_broadcast
{
  const char *what;    /* the function, for messages */
  size_t arguments[2];
  upcr_pts result;
};

/* Broadcast from thread 0: waits for all threads and returns what thread 0 passed, which
   stays until the next call. It is an error when thread 0 called another function. */
const struct upcr_broadcast *upcr_broadcast_from_0 (const struct upcr_broadcast *mine);

/* True on thread 0, once all threads have called it with the same pointer: nobody uses
   the object any more. Another pointer than thread 0's is an error. */
bool upcr_agree_to_free (upcr_pts object, const char *what);

/* A lock as it lies in shared memory, in a cache line of its own; upcr_lock_init
   makes it. What is no lock, was freed, is held by the wrong thread, or already by
   this one, ends the run. */
struct upcr_lock;
#define UPCR_LOCK_BYTES 64

void upcr_lock_init (struct upcr_lock *lock);
void upcr_lock_acquire (struct upcr_lock *lock);
bool upcr_lock_try (struct upcr_lock *lock);
void upcr_lock_release (struct upcr_lock *lock);

/* Ends the lock's life, held or not (UPC 1.3, 7.2.4.4); the caller frees the
   memory, and the longer that keeps what it holds, the longer later use of the
   lock is told from use of any other memory. An error when threads wait for it,
   and with UPC_CHECK=1 when one holds it. WHAT names the function in messages. */
void upcr_lock_destroy (struct upcr_lock *lock, const char *what);

/* Waiting: returns once *WORD is no longer SEEN, with acquire order. What for is to be
   said before, by upcr_set_wait_reason of stuck.h. */
void upcr_park_while (_Atomic uint32_t *word, uint32_t seen);

/* To be called after a store to *WORD that parked threads wait for. */
void upcr_unpark_all (_Atomic uint32_t *word);

/* Progress of operations in flight, made by threads that wait. While a thread has set
   its upcr_progress, every wait of the runtime in that thread (barriers, locks,
   upcr_park_while, upcr_poll) calls it between two looks at what it waits for, and
   before it sleeps. It says whether it did something: then the wait stays awake for
   as long again. It may wake others, and sleeps itself only for locks of its own;
   within it upcr_progress counts as unset. Unset, as it is at first, it costs a load
   in waits that are not over at once, and nothing elsewhere. */
typedef bool upcr_progress_function (void);
extern __thread upcr_progress_function *upcr_progress;

/* Has THREAD call its upcr_progress once more, also when it sleeps in a wait. What it
   shall find was stored before the call. Without a system call unless it sleeps. */
void upcr_nudge (int thread);

/* One turn of a wait that the program makes itself: where CPUs are short another
   thread gets this one. */
void upcr_poll (void);

#include "runtime/sync/barrier.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/lock.h"
#include "runtime/sync/park.h"
#include "runtime/sync/poll.h"
#include "runtime/sync/stuck.h"

#endif
