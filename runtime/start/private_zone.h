/* Large zero data of the program: upc-privatize keeps it out of the thread-local
   segment, which libc clears. Each thread has a zone for it, zero pages at a fixed
   distance above its thread pointer. */

#ifndef UPCR_PRIVATE_ZONE_H
#define UPCR_PRIVATE_ZONE_H

#include <stddef.h>

/* How many bytes must be mapped above the stack of each thread, its thread pointer
   being just below that place: a multiple of pages, 0 when the program has no zone. */
size_t upcr_private_zone_bytes (void);

/* Whether ADDRESS is where the calling thread's zone would be. Threads that shared
   libraries make have none. */
int upcr_private_zone_has (const void *address);

/* Calls VISIT with each range of memory where the calling thread's copy of the private data
   is, and with DATA. */
void upcr_each_private_range (void (*visit) (void *start, size_t bytes, void *data), void *data);

/* Tells LeakSanitizer, where it is there, that what the calling thread's copy of the
   private data points to is in use, even when the thread has ended: a process would
   not lose its statics either. */
void upcr_private_keep (void);

#endif
