/* Allocating and freeing in the checked heap. */

#include "runtime/shared/checked.h"

#include "runtime/host/host.h"
#include "runtime/shared/piece.h"
#include "runtime/shared/poison.h"
#include "runtime/shared/red_zone.h"

bool
upcr_is_watched (void)
{
  return upcr_is_under_memcheck ();
}

bool
upcr_wants_checked_heap (void)
{
#ifdef UPCR_ASAN
  return true;
#else
  return upcr_options.check || upcr_checks_accesses () || upcr_is_under_memcheck ();
#endif
}

static struct upcr_site *
site_here (const char *what)
{
  struct upcr_site *site;

  upcr_checked_lock ();
  site = upcr_site_of_caller (what);
  upcr_checked_unlock ();
  return site;
}

/* Have blocks of so many bytes a red zone in front? Where each access is slow, anyway, all have: valgrind tells of the block
   that is within 16 bytes. */
static bool
has_front (size_t bytes)
{
#ifdef UPCR_ASAN
  (void) bytes;
  return true;
#else
  return bytes > UPCR_SMALL_BYTES || upcr_is_under_memcheck ();
#endif
}

/* How long the red zone in front of a block is. */
static uint32_t
front_bytes (size_t bytes, size_t alignment)
{
  size_t units = (bytes + UPCR_SHADOW_UNIT - 1) & -(size_t) UPCR_SHADOW_UNIT;

  if (alignment > UPCR_SHADOW_UNIT)
    return alignment > UPCR_MOST_FRONT_BYTES ? alignment : UPCR_MOST_FRONT_BYTES;
  if (!has_front (bytes))
    return 0;
  if (units <= UPCR_SMALL_BYTES)
    return UPCR_MOST_FRONT_BYTES;
  return units < UPCR_MOST_FRONT_BYTES + UPCR_BEHIND_BYTES ? units - UPCR_BEHIND_BYTES
                                                           : UPCR_MOST_FRONT_BYTES;
}

static upcr_pts
allocate (struct upcr_block_record record, size_t alignment, const char *what)
{
  struct upcr_site *site;
  uint64_t payload;

  if (record.bytes == 0 || record.bytes > UPCR_PARTITION_BYTES)
    return upcr_pts_null ();
  record.allocated_by = MYTHREAD;
  record.is_library = alignment > UPCR_SHADOW_UNIT;
  record.front = front_bytes (record.bytes, alignment);
  payload = upcr_block_take (&record, alignment, what);
  if (!payload)
    return upcr_pts_null ();
  if (payload % UPCR_SHADOW_UNIT)
    {
      payload--;
      record.has_guard = true;
      record.front = upcr_end_behind (&record);
    }
  site = site_here (what);
  upcr_block_count (&record, site, false);
  upcr_block_show (record, payload, site);
  return upcr_pts_make (record.thread, payload, 0);
}

upcr_pts
upcr_checked_local_alloc (size_t bytes, size_t alignment, const char *what)
{
  return allocate ((struct upcr_block_record){ .bytes = bytes, .thread = MYTHREAD }, alignment,
                   what);
}

upcr_pts
upcr_checked_symmetric_alloc (size_t bytes, const char *what)
{
  return allocate ((struct upcr_block_record){ .bytes = bytes, .is_symmetric = true },
                   UPCR_SHADOW_UNIT, what);
}

_Noreturn void
upcr_refuse_start (upcr_pts block, const char *text, const char *what)
{
  if (upcr_pts_phase (block) != 0)
    upcr_fatal ("%s: phase %u is not that of the start of a block: %s", what,
                upcr_pts_phase (block), text);
  upcr_fatal ("%s: not the start of a block in the shared heap: %s", what, text);
}

static _Noreturn void
refuse_freeing (upcr_pts block, const struct upcr_freed *freed, const char *what)
{
  char text[UPCR_TEXT_BYTES];

  upcr_end_once ();
  if (freed->verdict == UPCR_BLOCK_OVERRUN)
    {
      upcr_overrun_text_anywhere (freed->thread, freed->payload, text, sizeof text);
      upcr_fatal (UPCR_OVERRUN_TEXT, what, text);
    }
  upcr_text_anywhere (upcr_pts_thread (block), upcr_pts_offset (block), 0, text, sizeof text);
  if (freed->verdict == UPCR_BLOCK_OF_LIBRARY)
    upcr_fatal (UPCR_LIBRARY_TEXT, what, text);
  if (freed->verdict == UPCR_BLOCK_FREED_BEFORE)
    upcr_fatal ("%s: block already freed: %s", what, text);
  upcr_refuse_start (block, text, what);
}

void
upcr_checked_free (upcr_pts block, bool is_library, const char *what)
{
  struct upcr_freed freed;

  if (upcr_pts_is_null (block))
    return;
  freed = upcr_block_free (block, (struct upcr_freeing){ site_here (what), MYTHREAD, is_library });
  if (freed.verdict != UPCR_BLOCK_FREED)
    refuse_freeing (block, &freed, what);
  upcr_refuse_transfers_of (block, freed.record.bytes, freed.record.is_symmetric, what);
  upcr_block_count (&freed.record, freed.record.allocated, true);
}
