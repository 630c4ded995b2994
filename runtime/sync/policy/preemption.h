/* The detector of external preemption: other programs that take the CPU from threads that yield.

   A thread that yields means to give its CPU to a thread of this run. If another program takes
   the CPU, it keeps it for its slice, milliseconds, while a thread that sleeps and is woken gets
   the CPU back at once. So for a while no thread yields then. */

#ifndef UPCR_SYNC_PREEMPTION_H
#define UPCR_SYNC_PREEMPTION_H

#include <stdbool.h>
#include <stdint.h>

void upcr_preemption_init (void);

/* Before a yield that begins at START_NS. False: better not now. */
bool upcr_may_yield (uint64_t start_ns);

/* The calling thread has yielded from START_NS to END_NS. False: it did not give the CPU to
   threads of this run. */
bool upcr_was_yield_useful (uint64_t start_ns, uint64_t end_ns);

#endif
