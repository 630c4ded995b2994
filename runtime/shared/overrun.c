/* Tells when a block is freed what the program has written past its ends. */

#include "runtime/shared/poison.h"
#include "runtime/shared/red_zone.h"

/* BYTES from OFFSET on, of what is nobody's; IS_ALL: and maybe more. */
static _Noreturn void
refuse_piece (uint32_t thread, uint64_t offset, uint64_t bytes, bool is_all, const char *what)
{
  char text[UPCR_TEXT_BYTES];

  upcr_end_once ();
  upcr_access_text (thread, offset, bytes, text, sizeof text);
  upcr_fatal ("%s: the program has written %s%s", what, is_all ? "at least " : "", text);
}

/* The block below, whose end may be what was missed. */
static const struct upcr_block_record *
find_below (uint32_t thread, uint64_t payload, uint64_t *begin)
{
  uint64_t unit = payload - UPCR_SHADOW_UNIT;

  while (upcr_shadow_at (thread, unit) == __upc_shadow_front)
    unit -= UPCR_SHADOW_UNIT;
  /* What the allocator has rounded the block below up by is nobody's. */
  for (int i = 0; i < UPCR_FRONT_BYTES && upcr_shadow_at (thread, unit) == __upc_shadow_nobody; i++)
    unit -= UPCR_SHADOW_UNIT;
  return upcr_shadow_at (thread, unit) == __upc_shadow_behind ? upcr_block_at (thread, unit, begin)
                                                              : NULL;
}

static _Noreturn void
refuse_record (uint32_t thread, uint64_t payload, const char *what)
{
  uint64_t begin;
  const struct upcr_block_record *below = find_below (thread, payload, &begin);

  if (below)
    upcr_red_zones_check (thread, begin, what);
  upcr_end_once ();
  upcr_fatal (
      "%s: the program has written over at least %d bytes before a block: thread %u, offset "
      "0x%lx",
      what, UPCR_BEFORE_BYTES, thread, (unsigned long) payload);
}

UPCR_SEES_POISON void
upcr_red_zones_check (uint32_t thread, uint64_t payload, const char *what)
{
  const struct upcr_block_record *record = upcr_record_of (thread, payload);
  uint64_t n;

  if (!upcr_record_is_whole (record))
    refuse_record (thread, payload, what);
  n = upcr_written_behind (record);
  if (n > 0)
    refuse_piece (thread, payload + record->bytes, n, record->bytes + n == upcr_end_behind (record),
                  what);
  n = upcr_written_before (record);
  if (n > 0)
    refuse_piece (thread, payload - n, n, n == UPCR_BEFORE_BYTES, what);
}
