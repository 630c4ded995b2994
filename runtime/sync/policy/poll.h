/* Spin loops of the program itself: what the runtime does in each of their iterations. That is
   nothing, unless the run is oversubscribed; then enough idle iterations yield the CPU. */

#ifndef UPCR_SYNC_POLL_H
#define UPCR_SYNC_POLL_H

#include <stdint.h>

/* Behind a strict read that returned VALUE, in an oversubscribed run: called by compiled code
   (include/upct/access.h). The second form names the place in the code. */
void __upc_strict_read (unsigned long value);
void upcr_strict_read_at (const void *caller, uint64_t value);

/* Behind a fence; behind an attempt at a lock that failed. In an oversubscribed run. */
void upcr_idle_fence (void);
void upcr_idle_attempt (void);

/* One iteration of a loop that calls upc_poll: makes progress, and where CPUs are short another
   thread gets this one. */
void upcr_poll (void);

#endif
