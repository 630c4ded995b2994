/* The meeting of all threads: a central counter and an epoch. */

#include "runtime/sync/rendezvous.h"

#include "runtime/sync/debug.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/sync.h"

void
upcr_rendezvous_init (struct upcr_rendezvous *meeting, int threads)
{
  meeting->threads = threads;
  atomic_init (&meeting->arrived, 0);
  atomic_init (&meeting->epoch, 0);
}

/* Relaxed: the epoch cannot move before this thread arrives, and this thread has
   acquired its present value at the end of the phase before. */
uint32_t
upcr_rendezvous_epoch (struct upcr_rendezvous *meeting)
{
  return atomic_load_explicit (&meeting->epoch, memory_order_relaxed);
}

/* Release: what this thread did before is before the opening. Acquire, for the
   last one: the opening is after what all others did. seq_cst and a full fence:
   it is also the strict write of upc_notify (B.3.1), which a later read of this
   thread must not overtake. */
bool
upcr_rendezvous_arrive (struct upcr_rendezvous *meeting)
{
  uint32_t before = atomic_fetch_add_explicit (&meeting->arrived, 1, memory_order_seq_cst);

  upcr_fence_with_rmw ();
  UPCR_ASSERT (before < meeting->threads);
  return before + 1 == meeting->threads;
}

void
upcr_rendezvous_open (struct upcr_rendezvous *meeting)
{
  uint32_t next = atomic_load_explicit (&meeting->epoch, memory_order_relaxed) + 1;

  /* Relaxed: the next arrivals have acquired the epoch stored below. */
  atomic_store_explicit (&meeting->arrived, 0, memory_order_relaxed);
  UPCR_WINDOW ();
  atomic_store_explicit (&meeting->epoch, next, memory_order_release);
  upcr_unpark_all (&meeting->epoch);
}

void
upcr_rendezvous_await (struct upcr_rendezvous *meeting, uint32_t epoch)
{
  upcr_park_while (&meeting->epoch, epoch);
}
