/* The null strict access of the UPC memory model (UPC 1.3, 5.1.2.3 and B.3.1).

   All threads agree on one order of the strict accesses, and a thread's other
   accesses do not cross its own strict ones. On hardware this is a full fence: a
   store before it is visible before a load after it is done (B.5, example 12).

   Three forms, by what stands beside them:

   upcr_strict_fence ()     alone, or beside plain loads and stores: the statement
                            upc_fence, and what makes an access strict
   upcr_hardware_fence ()   where other atomics carry the order between threads and
                            only the store buffer is in the way
   upcr_fence_after_rmw ()  behind a read-modify-write of this thread, of any order,
                            which on x86 is a locked instruction and so the full
                            fence itself; elsewhere a fence of its own

   They differ for ThreadSanitizer, which does not see fences. It must see the first one, so
   there all strict fences update one word. The others must not seem to order more than they
   do, or races of the program would go unseen: they update a word of their own. */

#ifndef UPCR_SYNC_MEMORY_FENCE_H
#define UPCR_SYNC_MEMORY_FENCE_H

#include "runtime/arch/arch.h"
#include "runtime/host/host.h"

#include <stdatomic.h>
#include <stdint.h>

#ifdef UPCR_NETWORK
#include "runtime/shared/shared.h"
/* What the thread has stored is there before what comes. */
#define UPCR_FLUSH() upcr_flush ()
#else
#define UPCR_FLUSH() ((void) 0)
#endif

#ifdef UPCR_TSAN

extern _Atomic uint32_t upcr_fence_word;

static inline void
upcr_strict_fence (void)
{
  UPCR_FLUSH ();
  atomic_fetch_add_explicit (&upcr_fence_word, 1, memory_order_acq_rel);
}

static inline void
upcr_hardware_fence (void)
{
  _Atomic uint32_t own_word = 0;

  atomic_fetch_add_explicit (&own_word, 1, memory_order_seq_cst);
  upcr_fence_after_rmw ();
}

#else

static inline void
upcr_strict_fence (void)
{
  UPCR_FLUSH ();
  atomic_thread_fence (memory_order_seq_cst);
}

static inline void
upcr_hardware_fence (void)
{
  atomic_thread_fence (memory_order_seq_cst);
}

#endif

#endif
