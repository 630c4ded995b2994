/* Atomic operations if other processes have threads. Each thread reads a domain in its own partition
   (runtime/atomic/network/domain.c). */

#include "runtime/shared/shared.h"

static inline char *
own_piece (upcr_pts p)
{
  return upcr_segment_address (MYTHREAD, upcr_pts_offset (p));
}

#define upcr_pts_address own_piece
#include "runtime/abi/atomic.c"
