/* Locks: the inline code for a lock that no other thread wants. The rest is in lock.c. */

#ifndef UPCR_SYNC_LOCK_H
#define UPCR_SYNC_LOCK_H

#include "runtime/arch/arch.h"
#include "runtime/host/host.h"
#include "runtime/sync/mechanism/fence.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define UPCR_LOCK_BYTES 64

/* Where a lock was allocated, for messages: WHAT is the function, NULL if nothing is known. PLACE is
   the name of the file, or the address of the call if LINE is 0. */
struct upcr_lock_origin
{
  const char *what;
  const void *place;
  int line;
};

/* Of the calling thread, which is in WHAT; CALL: where that was called. */
static inline struct upcr_lock_origin
upcr_origin_here (const char *what, const void *call)
{
  if (upcr_here.file)
    return (struct upcr_lock_origin){ what, upcr_here.file, upcr_here.line };
  return (struct upcr_lock_origin){ what, call, 0 };
}

/* The word of a free lock; a held one has its owner's MYTHREAD + 1 in the lower half. The
   other states are in lock.c. */
#define UPCR_LOCK_LIVE 0x10ca0000u
#define UPCR_LOCK_OWNER 0x00000fffu

struct upcr_lock
{
  _Alignas(UPCR_LOCK_BYTES) _Atomic uint32_t word;
  /* The last in the queue, as MYTHREAD + 1; 0: nobody waits. */
  _Atomic uint32_t tail;
  /* Who was last to wait for the end of a barging quantum, likewise. */
  _Atomic uint32_t head;
  /* Of the quantum: how often the lock was acquired; when it began; when the one before was
     ended by its owner, or 0; how long it lasts at least. The owner's; the head looks at the
     first. */
  _Atomic uint32_t acquisitions;
  uint64_t begin_ns;
  uint64_t handoff_ns;
  uint64_t least_ns;
  /* Constant. */
  struct upcr_lock_origin origin;
};

/* What reports say of a lock, of any thread's partition: the thread that holds it, -1: none. */
struct upcr_lock_look
{
  int holder;
  struct upcr_lock_origin origin;
};

struct upcr_lock_look upcr_lock_look (const struct upcr_lock *lock);

#ifdef UPCR_NETWORK
#include "runtime/sync/network/remote_lock.h"
#else

/* upcr_lock_init makes a lock of memory that is aligned to UPCR_LOCK_BYTES. What is no lock,
   was freed, is held by the wrong thread, or already by this one, ends the run. */
void upcr_lock_init (struct upcr_lock *lock, struct upcr_lock_origin origin);
bool upcr_lock_try (struct upcr_lock *lock);

/* Ends the lock's life, held or not (UPC 1.3, 7.2.4.4); the caller frees the
   memory, and the longer that keeps what it holds, the longer later use of the
   lock is told from use of any other memory. An error when threads wait for it,
   and with UPC_CHECK=1 when one holds it. WHAT names the function in messages. */
void upcr_lock_destroy (struct upcr_lock *lock, const char *what);

/* For WORD, the lock as last seen, which is updated when that is not what it is.

   Acquire: what the owner before did is seen. A full fence, because on success it is the
   strict read of upc_lock (B.3.1) too; acquire beside it for ThreadSanitizer alone, which does
   not see fences. */
static inline bool
upcr_lock_take (struct upcr_lock *lock, uint32_t *word, uint32_t wanted)
{
  bool taken = atomic_compare_exchange_strong_explicit (&lock->word, word, wanted,
                                                        memory_order_acquire, memory_order_relaxed);

  upcr_fence_after_rmw ();
  return taken;
}

/* The lock was WORD, not free, or not a lock. */
void upcr_lock_acquire_slowly (struct upcr_lock *lock, uint32_t word);
void upcr_lock_release_slowly (struct upcr_lock *lock, uint32_t word);

/* Has the quantum been long enough? Asked ever more rarely: a quantum of few long uses ends in
   time, one of many short ones is counted. */
void upcr_lock_check_quantum (struct upcr_lock *lock);

static inline void
upcr_lock_count_acquisition (struct upcr_lock *lock)
{
  uint32_t count = atomic_load_explicit (&lock->acquisitions, memory_order_relaxed) + 1;

  atomic_store_explicit (&lock->acquisitions, count, memory_order_relaxed);
  if (__builtin_expect ((count & (count - 1)) == 0, 0))
    upcr_lock_check_quantum (lock);
}

static inline void
upcr_lock_acquire (struct upcr_lock *lock)
{
  uint32_t word = UPCR_LOCK_LIVE;

  if (__builtin_expect (!upcr_lock_take (lock, &word, UPCR_LOCK_LIVE | (MYTHREAD + 1)), 0))
    upcr_lock_acquire_slowly (lock, word);
  else
    upcr_lock_count_acquisition (lock);
}

/* Release: the next owner sees what this one did. A full fence: it is also the strict
   write of upc_unlock (B.3.1). From the success on the lock may be
   another's, and its memory gone: only its address is used, to wake. */
static inline void
upcr_lock_release (struct upcr_lock *lock)
{
  uint32_t word = UPCR_LOCK_LIVE | (MYTHREAD + 1);
  bool released = atomic_compare_exchange_strong_explicit (
      &lock->word, &word, UPCR_LOCK_LIVE, memory_order_release, memory_order_relaxed);

  if (__builtin_expect (!released, 0))
    upcr_lock_release_slowly (lock, word);
  upcr_fence_after_rmw ();
}

#endif

#endif
