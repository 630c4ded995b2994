/* Inside the room: the central barrier of a team, at which the last member to arrive may do
   something before the others go on. The combining tree of runtime/sync is for all threads
   alone, and with two of them none is the last.

   A member reads the epoch, arrives, and waits until the epoch has moved on. The last
   one to arrive moves it. The epoch is only ever compared for equality with one that is
   at most a phase old, so that it may wrap.

   field     written by                       read by            order
   size      upcr_team_new                    all                before there is a team
   arrived   each member once a phase, 0      the last member    acquire and release
             by the last one
   epoch     the last member                  all                release, acquire */

#ifndef UPCR_COLL_CENTRAL_BARRIER_H
#define UPCR_COLL_CENTRAL_BARRIER_H

#include "runtime/sync/sync.h"

struct upcr_central_barrier
{
  _Alignas(64) _Atomic uint32_t arrived;
  uint32_t size;
  /* Waiting members read this line all the time; arrivals stay off it. */
  _Alignas(64) _Atomic uint32_t epoch;
};

/* Relaxed: the epoch cannot move before this member arrives, and this member has acquired
   its present value at the end of the phase before. */
static inline uint32_t
upcr_central_epoch (struct upcr_central_barrier *barrier)
{
  return atomic_load_explicit (&barrier->epoch, memory_order_relaxed);
}

/* True to the last member, which must open the next phase. Release: what this member did
   before is before the opening. Acquire, for the last one: the opening is after what all
   others did. A full fence: the one that the flags of a collective function imply (UPC 1.3,
   B.3.2); acquire beside it for ThreadSanitizer alone, which does not see fences. */
static inline bool
upcr_central_arrive (struct upcr_central_barrier *barrier)
{
  uint32_t before = atomic_fetch_add_explicit (&barrier->arrived, 1, memory_order_acq_rel);

  upcr_fence_after_rmw ();
  return before + 1 == barrier->size;
}

/* Relaxed: the next arrivals have acquired the epoch stored below, which is a release. The fence
   pairs with upcr_park_while. */
static inline void
upcr_central_open (struct upcr_central_barrier *barrier)
{
  atomic_store_explicit (&barrier->arrived, 0, memory_order_relaxed);
  atomic_fetch_add_explicit (&barrier->epoch, 1, memory_order_release);
  upcr_fence_after_rmw ();
  upcr_unpark_fenced (&barrier->epoch);
}

/* WHAT is the function that waits, for reports. */
static inline void
upcr_central_await (struct upcr_central_barrier *barrier, uint32_t epoch, const char *what)
{
  if (atomic_load_explicit (&barrier->epoch, memory_order_acquire) != epoch)
    return;
  upcr_set_wait_reason (what, NULL);
  upcr_park_while (&barrier->epoch, epoch);
}

#endif
