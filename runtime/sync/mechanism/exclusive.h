/* Operations that a UPC thread does one after the other: barriers, locks, collective functions.
   Any of its POSIX threads may call them, as long as no other one is in one. Once there are
   others, that is looked at in every call, and ends the run with one line.

   field     written by                         read by             order
   owner     who enters and leaves              all of the thread   acquire, release
   what      who enters                         who is refused      by owner
   ended     who ends the UPC thread            all of the thread   relaxed

   owner is 0 outside, else the thread pointer of who is inside. There is no read-modify-write,
   which would double what a lock costs, but two looks: on entry, and on leaving. Where two
   threads enter at once, one of them finds the other's name in its place when it leaves. It
   does not where it has left before the other's store could be seen; but then all atomic
   read-modify-writes of its operation came before those of the other's, behind that store. The
   operations were one after the other. */

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

/* The rest of the next two functions. The first says whether the thread is to leave: not where
   it is inside already, as the functions are that a collective function calls back. */
bool upcr_exclusive_enter_slowly (const char *what);
void upcr_exclusive_leave_slowly (const char *what);

/* The UPC thread has ended: its other POSIX threads stop where they enter such an operation. */
void upcr_exclusive_end (void);

/* Is the calling thread inside, or is it the only one? */
bool upcr_is_exclusive (void);

static inline bool
upcr_exclusive_enter (const char *what)
{
  struct upcr_exclusive *mine = &upcr_exclusives[MYTHREAD];

  if (__builtin_expect (!upcr_has_threads, 1))
    return false;
  if (__builtin_expect (atomic_load_explicit (&mine->owner, memory_order_acquire) != 0
                            || atomic_load_explicit (&mine->ended, memory_order_relaxed),
                        0))
    return upcr_exclusive_enter_slowly (what);
  atomic_store_explicit (&mine->what, what, memory_order_relaxed);
  atomic_store_explicit (&mine->owner, (uintptr_t) __builtin_thread_pointer (),
                         memory_order_release);
  return true;
}

static inline void
upcr_exclusive_leave (const char *what)
{
  struct upcr_exclusive *mine = &upcr_exclusives[MYTHREAD];

  if (__builtin_expect (atomic_load_explicit (&mine->owner, memory_order_acquire)
                            != (uintptr_t) __builtin_thread_pointer (),
                        0))
    upcr_exclusive_leave_slowly (what);
  atomic_store_explicit (&mine->owner, 0, memory_order_release);
}

struct upcr_exclusion
{
  const char *what;
  bool must_leave;
};

static inline void
upcr_exclusion_end (const struct upcr_exclusion *exclusion)
{
  if (__builtin_expect (exclusion->must_leave, 0))
    upcr_exclusive_leave (exclusion->what);
}

/* The rest of the block is the operation WHAT. */
#define UPCR_EXCLUSIVE(what)                                                           \
  __attribute__ ((cleanup (upcr_exclusion_end))) const struct upcr_exclusion exclusion \
      = { what, upcr_exclusive_enter (what) }

#endif
