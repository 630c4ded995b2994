/* Fills and checks red zones. */

#include "runtime/shared/red_zone.h"

#include "runtime/shared/poison.h"

#include <string.h>

enum
{
  PATTERN = 0xb5, /* nothing that programs write by habit */
  MOST_FILLED_BYTES = 32 << 20
};

/* ---- Patterns ---- */

void
upcr_red_zone_fill (char *from, char *to)
{
  memset (from, PATTERN, to - from);
}

UPCR_SEES_POISON uint64_t
upcr_written (const char *from, const char *to)
{
  while (to > from && (unsigned char) to[-1] == PATTERN)
    to--;
  return to - from;
}

typedef uint64_t __attribute__ ((may_alias)) word;

/* TO if there is none. */
UPCR_SEES_POISON const char *
upcr_first_written (const char *from, const char *to)
{
  while (to - from >= (ptrdiff_t) sizeof (word) && (uintptr_t) from % sizeof (word) == 0
         && *(const word *) from == PATTERN * 0x0101010101010101ul)
    from += sizeof (word);
  while (from < to && (unsigned char) *from == PATTERN)
    from++;
  return from;
}

static char *
piece_of (const struct upcr_block_record *record)
{
  return upcr_segment_address (record->thread, record->payload);
}

uint64_t
upcr_end_behind (const struct upcr_block_record *record)
{
  return ((record->bytes + UPCR_SHADOW_UNIT - 1) & -(uint64_t) UPCR_SHADOW_UNIT)
         + UPCR_BEHIND_BYTES;
}

uint64_t
upcr_before_bytes (const struct upcr_block_record *record)
{
  return record->front < UPCR_MOST_FRONT_BYTES ? record->front : UPCR_MOST_FRONT_BYTES;
}

void
upcr_red_zones_make (const struct upcr_block_record *record)
{
  char *piece = piece_of (record);
  uint64_t before = upcr_before_bytes (record), end = upcr_end_behind (record);

  upcr_unpoison (piece - before, before);
  upcr_red_zone_fill (piece - before, piece);
  upcr_unpoison (piece + record->bytes, end - record->bytes);
  upcr_red_zone_fill (piece + record->bytes, piece + end);
}

UPCR_SEES_POISON uint64_t
upcr_written_before (const struct upcr_block_record *record)
{
  const char *piece = piece_of (record);

  return piece - upcr_first_written (piece - upcr_before_bytes (record), piece);
}

UPCR_SEES_POISON uint64_t
upcr_written_behind (const struct upcr_block_record *record)
{
  const char *piece = piece_of (record);

  return upcr_written (piece + record->bytes, piece + upcr_end_behind (record));
}

/* ---- Freed blocks ---- */

/* A freed lock says that it is. Larger blocks leave the quarantine soon. valgrind tells of each access. */
static bool
takes_pattern (const struct upcr_block_record *record)
{
  return !record->is_library
         && record->bytes * (record->is_symmetric ? THREADS : 1) <= MOST_FILLED_BYTES
         && !upcr_is_under_memcheck ();
}

void
upcr_freed_fill (const struct upcr_block_record *record)
{
  char *piece = piece_of (record);

  if (takes_pattern (record))
    upcr_red_zone_fill (piece, piece + record->bytes);
}

UPCR_SEES_POISON uint64_t
upcr_written_freed (const struct upcr_block_record *record, uint64_t *offset)
{
  const char *piece = piece_of (record), *end = piece + record->bytes, *first, *behind;

  if (!record->freed || !takes_pattern (record))
    return 0;
  first = behind = upcr_first_written (piece, end);
  while (behind < end && (unsigned char) *behind != PATTERN)
    behind++;
  *offset = first - piece;
  return behind - first;
}

/* ---- Static objects ---- */

struct upcr_range
upcr_red_zone_of (const upcr_object *object, uint32_t thread)
{
  uint64_t offset = upcr_object_offset (object), bytes = upcr_object_piece (object, thread);
  uint64_t behind = (offset + upcr_object_room (object)) & -(uint64_t) UPCR_SHADOW_UNIT;

  /* Without a red zone other objects may lie in its units. */
  if (offset % UPCR_SHADOW_UNIT
      || behind <= offset + (bytes + UPCR_SHADOW_UNIT - 1) / UPCR_SHADOW_UNIT * UPCR_SHADOW_UNIT)
    return (struct upcr_range){ 0, 0 };
  return (struct upcr_range){ offset + bytes, behind };
}
