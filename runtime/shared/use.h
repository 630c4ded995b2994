/* How much of the shared heap is in use: in each partition and, after the partitions, in all. A
   piece of a symmetric block counts in its partition, and the block once in all.

   Fields    written and read by
   all       whoever has the lock of their owner: zone.c counts pages there, piece.c blocks */

#ifndef UPCR_USE_H
#define UPCR_USE_H

#include "runtime/host/host.h"

#include <stdint.h>

struct upcr_use
{
  uint64_t blocks, bytes;
  uint64_t most; /* the most that BYTES has been */
};

enum
{
  UPCR_USES = UPCR_MAX_THREADS + 1
};

static inline void
upcr_use_grow (struct upcr_use *use, uint64_t bytes)
{
  use->blocks++;
  use->bytes += bytes;
  if (use->most < use->bytes)
    use->most = use->bytes;
}

/* One block more, or less, with BYTES in each of the partitions from FROM up to TO. */
static inline void
upcr_use_add (struct upcr_use *uses, int from, int to, uint64_t bytes)
{
  for (int t = from; t < to; t++)
    upcr_use_grow (&uses[t], bytes);
  upcr_use_grow (&uses[THREADS], bytes * (to - from));
}

static inline void
upcr_use_remove (struct upcr_use *uses, int from, int to, uint64_t bytes)
{
  for (int t = from; t < to; t++)
    {
      uses[t].blocks--;
      uses[t].bytes -= bytes;
    }
  uses[THREADS].blocks--;
  uses[THREADS].bytes -= bytes * (to - from);
}

#endif
