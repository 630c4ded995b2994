/* Operations that a UPC thread does one at a time: barriers, locks, collective functions. Any of
   its POSIX threads may call them, as long as no other one is in such an operation. Once there
   is more than one POSIX thread, every call checks that; a violation ends the run with one line.

   field     written by                         read by             order
   owner     who enters and leaves              all of the thread   acquire, release
   what      who is inside                      who is refused      relaxed
   ended     who ends the UPC thread            all of the thread   relaxed

   owner is 0 outside of these operations, else the thread pointer of the thread inside. Entering
   is a read-modify-write: if two threads looked and then stored, both could go on to wait for
   ever. */

#ifndef UPCR_SYNC_EXCLUSIVE_H
#define UPCR_SYNC_EXCLUSIVE_H

#include "runtime/host/host.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

extern struct upcr_exclusive
{
  _Alignas(64) _Atomic uintptr_t owner;
  _Atomic (const char *) what;
  atomic_bool ended;
} upcr_exclusives[UPCR_MAX_THREADS];

/* The rest of upcr_exclusive_enter. Says whether the thread is to leave: not where it is inside
   already, as the functions are that a collective function calls back. */
bool upcr_exclusive_enter_slowly (const char *what);

/* The UPC thread has ended: its other POSIX threads stop where they enter such an operation. */
void upcr_exclusive_end (void);

/* Is the calling thread inside, or is it the only one? */
bool upcr_is_exclusive (void);

static inline bool
upcr_exclusive_enter (const char *what)
{
  struct upcr_exclusive *mine = &upcr_exclusives[MYTHREAD];
  uintptr_t nobody = 0;

  if (__builtin_expect (!upcr_has_threads, 1))
    return false;
  if (__builtin_expect (atomic_load_explicit (&mine->ended, memory_order_relaxed), 0)
      || __builtin_expect (!atomic_compare_exchange_strong_explicit (
                               &mine->owner, &nobody, (uintptr_t) __builtin_thread_pointer (),
                               memory_order_acquire, memory_order_relaxed),
                           0))
    return upcr_exclusive_enter_slowly (what);
  atomic_store_explicit (&mine->what, what, memory_order_relaxed);
  return true;
}

static inline void
upcr_exclusive_leave (void)
{
  struct upcr_exclusive *mine = &upcr_exclusives[MYTHREAD];

  atomic_store_explicit (&mine->what, NULL, memory_order_relaxed);
  atomic_store_explicit (&mine->owner, 0, memory_order_release);
}

static inline void
upcr_exclusion_end (const bool *must_leave)
{
  if (__builtin_expect (*must_leave, 0))
    upcr_exclusive_leave ();
}

/* The rest of the block is the operation WHAT. */
#define UPCR_EXCLUSIVE(what) \
  __attribute__ ((cleanup (upcr_exclusion_end))) const bool must_leave = upcr_exclusive_enter (what)

#endif
