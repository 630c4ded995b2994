/* What the program has written into the red zones of blocks (checked.h) and of static objects, and into freed
   blocks. Checked accesses never do that. Private pointers, and code that is compiled without checks, do so
   unnoticed. A pattern in the red zones shows it when the block is freed, when it leaves the quarantine, and at the
   end of the run. The same pattern is in freed blocks in the quarantine. A red zone between two blocks belongs to
   the first one. */

#ifndef UPCR_RED_ZONE_H
#define UPCR_RED_ZONE_H

#include "runtime/shared/checked.h"
#include "runtime/shared/objects.h"

/* Makes both red zones of RECORD's piece. */
void upcr_red_zones_make (const struct upcr_block_record *record);

/* How many bytes of the red zone in front of RECORD's piece are looked at. */
uint64_t upcr_before_bytes (const struct upcr_block_record *record);

/* How many bytes before the piece of RECORD, or behind it, the program has written, up to the one that is
   farthest from it and still in the red zone. */
uint64_t upcr_written_before (const struct upcr_block_record *record);
uint64_t upcr_written_behind (const struct upcr_block_record *record);

/* The piece of RECORD is freed: fills it, unless it is a lock's, or the block is too large to be worth that. And where the
   program has written first in it since, and how many bytes; 0: nowhere. */
void upcr_freed_fill (const struct upcr_block_record *record);
uint64_t upcr_written_freed (const struct upcr_block_record *record, uint64_t *offset);

/* Makes what lies from FROM on, up to TO, a red zone; how many bytes of it the program has written, up to the last one; and
   where it has written the first. */
void upcr_red_zone_fill (char *from, char *to);
uint64_t upcr_written (const char *from, const char *to);
const char *upcr_first_written (const char *from, const char *to);

/* Where the red zone behind it ends, from its beginning. */
uint64_t upcr_end_behind (const struct upcr_block_record *record);

/* What is nobody's behind the piece of OBJECT in THREAD's partition, in offsets; nothing where it has been
   compiled without a red zone. */
struct upcr_range
{
  uint64_t from, to;
};
struct upcr_range upcr_red_zone_of (const upcr_object *object, uint32_t thread);

/* Has the program written in the red zones of the piece of THREAD, one of this process, that begins at PAYLOAD? Or there,
   or in the piece after it was freed? The second one is for those who have the heap's lock, or are alone. */
bool upcr_is_overrun (uint32_t thread, uint64_t payload);
bool upcr_is_written (uint32_t thread, uint64_t payload);
/* Writes where. */
void upcr_overrun_text (uint32_t thread, uint64_t payload, char *text, size_t size);

#endif
