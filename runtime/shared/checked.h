/* The checked heap, which replaces the plain heap in programs that check their accesses, with
   UPC_CHECK=1 and with AddressSanitizer.

       | front red zone     record | payload … | red zone |
       block                       payload

   Before and after each piece of a block are red zones: bytes that belong to no object. The shadow
   (include/upct/shadow.h) says for each byte of the segment whether it belongs to an object. Freed
   blocks wait in a quarantine, so that pointers to them do not lead to another block. There they are
   red zones, too (red_zone.h). A symmetric
   block has red zones, a record and a shadow in every partition, a local block in its own.

   One lock orders allocations and frees. The thread that allocates or frees a block writes its
   shadow bytes without the lock. */

#ifndef UPCR_CHECKED_H
#define UPCR_CHECKED_H

#include "runtime/shared/shadow.h"
#include "runtime/shared/shared.h"
#include "runtime/shared/site.h"
#include "runtime/shared/use.h"

#include <stdbool.h>

/* Fields            written by            read by
   freed, freed_by   who frees the block   messages, who gives it up
   next              under the lock        under the lock
   all others        who allocates it      who frees it, messages */
struct upcr_block_record
{
  uint64_t bytes; /* in each partition */
  struct upcr_site *allocated, *freed;
  struct upcr_block_record *next; /* in the quarantine: who was freed next */
  uint16_t allocated_by, freed_by;
  uint16_t thread;   /* whose partition this is */
  bool is_symmetric; /* in every partition */
  bool is_library;   /* a lock or its like */
  uint32_t front;    /* bytes from the block to its payload */
  uint32_t sum;      /* of this record (red_zone.h) */
};

/* The red zone in front has it at its end. */
enum
{
  UPCR_FRONT_BYTES = 64,
  UPCR_BEHIND_BYTES = UPCR_SHADOW_UNIT
};

_Static_assert(sizeof (struct upcr_block_record) <= UPCR_FRONT_BYTES, "the record fits");

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

/* The record of the block whose piece in THREAD's partition begins at PAYLOAD. */
static inline struct upcr_block_record *
upcr_record_of (uint32_t thread, uint64_t payload)
{
  return (struct upcr_block_record *) upcr_segment_address (thread, payload - UPCR_FRONT_BYTES);
}

/* Does SHADOW, of a unit of the heap, say that it is in a block's piece? */
static inline bool
upcr_is_piece (uint8_t shadow)
{
  return shadow > __upc_shadow_part || shadow == __upc_shadow_freed;
}

/* Do BYTES at OFFSET of THREAD's partition, of which this process has the shadow, belong to one object? */
bool upcr_is_whole (uint32_t thread, uint64_t offset, uint64_t bytes);

/* The same, and upcr_overrun_text (red_zone.h), whichever process has the partition. */
#ifdef UPCR_NETWORK
bool upcr_is_whole_anywhere (uint32_t thread, uint64_t offset, uint64_t bytes);
void upcr_overrun_text_anywhere (uint32_t thread, uint64_t payload, char *text, size_t size);
#else
#define upcr_is_whole_anywhere upcr_is_whole
#define upcr_overrun_text_anywhere upcr_overrun_text
#endif

/* The record of the block in whose pieces or red zones OFFSET lies; NULL: in none, or another
   process has the partition. *PAYLOAD is where the block's piece begins. */
const struct upcr_block_record *upcr_block_at (uint32_t thread, uint64_t offset, uint64_t *payload);

#endif
