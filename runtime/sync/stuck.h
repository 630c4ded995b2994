/* Who waits for what, and whether anyone can ever go on.

   A thread that is to wait says in its own record what for, and the record is marked
   for the time it sleeps. Thread 0 sleeps with a time limit; each time that is over it
   looks at all records. No other thread does anything for it, and none before it has
   given up its CPU. */

#ifndef UPCR_STUCK_H
#define UPCR_STUCK_H

#include "runtime/host/host.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct upcr_lock;

/* field            written by   read by    order
   what, lock       its thread   thread 0   relaxed, by sleeps
   on               its thread   thread 0   relaxed, by sleeps
   sleeps           its thread   thread 0   release, acquire */
struct upcr_waiter
{
  _Alignas (64) _Atomic uint32_t sleeps;          /* odd while it sleeps */
  struct
  {
    _Atomic uint32_t seen;                        /* while the word is that */
    _Atomic (_Atomic uint32_t *) word;            /* NULL: no second word */
  } on[2];
  const char *_Atomic what;                       /* the function it waits in */
  const struct upcr_lock *_Atomic lock;           /* the lock it waits for, or NULL */
};

extern struct upcr_waiter upcr_waiters[UPCR_MAX_THREADS];

/* Before a wait of the calling thread: for the other threads in WHAT, or for LOCK. A
   store or two in a line of the thread's own. */
static inline void
upcr_set_wait_reason (const char *what, const struct upcr_lock *lock)
{
  struct upcr_waiter *mine = &upcr_waiters[MYTHREAD];

  atomic_store_explicit (&mine->what, what, memory_order_relaxed);
  atomic_store_explicit (&mine->lock, lock, memory_order_relaxed);
}

/* Around a sleep on *WORD while it is SEEN, and *OTHER, unless NULL, OTHER_SEEN.
   Between the two the thread changes nothing that another one waits for. */
void upcr_sleep_begins (_Atomic uint32_t *word, uint32_t seen, _Atomic uint32_t *other,
                        uint32_t other_seen);
void upcr_sleep_ends (void);

/* How long the calling thread may sleep before it looks whether all do, in its
   TURN-th sleep of this wait, from 0; NULL: for ever. Stored in *TIME. */
const struct timespec *upcr_sleep_limit (unsigned turn, struct timespec *time);

/* Looks whether a thread can go on, and ends the run with a report when twice in a row
   none can. Called by thread 0, between the two above or when it has ended. */
void upcr_look_if_stuck (void);

void upcr_stuck_init (void);

/* The report: for each thread, what it waits for and where. In a handler of a signal
   too. The first line is for the caller. */
void upcr_report_threads (void);

/* Why thread 0 or the next that waits cannot go on, as one line. */
void upcr_explain_deadlock (char *line, unsigned long bytes);

/* For the report, of a thread that waits. */
static inline bool
upcr_is_asleep (int thread)
{
  return atomic_load_explicit (&upcr_waiters[thread].sleeps, memory_order_acquire) & 1;
}

/* What the barrier and the locks tell it: has the thread notified and not waited yet;
   has it come to the barrier that OTHER has notified in; the holder of a lock, -1 when
   it is free. */
bool upcr_has_notified (int thread);
bool upcr_has_come (int thread, int other);
int upcr_lock_holder (const struct upcr_lock *lock);

#endif
