/* Single accesses, including strict ones, if other processes have memory: for the calls of compiled code
   and of other compilers' objects. */

#ifndef UPCR_ABI_NETWORK_ACCESS_H
#define UPCR_ABI_NETWORK_ACCESS_H

#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

/* AddressSanitizer knows nothing of what another node has: the process that has it is asked before. */
static inline void
upcr_check_far (const void *shared, size_t bytes)
{
#ifdef UPCR_ASAN
  if (upcr_is_far (shared))
    upcr_check_address (shared, bytes, NULL);
#else
  (void) shared, (void) bytes;
#endif
}

/* A strict load comes after all that the thread has stored; a strict store is there when it returns. Words of
   the own memory go whole, as other processes' do. */
static inline void
upcr_load_strictly (void *value, const void *shared, size_t bytes)
{
  upcr_strict_fence ();
  upcr_load (value, shared, bytes);
  atomic_thread_fence (memory_order_seq_cst);
}

static inline void
upcr_store_strictly (void *shared, const void *value, size_t bytes)
{
  upcr_strict_fence ();
  upcr_store (shared, value, bytes);
  upcr_strict_fence ();
}

#endif
