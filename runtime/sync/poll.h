/* What the runtime does at each turn of a wait that the program makes itself: nothing,
   unless threads exceed CPUs. Then enough idle turns yield the CPU. */

#ifndef UPCR_POLL_H
#define UPCR_POLL_H

#include "runtime/sync/crowd.h"

#include <stdint.h>

/* Behind a strict read that gave VALUE, while __upc_crowded: called by compiled code
   (include/upct/access.h). The second form names the place in the code. */
void __upc_strict_read (unsigned long value);
void upcr_strict_read_at (const void *caller, uint64_t value);

/* Behind a fence; behind an attempt that failed. While __upc_oversubscribed. */
void upcr_idle_fence (void);
void upcr_idle_attempt (void);

static inline bool
upcr_is_oversubscribed (void)
{
  return __builtin_expect (__atomic_load_n (&__upc_oversubscribed, __ATOMIC_RELAXED), 0);
}

#endif
