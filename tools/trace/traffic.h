/* What a traced program tells of itself while it runs: the bytes that threads have moved, up to now. `upcrun
   --top` finds it by the name upct_traffic and reads it from outside.

   Fields      written by                       read by
   threads     the first thread, before bytes   upcrun
   bytes       the first thread, once           all threads, upcrun
   its words   the thread of the row            upcrun, which may see an old one */

#ifndef TRACE_TRAFFIC_H
#define TRACE_TRAFFIC_H

#include <stdint.h>

/* A row for each thread: what it has read of each thread's memory, and behind that what it has written to
   each one's. */
struct trace_traffic
{
  uint64_t threads;
  uint64_t *bytes;
};

static inline uint64_t
trace_traffic_words (uint64_t threads)
{
  return 2 * threads * threads;
}

#endif
