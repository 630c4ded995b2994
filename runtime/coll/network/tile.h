/* Elements of a distributed array whose threads may be in other processes: where they are, and tiles
   of them, in their order. */

#ifndef UPCR_COLL_NETWORK_TILE_H
#define UPCR_COLL_NETWORK_TILE_H

#include "runtime/coll/coll.h"
#include "runtime/shared/shared.h"

enum
{
  UPCR_TILE_OF_ALL = 8 << 10 /* bytes */
};

/* Where THREAD has what ADDRESS, of the calling thread's partition, is in this one. */
static inline char *
upcr_at_thread (const void *address, int thread)
{
  return (char *) address + ((long) thread - MYTHREAD) * (long) UPCR_STRIDE;
}

/* Where THREAD has its first element of those from number COUNT of LAYOUT's on, as so many elements from the
   start of the block that the layout begins in. */
size_t upcr_elements_before (struct upcr_layout layout, int thread, size_t count);

/* COUNT elements of BYTES, from number FIRST on of the array at ADDRESS, to TILE, which is no longer than
   UPCR_TILE_OF_ALL unless it is one element, or from it. */
void upcr_gather_tile (struct upcr_layout layout, const void *address, size_t bytes, size_t first,
                       size_t count, char *tile);
void upcr_scatter_tile (struct upcr_layout layout, void *address, size_t bytes, size_t first,
                        size_t count, const char *tile);

#endif
