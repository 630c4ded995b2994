/* What reports say about a lock. */

#include "runtime/sync/primitives/lock.h"

struct upcr_lock_look
upcr_lock_look (const struct upcr_lock *lock)
{
  uint32_t word = atomic_load_explicit (&lock->word, memory_order_relaxed);

  return (struct upcr_lock_look){ (int) (word & UPCR_LOCK_OWNER) - 1, lock->origin };
}
