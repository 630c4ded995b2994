/* Reads the shadow of a checked heap. */

#include "runtime/shared/checked.h"
#include "runtime/shared/zone.h"

/* Here alone: a file in which it is weak does not bring in the one that defines it. */
#pragma weak upcr_has_checks
#pragma weak upcr_has_access_checks

bool
upcr_checks_accesses (void)
{
  return &upcr_has_checks;
}

bool
upcr_reads_shadow (void)
{
  return &upcr_has_access_checks;
}

const struct upcr_block_record *
upcr_block_at (uint32_t thread, uint64_t offset, uint64_t *payload)
{
  uint64_t unit = offset & -(uint64_t) UPCR_SHADOW_UNIT;
  uint8_t shadow;

  if (offset < upcr_zone.start || !upcr_is_own_thread (thread))
    return NULL;
  shadow = upcr_shadow_at (thread, unit);
  if (shadow == __upc_shadow_nobody)
    return NULL;
  if (shadow == __upc_shadow_front)
    while (upcr_shadow_at (thread, unit) == __upc_shadow_front)
      unit += UPCR_SHADOW_UNIT;
  else
    {
      /* Behind it is the next one's, if that has none in front. */
      if (shadow == __upc_shadow_behind && offset - unit >= UPCR_BEHIND_BYTES / 2
          && upcr_is_start (thread, unit + UPCR_SHADOW_UNIT))
        unit += UPCR_SHADOW_UNIT;
      while (upcr_shadow_at (thread, unit) == __upc_shadow_behind)
        unit -= UPCR_SHADOW_UNIT;
      while (!upcr_is_start (thread, unit))
        unit -= UPCR_SHADOW_UNIT;
    }
  *payload = unit;
  return upcr_record_of (thread, unit);
}

size_t
upcr_block_bytes (upcr_pts block, bool *is_symmetric)
{
  uint32_t thread = upcr_pts_thread (block);
  uint64_t offset = upcr_pts_offset (block), payload;
  const struct upcr_block_record *record = NULL;

  if (thread < (uint32_t) THREADS && upcr_zone_is_open (thread, offset))
    record = upcr_block_at (thread, offset, &payload);
  if (!record || payload != offset || record->freed)
    return 0;
  *is_symmetric = record->is_symmetric;
  return record->bytes;
}
