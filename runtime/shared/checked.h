/* The checked heap, which replaces the plain heap in programs that check their accesses, with
   UPC_CHECK=1 and with AddressSanitizer.

       | front red zone | payload … | red zone |
       block            payload

   Before and after each piece of a block are red zones: bytes that belong to no object. Between two blocks they are as long
   as a block, or 80 bytes. Blocks of up to 32 bytes, the nodes of lists and trees, have none in front, but with
   AddressSanitizer and valgrind. The one behind the block before does for both, 16 bytes: so two nodes of 32 bytes are mostly
   in the same cache line. Only the first of them, in memory of jemalloc's, has one, as long as such a block. The shadow
   (include/upct/shadow.h) says for each byte of the segment whether it belongs to an object. Freed
   blocks wait in a quarantine, so that pointers to them do not lead to another block. There they are
   red zones, too (red_zone.h). A symmetric block has red zones, a shadow and a record (record.h) for every partition, a local
   block for its own.

   One lock orders allocations and frees. The thread that allocates or frees a block writes its
   shadow bytes without the lock. */

#ifndef UPCR_CHECKED_H
#define UPCR_CHECKED_H

#include "runtime/shared/record.h"
#include "runtime/shared/shadow.h"
#include "runtime/shared/shared.h"
#include "runtime/shared/use.h"

#include <stdbool.h>

/* Of the red zones. Those in front of aligned blocks are longer. */
enum
{
  UPCR_MOST_FRONT_BYTES = 64,
  UPCR_BEHIND_BYTES = UPCR_SHADOW_UNIT,
  UPCR_SMALL_BYTES = 32
};

_Static_assert(UPCR_RECORD_STRIDE <= UPCR_SHADOW_UNIT + UPCR_BEHIND_BYTES,
               "each block has a record");

/* Takes the static objects of this process's partitions, which end at the offset END, into the shadow. */
void upcr_checked_init (uint64_t end, uint64_t heap_start);

/* As the functions of shared.h without `checked`. WHAT names the caller's function. */
upcr_pts upcr_checked_local_alloc (size_t bytes, size_t alignment, const char *what);
upcr_pts upcr_checked_symmetric_alloc (size_t bytes, const char *what);
void upcr_checked_free (upcr_pts block, bool is_library, const char *what);

/* Of upc_free: the function, and the place. */
#define UPCR_OVERRUN_TEXT "%s: the program has written %s"
#define UPCR_LIBRARY_TEXT \
  "%s: a lock, an atomicity domain or a semaphore, which the function for it frees: %s"

/* Ends the run: BLOCK, which is at TEXT, is no start of a block. */
_Noreturn void upcr_refuse_start (upcr_pts block, const char *text, const char *what);

/* Gives up the quarantine, in WHAT. */
void upcr_checked_release (const char *what);

/* What is in use of each partition, and behind them of all; and under the lock also which sites have
   blocks (site.h). */
extern struct upcr_use upcr_checked_uses[UPCR_USES];
void upcr_checked_lock (void);
/* Of who may not wait, as the thread that has it may be stopped for good. */
bool upcr_checked_try_lock (void);
void upcr_checked_unlock (void);

static inline uint8_t
upcr_shadow_at (uint32_t thread, uint64_t offset)
{
  return atomic_load_explicit (upcr_shadow_of (thread, offset), memory_order_relaxed);
}

/* Does SHADOW, of a unit of the heap, say that it is in a block's piece? */
static inline bool
upcr_is_piece (uint8_t shadow)
{
  return shadow > __upc_shadow_part || shadow == __upc_shadow_freed;
}

/* Does a piece of a block, in use or freed, begin at OFFSET, where a unit of the heap does? */
static inline bool
upcr_is_start (uint32_t thread, uint64_t offset)
{
  return upcr_is_piece (upcr_shadow_at (thread, offset))
         && !upcr_is_piece (upcr_shadow_at (thread, offset - UPCR_SHADOW_UNIT));
}

/* upcr_is_whole, and upcr_overrun_text (red_zone.h), whichever process has the partition. */
#ifdef UPCR_NETWORK
bool upcr_is_whole_anywhere (uint32_t thread, uint64_t offset, uint64_t bytes);
void upcr_overrun_text_anywhere (uint32_t thread, uint64_t payload, char *text, size_t size);

/* upcr_quarantined (piece.h) of the process that has the memory of symmetric blocks; MOST is 64 at most. */
size_t upcr_quarantined_anywhere (size_t from, uint64_t *payloads, size_t most);
#else
#define upcr_is_whole_anywhere upcr_is_whole
#define upcr_overrun_text_anywhere upcr_overrun_text
#endif

/* The record of the block in whose piece or red zones OFFSET lies, of a red zone of two blocks the nearer; NULL: in none, or another
   process has the partition. *PAYLOAD is where the block's piece begins. */
const struct upcr_block_record *upcr_block_at (uint32_t thread, uint64_t offset, uint64_t *payload);

#endif
