/* Checks, in the checked heap, of ranges that the library reads and writes. */

#include "runtime/shared/checked.h"
#include "runtime/shared/objects.h"
#include "runtime/shared/shared.h"
#include "runtime/shared/zone.h"

bool
upcr_is_whole (uint32_t thread, uint64_t offset, uint64_t bytes)
{
  uint64_t end = offset + bytes, unit = offset & -(uint64_t) UPCR_SHADOW_UNIT;

  if (thread >= (uint32_t) THREADS || end > upcr_zone.top || end < offset)
    return false;
  while (unit < end)
    {
      uint8_t shadow = upcr_shadow_at (thread, unit);

      if (shadow < __upc_shadow_whole)
        return unit + __UPC_SHADOW_BYTES (shadow) >= end;
      unit += (shadow - __upc_shadow_whole + 1ul) * UPCR_SHADOW_UNIT;
    }
  return true;
}

/* The same of a block that starts at OFFSET, in each partition that it is in. */
static uint64_t
bytes_of_block (uint32_t thread, uint64_t offset, bool *is_symmetric)
{
  return upcr_zone_is_open (thread, offset) && offset % UPCR_SHADOW_UNIT == 0
                 && upcr_is_start (thread, offset)
             ? upcr_block_bytes (upcr_pts_make (thread, offset, 0), is_symmetric)
             : 0;
}

/* … and of a static object. */
static uint64_t
bytes_of_object (uint32_t thread, uint64_t offset)
{
  const upcr_object *object = upcr_object_up_to (offset);
  uint64_t end = object ? upcr_object_offset (object) + upcr_object_piece (object, thread) : 0;

  return offset < end ? end - offset : 0;
}

uint64_t
upcr_bytes_ahead (uint32_t thread, uint64_t offset)
{
  bool is_symmetric;

  return offset >= upcr_zone.start ? bytes_of_block (thread, offset, &is_symmetric)
                                   : bytes_of_object (thread, offset);
}

uint64_t
upcr_bytes_ahead_on_all (uint64_t offset)
{
  bool is_symmetric = false;
  uint64_t bytes;

  /* No thread has less of a static object than the last one. */
  if (offset < upcr_zone.start)
    return bytes_of_object ((uint32_t) THREADS - 1, offset);
  bytes = bytes_of_block (0, offset, &is_symmetric);
  return is_symmetric ? bytes : 0;
}

void
upcr_check_bytes (upcr_pts p, size_t bytes, const char *what)
{
  uint32_t thread = upcr_pts_thread (p);
  uint64_t offset = upcr_pts_offset (p);

  if (bytes > 0 && !upcr_is_whole_anywhere (thread, offset, bytes))
    upcr_refuse_access (thread, offset, bytes, what);
}

void
upcr_refuse_overlap_at (uint32_t thread, uint64_t offset, const char *what)
{
  char text[UPCR_TEXT_BYTES];

  upcr_end_once ();
  upcr_text_anywhere (thread, offset, 0, text, sizeof text);
  upcr_fatal ("%s: the destination overlaps the source: %s", what, text);
}

void
upcr_check_apart (upcr_pts dst, upcr_pts src, size_t bytes, const char *what)
{
  uint64_t from = upcr_pts_offset (src), to = upcr_pts_offset (dst);

  if (upcr_pts_thread (dst) == upcr_pts_thread (src) && from != to
      && (from < to ? to - from : from - to) < bytes)
    upcr_refuse_overlap_at (upcr_pts_thread (dst), to, what);
}

void
upcr_check_address (const char *address, size_t bytes, const char *what)
{
  uintptr_t distance = (uintptr_t) address - UPCR_SEGMENT_BASE;

  if (distance < UPCR_STRIDE * (uintptr_t) THREADS)
    upcr_check_bytes (upcr_pts_make (distance / UPCR_STRIDE, distance % UPCR_STRIDE, 0), bytes,
                      what);
}

void
upcr_refuse_access (uint32_t thread, uint64_t offset, uint64_t bytes, const char *what)
{
  char text[UPCR_TEXT_BYTES];

  /* One thread at a time finds source lines. */
  upcr_end_once ();
  upcr_text_anywhere (thread, offset, bytes, text, sizeof text);
  if (what)
    upcr_fatal ("%s: %s", what, text);
  upcr_fatal ("%s", text);
}
