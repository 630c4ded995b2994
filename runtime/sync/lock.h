/* What compiled code does with a lock that no other thread wants; the rest is in lock.c. */

#ifndef UPCR_LOCK_H
#define UPCR_LOCK_H

#include "runtime/host/host.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/sync.h"

/* The word of a free lock; a held one has its owner's MYTHREAD + 1 in the lower half. */
#define UPCR_LOCK_LIVE 0x10ca0000u

struct upcr_lock
{
  _Alignas (UPCR_LOCK_BYTES) _Atomic uint32_t word;
  /* The last in the queue, as MYTHREAD + 1; 0: nobody waits. */
  _Atomic uint32_t tail;
  /* Who was last to wait for the end of a turn, likewise. */
  _Atomic uint32_t head;
  /* Of the turn: how often the lock was taken; when it began; when the one before was ended
     by its owner, or 0; how long it lasts at least. The owner's; the head looks at the first. */
  _Atomic uint32_t takes;
  uint64_t turn_ns;
  uint64_t promised_ns;
  uint64_t least_ns;
};

/* For WORD, the lock as last seen, which is updated when that is not what it is.

   Acquire: what the owner before did is seen. seq_cst and a full fence, because on
   success it is the strict read of upc_lock (B.3.1) too. */
static inline bool
upcr_lock_take (struct upcr_lock *lock, uint32_t *word, uint32_t wanted)
{
  bool taken = atomic_compare_exchange_strong_explicit (&lock->word, word, wanted,
                                                        memory_order_seq_cst, memory_order_acquire);

  upcr_fence_after_rmw ();
  return taken;
}

/* The lock was WORD, not free, or not a lock. */
void upcr_lock_acquire_slowly (struct upcr_lock *lock, uint32_t word);
void upcr_lock_release_slowly (struct upcr_lock *lock, uint32_t word);

/* Has the turn been long enough? Asked ever more rarely: a turn of few long uses ends in
   time, one of many short ones is counted. */
void upcr_lock_look_at_turn (struct upcr_lock *lock);

static inline void
upcr_lock_count (struct upcr_lock *lock)
{
  uint32_t takes = atomic_load_explicit (&lock->takes, memory_order_relaxed) + 1;

  atomic_store_explicit (&lock->takes, takes, memory_order_relaxed);
  if (__builtin_expect ((takes & (takes - 1)) == 0, 0))
    upcr_lock_look_at_turn (lock);
}

static inline void
upcr_lock_acquire_inline (struct upcr_lock *lock)
{
  uint32_t word = UPCR_LOCK_LIVE;

  if (__builtin_expect (!upcr_lock_take (lock, &word, UPCR_LOCK_LIVE | (MYTHREAD + 1)), 0))
    upcr_lock_acquire_slowly (lock, word);
  else
    upcr_lock_count (lock);
}

/* Release: the next owner sees what this one did. seq_cst and a full fence: it is
   also the strict write of upc_unlock (B.3.1). From the success on the lock may be
   another's, and its memory gone: only its address is used, to wake. */
static inline void
upcr_lock_release_inline (struct upcr_lock *lock)
{
  uint32_t word = UPCR_LOCK_LIVE | (MYTHREAD + 1);
  bool released
    = atomic_compare_exchange_strong_explicit (&lock->word, &word, UPCR_LOCK_LIVE,
                                               memory_order_seq_cst, memory_order_relaxed);

  if (__builtin_expect (!released, 0))
    upcr_lock_release_slowly (lock, word);
  upcr_fence_after_rmw ();
}

#endif
