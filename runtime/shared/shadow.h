/* Shadow bytes: where in the heap a block starts, and whether it is in use.

   One byte shadows UPCR_SHADOW_UNIT bytes of a partition. The shadow lies below the
   segment, in partitions of its own, with the same arithmetic; its pages appear when
   touched. It tells upc_free whether an address is a block, without a word in the
   block: a freed lock keeps the words that say so, and a block of whole pages has
   whole pages.

   A symmetric block has one shadow byte, in the partition of thread 0.

   shadow byte               written by                 read by
   UPCR_OF_LIBRARY           who allocates the object   who frees it
   UPCR_LOCAL + class        who allocates the block    who frees it
   UPCR_SYMMETRIC + class    who allocates the block    who frees it
   UPCR_FREED                who frees it               who frees it again, or at once

   UPCR_OF_LIBRARY is of a lock or its like, which upc_free may not free.

   Classes are those of magazines (magazine.h), 0 for blocks that go to none.

   Relaxed: the program orders the free of a block after its allocation, and
   jemalloc orders its next allocation after the free. */

#ifndef UPCR_SHADOW_H
#define UPCR_SHADOW_H

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include <upct/shadow.h>

#include <stdatomic.h>

/* The least block, and the alignment of all: no two blocks share a shadow byte. */
#define UPCR_SHADOW_UNIT __UPC_SHADOW_UNIT

/* A class is a size in units of UPCR_SHADOW_UNIT: up to 512 bytes. 0: no small block. */
enum
{
  UPCR_CLASSES = 33
};

#define UPCR_SHADOW_STRIDE __UPC_SHADOW_STRIDE
#define UPCR_SHADOW_BASE __UPC_SHADOW_BASE

enum upcr_shadow
{
  UPCR_NO_BLOCK,
  UPCR_FREED,
  UPCR_OF_LIBRARY,
  UPCR_LOCAL,
  UPCR_SYMMETRIC = UPCR_LOCAL + UPCR_CLASSES
};

static inline char *
upcr_shadow_address (uint32_t thread, uint64_t offset)
{
  return (char *) (UPCR_SHADOW_BASE + thread * UPCR_SHADOW_STRIDE + offset / UPCR_SHADOW_UNIT);
}

static inline _Atomic uint8_t *
upcr_shadow_of (uint32_t thread, uint64_t offset)
{
  return (_Atomic uint8_t *) upcr_shadow_address (thread, offset);
}

/* What the shadow of a partition takes, of which EXTENT bytes are used: whole pages. */
uint64_t upcr_shadow_bytes (uint64_t extent);

#endif
