/* Descriptions of the checked heap's blocks: apart from the blocks, so that no overrun reaches them and small blocks are close
   to each other. A record belongs to 32 bytes of a partition, as no two blocks begin in the same ones (checked.h). Records
   are in leaves, each for a MiB of a partition, which a process makes for its own partitions where blocks are. */

#ifndef UPCR_RECORD_H
#define UPCR_RECORD_H

#include "runtime/shared/site.h"

#include <stdbool.h>
#include <stdint.h>

/* Fields            written by            read by
   freed, freed_by   who frees the block   messages, who gives it up
   next              under the lock        under the lock
   all others        who allocates it      who frees it, messages */
struct upcr_block_record
{
  uint64_t bytes;   /* in each partition */
  uint64_t payload; /* where they begin */
  struct upcr_site *allocated, *freed;
  struct upcr_block_record *next; /* in the quarantine: who was freed next */
  uint16_t allocated_by, freed_by;
  uint16_t thread;   /* whose partition this is */
  bool is_symmetric; /* in every partition */
  bool is_library;   /* a lock or its like */
  bool has_guard;    /* the red zone in front is memory of its own */
  uint32_t front;    /* bytes from the block to its payload */
};

/* What debuggers know, too (tools/debuggers/upct_shared.py). */
#define UPCR_RECORD_STRIDE 32ul
#define UPCR_LEAF_BYTES (1ul << 20)

typedef struct upcr_block_record *_Atomic upcr_leaf;

/* The leaves of all partitions, UPCR_STRIDE / UPCR_LEAF_BYTES for each. */
extern upcr_leaf *upcr_leaves;

void upcr_records_init (int threads);

/* The record of the block whose piece in THREAD's partition begins at PAYLOAD; NULL: none has been made near there. */
struct upcr_block_record *upcr_record_of (uint32_t thread, uint64_t payload);

/* The same, to be written. Ends the run if there is no memory. */
struct upcr_block_record *upcr_record_make (uint32_t thread, uint64_t payload);

#endif
