/* Fills and checks red zones. */

#include "runtime/shared/red_zone.h"

#include "runtime/shared/poison.h"

#include <string.h>

enum
{
  PATTERN = 0xb5, /* nothing that programs write by habit */
  MOST_FILLED_BYTES = 32 << 20
};

/* ---- Records ---- */

/* Of what stays as it is while the block is in use. */
UPCR_SEES_POISON static uint32_t
sum_of (const struct upcr_block_record *record)
{
  uint64_t sum = record->bytes ^ (uintptr_t) record->allocated;

  sum = sum * 0x9e3779b97f4a7c15 + record->front + ((uint64_t) record->allocated_by << 32);
  sum = sum * 0x9e3779b97f4a7c15 + record->thread + record->is_symmetric * 2 + record->is_library;
  return sum >> 32;
}

UPCR_SEES_POISON bool
upcr_record_is_whole (const struct upcr_block_record *record)
{
  return record->sum == sum_of (record);
}

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

UPCR_SEES_POISON uint64_t
upcr_end_behind (const struct upcr_block_record *record)
{
  return ((record->bytes + UPCR_SHADOW_UNIT - 1) & -(uint64_t) UPCR_SHADOW_UNIT)
         + UPCR_BEHIND_BYTES;
}

void
upcr_red_zones_make (const struct upcr_block_record *record, uint64_t payload)
{
  struct upcr_block_record *own = upcr_record_of (record->thread, payload);
  char *piece = (char *) own + UPCR_FRONT_BYTES;

  upcr_unpoison (own, UPCR_FRONT_BYTES);
  *own = *record;
  own->sum = sum_of (own);
  upcr_red_zone_fill (piece - UPCR_BEFORE_BYTES, piece);
  upcr_unpoison (piece + record->bytes, upcr_end_behind (record) - record->bytes);
  upcr_red_zone_fill (piece + record->bytes, piece + upcr_end_behind (record));
}

UPCR_SEES_POISON uint64_t
upcr_written_before (const struct upcr_block_record *record)
{
  const unsigned char *piece = (const unsigned char *) record + UPCR_FRONT_BYTES;

  for (int n = UPCR_BEFORE_BYTES; n > 0; n--)
    if (piece[-n] != PATTERN)
      return n;
  return 0;
}

UPCR_SEES_POISON uint64_t
upcr_written_behind (const struct upcr_block_record *record)
{
  const char *piece = (const char *) record + UPCR_FRONT_BYTES;

  return upcr_written (piece + record->bytes, piece + upcr_end_behind (record));
}

/* ---- Freed blocks ---- */

/* A freed lock says that it is. Larger blocks leave the quarantine soon. valgrind tells of each access. */
UPCR_SEES_POISON static bool
takes_pattern (const struct upcr_block_record *record)
{
  return !record->is_library
         && record->bytes * (record->is_symmetric ? THREADS : 1) <= MOST_FILLED_BYTES
         && !upcr_is_under_memcheck ();
}

UPCR_SEES_POISON void
upcr_freed_fill (struct upcr_block_record *record)
{
  char *piece = (char *) record + UPCR_FRONT_BYTES;

  if (takes_pattern (record))
    upcr_red_zone_fill (piece, piece + record->bytes);
}

typedef uint64_t __attribute__ ((may_alias)) word;

/* The first byte from FROM on, up to TO, that has not the pattern. Pieces begin at a word. */
UPCR_SEES_POISON static const unsigned char *
first_written (const unsigned char *from, const unsigned char *to)
{
  while (to - from >= (ptrdiff_t) sizeof (word)
         && *(const word *) from == PATTERN * 0x0101010101010101ul)
    from += sizeof (word);
  while (from < to && *from == PATTERN)
    from++;
  return from;
}

UPCR_SEES_POISON uint64_t
upcr_written_freed (const struct upcr_block_record *record, uint64_t *offset)
{
  const unsigned char *piece = (const unsigned char *) record + UPCR_FRONT_BYTES;
  const unsigned char *end = piece + record->bytes, *first, *behind;

  if (!record->freed || !takes_pattern (record))
    return 0;
  first = behind = first_written (piece, end);
  while (behind < end && *behind != PATTERN)
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
