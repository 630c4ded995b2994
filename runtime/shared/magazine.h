/* Magazines: the small blocks that a thread has freed and will allocate next.

   jemalloc's fast path is for malloc; to take a block from a separate arena and give it back
   costs four times as much. Programs that allocate small blocks free many of the same sizes. So
   each thread keeps the blocks that it frees, if they are symmetric or have affinity to it, in a
   stack for each kind and size. Blocks for which a stack has no room, and all other blocks, go
   to jemalloc.

   A block in use has its kind and class in its shadow byte (shadow.h), so freeing it needs no
   look at jemalloc's tables. A magazine belongs to its thread alone: nothing here is shared. */

#ifndef UPCR_MAGAZINE_H
#define UPCR_MAGAZINE_H

#include "runtime/shared/shadow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
  UPCR_MAGAZINE_BLOCKS = 127
};

struct upcr_magazine
{
  uint64_t count;
  uint64_t offsets[UPCR_MAGAZINE_BLOCKS];
};

/* One for each class of local blocks, then of symmetric ones: a shadow byte less UPCR_LOCAL is
   its block's number. Null until the thread frees a small block. */
extern __thread struct upcr_magazine *upcr_magazines;

static inline unsigned
upcr_class_of (size_t bytes)
{
  size_t units = (bytes + UPCR_SHADOW_UNIT - 1) / UPCR_SHADOW_UNIT;

  return units < UPCR_CLASSES ? units : 0;
}

/* The offset of a block with that SHADOW byte, or 0. */
static inline uint64_t
upcr_magazine_take (unsigned shadow)
{
  struct upcr_magazine *magazine;

  if (!upcr_magazines)
    return 0;
  magazine = &upcr_magazines[shadow - UPCR_LOCAL];
  return magazine->count ? magazine->offsets[--magazine->count] : 0;
}

/* False: there is no memory for magazines. */
bool upcr_magazines_make (void);

/* Of a thread that has magazines. False: the block is to be freed. */
static inline bool
upcr_magazine_put (unsigned shadow, uint64_t offset)
{
  struct upcr_magazine *magazine = &upcr_magazines[shadow - UPCR_LOCAL];

  if (magazine->count == UPCR_MAGAZINE_BLOCKS)
    return false;
  magazine->offsets[magazine->count++] = offset;
  return true;
}

/* Frees what the thread's magazines hold, by the flags for each kind, and them. */
void upcr_magazines_empty (int local_flags, int symmetric_flags);

#endif
