/* What the program has written into the red zones of blocks (checked.h) and of static objects. Checked
   accesses never do that. Private pointers, and code that is compiled without checks, do so unnoticed. A
   pattern in the red zones, and a checksum of the record, show it when the block is freed, and at the end
   of the run. */

#ifndef UPCR_RED_ZONE_H
#define UPCR_RED_ZONE_H

#include "runtime/shared/checked.h"
#include "runtime/shared/objects.h"

/* Makes both red zones of RECORD's piece, which begins at PAYLOAD, and has RECORD in front. */
void upcr_red_zones_make (const struct upcr_block_record *record, uint64_t payload);

/* Is RECORD as it was made? */
bool upcr_record_is_whole (const struct upcr_block_record *record);

/* How many bytes before the piece of RECORD, or behind it, the program has written, up to the one that is
   farthest from it and still in the red zone. */
enum
{
  UPCR_BEFORE_BYTES = UPCR_FRONT_BYTES - sizeof (struct upcr_block_record)
};
uint64_t upcr_written_before (const struct upcr_block_record *record);
uint64_t upcr_written_behind (const struct upcr_block_record *record);

/* Makes what lies from FROM on, up to TO, a red zone; and how many bytes of it the program has written, up to
   the last one. */
void upcr_red_zone_fill (char *from, char *to);
uint64_t upcr_written (const char *from, const char *to);

/* Where the red zone behind it ends, from its beginning. */
uint64_t upcr_end_behind (const struct upcr_block_record *record);

/* What is nobody's behind the piece of OBJECT in THREAD's partition, in offsets; nothing where it has been
   compiled without a red zone. */
struct upcr_range
{
  uint64_t from, to;
};
struct upcr_range upcr_red_zone_of (const upcr_object *object, uint32_t thread);

/* Ends the run, in WHAT, if the program has written in the red zones of the piece of THREAD that begins
   at PAYLOAD. */
void upcr_red_zones_check (uint32_t thread, uint64_t payload, const char *what);

#endif
