/* Makes red zones and looks at them. */

#include "runtime/shared/red_zone.h"

#include "runtime/shared/poison.h"

#include <string.h>

enum
{
  PATTERN = 0xb5 /* nothing that programs write by habit */
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
  memset (piece - UPCR_BEFORE_BYTES, PATTERN, UPCR_BEFORE_BYTES);
  upcr_unpoison (piece + record->bytes, upcr_end_behind (record) - record->bytes);
  memset (piece + record->bytes, PATTERN, upcr_end_behind (record) - record->bytes);
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
  const unsigned char *piece = (const unsigned char *) record + UPCR_FRONT_BYTES;

  for (uint64_t end = upcr_end_behind (record); end > record->bytes; end--)
    if (piece[end - 1] != PATTERN)
      return end - record->bytes;
  return 0;
}
