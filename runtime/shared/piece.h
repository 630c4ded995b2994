/* Blocks of the checked heap as a process has them: their memory, and the pieces in its own partitions. Memory of
   symmetric blocks is that of one process, which has thread 0; every process has pieces of them. checked.c says in
   which order these functions are called. */

#ifndef UPCR_PIECE_H
#define UPCR_PIECE_H

#include "runtime/shared/checked.h"

/* Memory for RECORD's block, which WHAT allocates: the offset of its pieces, or 0 if there is none. One more if the memory in
   front, of as many bytes, is the block's, too. */
uint64_t upcr_block_take (const struct upcr_block_record *record, size_t alignment,
                          const char *what);

/* RECORD's block, which SITE allocated, has its pieces at PAYLOAD from now on. */
void upcr_block_show (struct upcr_block_record record, uint64_t payload, struct upcr_site *site);

/* Counts RECORD's block, which SITE allocated, as one more, or one less. */
void upcr_block_count (const struct upcr_block_record *record, struct upcr_site *site,
                       bool is_freed);

/* Who frees a block, and whether by a function for locks and their like. */
struct upcr_freeing
{
  struct upcr_site *site;
  int thread;
  bool is_library;
};

enum upcr_block_verdict
{
  UPCR_BLOCK_FREED,
  UPCR_BLOCK_FREED_BEFORE,
  UPCR_BLOCK_NONE, /* it is no start of one */
  UPCR_BLOCK_OF_LIBRARY,
  UPCR_BLOCK_OVERRUN /* the program has written beside it, or to a block that was freed earlier */
};

struct upcr_freed
{
  enum upcr_block_verdict verdict;
  uint32_t thread;                 /* whose piece is overrun, … */
  uint64_t payload;                /* … which begins here */
  struct upcr_block_record record; /* of the block that is freed now */
};

/* Frees BLOCK, of whose memory this process is: it waits in the quarantine. */
struct upcr_freed upcr_block_free (upcr_pts block, struct upcr_freeing freeing);

/* The pieces that this process has of RECORD's block, which another process has freed; false: THREAD's is overrun. */
bool upcr_block_hide (const struct upcr_block_record *record, uint64_t payload,
                      struct upcr_freeing freeing, uint32_t *thread);

/* ---- Symmetric blocks whose memory another process gives up ---- */

/* What is called, under the lock, when the memory of the symmetric block at PAYLOAD is given up here; NULL: nothing. */
extern void (*upcr_block_has_left) (uint64_t payload);

/* The pieces that this process has of that block are nobody's, unless others have the memory by now; false: the program has
   written to THREAD's. */
bool upcr_block_leave (uint64_t payload, uint32_t *thread);

/* Where up to MOST of the symmetric blocks begin that wait in this process's quarantine, from the FROM-th on. Returns how many. */
size_t upcr_quarantined (size_t from, uint64_t *payloads, size_t most);

#endif
