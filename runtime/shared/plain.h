/* The blocks of the plain heap, found by its shadow (shadow.h). Nothing is counted when blocks
   are allocated or freed, so this costs nothing there. */

#ifndef UPCR_PLAIN_H
#define UPCR_PLAIN_H

#include "runtime/shared/shadow.h"
#include "runtime/shared/use.h"

#include <stdbool.h>

/* What is in use of each partition, and behind them of all: USES has THREADS + 1. Sizes are those
   that the allocator rounds up to, and MOST is what pages have been taken. Other threads may allocate
   and free meanwhile: then their blocks count or do not. */
void upcr_plain_uses (struct upcr_use *uses);

/* A thread's piece of a block in use. */
struct upcr_plain_block
{
  uint64_t begin;
  uint64_t bytes; /* what the allocator rounds up to */
  bool is_symmetric;
};

/* The last block of THREAD's partition that begins at OFFSET or before, and the first one behind.
   False: there is none within a gigabyte. */
bool upcr_plain_up_to (uint32_t thread, uint64_t offset, struct upcr_plain_block *block);
bool upcr_plain_after (uint32_t thread, uint64_t offset, struct upcr_plain_block *block);

#endif
