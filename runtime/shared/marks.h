/* Marks: where in the heap a block starts, and whether it is in use.

   One byte stands for UPCR_MARK_UNIT bytes of a partition. The marks lie below the
   segment, in partitions of their own, with the same arithmetic, and appear when
   touched. They tell upc_free a block from what is none, without a word in the
   block: a freed lock keeps the words that say so, and a block of whole pages has
   whole pages.

   A symmetric block has one mark, in the partition of thread 0.

   mark                 written by                 read by
   UPCR_LIVE + class    who allocates the block    who frees it
   UPCR_FREED           who frees it               who frees it again

   Classes are those of magazines (magazine.h), 0 for blocks that go to none.

   Relaxed: the program orders the free of a block after its allocation, and
   jemalloc orders its next allocation after the free. */

#ifndef UPCR_MARKS_H
#define UPCR_MARKS_H

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <stdatomic.h>

/* The least block, and the alignment of all: no two blocks share a mark. */
#define UPCR_MARK_UNIT 16

#define UPCR_MARKS_STRIDE (UPCR_STRIDE / UPCR_MARK_UNIT)
#define UPCR_MARKS_BASE (UPCR_SEGMENT_BASE - UPCR_MAX_THREADS * UPCR_MARKS_STRIDE)

enum upcr_mark
{
  UPCR_NO_BLOCK,
  UPCR_FREED,
  UPCR_LIVE
};

static inline char *
upcr_marks_address (uint32_t thread, uint64_t offset)
{
  return (char *) (UPCR_MARKS_BASE + thread * UPCR_MARKS_STRIDE + offset / UPCR_MARK_UNIT);
}

static inline _Atomic uint8_t *
upcr_mark_of (uint32_t thread, uint64_t offset)
{
  return (_Atomic uint8_t *) upcr_marks_address (thread, offset);
}

#endif
