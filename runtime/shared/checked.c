/* Allocating and freeing in the checked heap. */

#include "runtime/shared/checked.h"

#include "runtime/host/host.h"
#include "runtime/shared/arena.h"
#include "runtime/shared/objects.h"
#include "runtime/shared/poison.h"
#include "runtime/shared/red_zone.h"
#include "runtime/shared/zone.h"

#include <jemalloc/jemalloc.h>
#include <string.h>

/* What blocks in the quarantine may take, of all partitions. */
#define QUARANTINE_BYTES (64ul << 20)

/* Under the lock: the quarantine, of which FIRST was freed first, the sites, and what is in use. */
struct upcr_use upcr_checked_uses[UPCR_USES];
static struct upcr_block_record *first, *last;
static uint64_t quarantined;

bool
upcr_wants_checked_heap (void)
{
#ifdef UPCR_ASAN
  return true;
#else
  return upcr_options.check || upcr_checks_accesses () || upcr_is_under_memcheck ();
#endif
}

static uint64_t
whole_units (uint64_t bytes)
{
  return (bytes + UPCR_SHADOW_UNIT - 1) & -(uint64_t) UPCR_SHADOW_UNIT;
}

/* Makes the bytes from FROM on, up to TO, what SHADOW says. */
static void
set_shadow (uint32_t thread, uint64_t from, uint64_t to, int shadow)
{
  memset (upcr_shadow_address (thread, from), shadow, (to - from) / UPCR_SHADOW_UNIT);
}

/* The units from FROM on, up to TO, are whole. */
static void
show_run (uint32_t thread, uint64_t from, uint64_t to)
{
  const uint64_t most = __upc_shadow_most - __upc_shadow_whole;
  uint64_t units = (to - from) / UPCR_SHADOW_UNIT, counted = units < most ? units : most;
  unsigned char *shadow = (unsigned char *) upcr_shadow_address (thread, from);

  memset (shadow, __upc_shadow_most, units - counted);
  for (uint64_t n = 1; n <= counted; n++)
    shadow[units - n] = __upc_shadow_whole + n - 1;
}

/* The BYTES at OFFSET are an object's. */
static void
show_piece (uint32_t thread, uint64_t offset, uint64_t bytes)
{
  uint64_t end = offset + bytes / UPCR_SHADOW_UNIT * UPCR_SHADOW_UNIT;

  show_run (thread, offset, end);
  if (bytes % UPCR_SHADOW_UNIT)
    set_shadow (thread, end, end + UPCR_SHADOW_UNIT, __upc_shadow_part + bytes % UPCR_SHADOW_UNIT);
  upcr_unpoison (upcr_segment_address (thread, offset), bytes);
}

/* ---- Static objects ---- */

/* Runs of whole units that lead over OFFSET, where a shorter one may begin. */
static void
shorten_runs (uint32_t thread, uint64_t offset)
{
  unsigned char *shadow = (unsigned char *) upcr_shadow_address (thread, offset);

  for (; offset > UPCR_NULL_BYTES && shadow[-1] > __upc_shadow_whole; shadow--)
    {
      int whole = shadow[0] >= __upc_shadow_whole ? shadow[0] + 1 : __upc_shadow_whole;

      if (shadow[-1] <= whole)
        break;
      shadow[-1] = whole;
      offset -= UPCR_SHADOW_UNIT;
    }
}

static void
guard_object (const upcr_object *object, uint32_t thread)
{
  uint64_t offset = upcr_object_offset (object), bytes = upcr_object_piece (object, thread);
  struct upcr_range zone = upcr_red_zone_of (object, thread);

  if (zone.from == zone.to)
    return;
  set_shadow (thread, offset + whole_units (bytes), zone.to, __upc_shadow_behind);
  /* Of several definitions each has a record. */
  upcr_unpoison (upcr_segment_address (thread, zone.from), zone.to - zone.from);
  upcr_red_zone_fill (upcr_segment_address (thread, zone.from),
                      upcr_segment_address (thread, zone.to));
  upcr_poison (upcr_segment_address (thread, offset), zone.to - offset);
  show_piece (thread, offset, bytes);
  shorten_runs (thread, offset);
}

void
upcr_checked_init (int threads, uint64_t end, uint64_t heap_start)
{
  upcr_explain_asan_reports ();
  for (int t = 0; t < threads; t++)
    {
      upcr_poison (upcr_segment_address (t, end), heap_start - end);
      show_piece (t, UPCR_NULL_BYTES, end - UPCR_NULL_BYTES);
      for (const upcr_object *o = __start_upc_objects; o < __stop_upc_objects; o++)
        guard_object (o, t);
    }
}

/* ---- Blocks ---- */

/* The partitions that have a piece of the block. */
struct partitions
{
  uint32_t from, to;
};

UPCR_SEES_POISON static struct partitions
partitions_of (const struct upcr_block_record *record)
{
  if (record->is_symmetric)
    return (struct partitions){ 0, THREADS };
  return (struct partitions){ record->thread, record->thread + 1 };
}

/* What the block takes in each of them. */
UPCR_SEES_POISON static uint64_t
block_bytes (const struct upcr_block_record *record)
{
  return record->front + upcr_end_behind (record);
}

/* The bytes of all its pieces. */
UPCR_SEES_POISON static uint64_t
bytes_of_all (const struct upcr_block_record *record)
{
  return record->bytes * (record->is_symmetric ? THREADS : 1);
}

/* RECORD's block is at PAYLOAD from now on. */
static void
show_block (const struct upcr_block_record *record, uint64_t payload)
{
  struct partitions p = partitions_of (record);
  uint64_t end = payload + whole_units (record->bytes);

  for (uint32_t t = p.from; t < p.to; t++)
    {
      struct upcr_block_record own = *record;

      own.thread = t;
      upcr_red_zones_make (&own, payload);
      upcr_poison (upcr_segment_address (t, payload - record->front), block_bytes (record));
      set_shadow (t, payload - record->front, payload, __upc_shadow_front);
      set_shadow (t, end, end + UPCR_BEHIND_BYTES, __upc_shadow_behind);
      show_piece (t, payload, record->bytes);
      if (!record->is_library)
        upcr_show_allocation (upcr_segment_address (t, payload), record->bytes, UPCR_BEHIND_BYTES);
    }
}

/* Gives a block back that nothing should point to any more. */
UPCR_SEES_POISON static void
give_up_block (struct upcr_block_record *record)
{
  uint64_t bytes = block_bytes (record);
  char *block = (char *) record + UPCR_FRONT_BYTES - record->front;
  uint64_t offset = block - upcr_segment_address (record->thread, 0);
  struct partitions p = partitions_of (record);

  for (uint32_t t = p.from; t < p.to; t++)
    set_shadow (t, offset, offset + bytes, __upc_shadow_nobody);
  dallocx (block, MALLOCX_TCACHE_NONE);
}

/* What RECORD's block counts for in the quarantine. */
UPCR_SEES_POISON static uint64_t
quarantine_bytes (const struct upcr_block_record *record)
{
  return block_bytes (record) * (record->is_symmetric ? THREADS : 1);
}

/* A piece of the segment that has a record. */
struct place
{
  uint32_t thread;
  uint64_t payload;
};

static struct place
place_of (const struct upcr_block_record *record)
{
  uint64_t distance = (uintptr_t) record + UPCR_FRONT_BYTES - UPCR_SEGMENT_BASE;

  return (struct place){ .thread = distance / UPCR_STRIDE, .payload = distance % UPCR_STRIDE };
}

UPCR_SEES_POISON static bool
is_written (const struct upcr_block_record *record)
{
  struct partitions p = partitions_of (record);
  uint64_t payload = place_of (record).payload;

  if (!upcr_record_is_whole (record))
    return true;
  for (uint32_t t = p.from; t < p.to; t++)
    if (upcr_is_written (upcr_record_of (t, payload)))
      return true;
  return false;
}

/* Ends the run, in WHAT, if CHECK says so of a piece of RECORD's block. valgrind has told of each access. */
UPCR_SEES_POISON static void
check_pieces (const struct upcr_block_record *record, const char *what,
              void (*check) (uint32_t thread, uint64_t payload, const char *what))
{
  struct place place = place_of (record);
  struct partitions p;

  if (upcr_is_under_memcheck ())
    return;
  check (place.thread, place.payload, what);
  p = partitions_of (record);
  for (uint32_t t = p.from; t < p.to; t++)
    check (t, place.payload, what);
}

/* Gives up the oldest blocks of the quarantine until it has no more than MOST bytes. Returns the first one that the
   program has written over; that block and those freed after it stay for ever. */
UPCR_SEES_POISON static const struct upcr_block_record *
shrink_quarantine (uint64_t most)
{
  while (first && quarantined > most)
    {
      struct upcr_block_record *record = first;

      if (is_written (record))
        {
          first = NULL;
          quarantined = 0;
          return record;
        }
      first = record->next;
      quarantined -= quarantine_bytes (record);
      give_up_block (record);
    }
  return NULL;
}

void
upcr_checked_release (const char *what)
{
  const struct upcr_block_record *overrun;

  upcr_see_poison ();
  upcr_checked_lock ();
  overrun = shrink_quarantine (0);
  upcr_checked_unlock ();
  if (overrun)
    check_pieces (overrun, what, upcr_written_check);
  upcr_stop_seeing_poison ();
  upcr_arenas_purge ();
}

static char *
allocate_memory (const struct upcr_block_record *record, size_t alignment, const char *what)
{
  unsigned arena = record->is_symmetric ? upcr_arena_symmetric () : upcr_arena_local ();
  int flags = MALLOCX_ARENA (arena) | MALLOCX_TCACHE_NONE | MALLOCX_ALIGN (alignment);
  char *block = mallocx (block_bytes (record), flags);

  if (block)
    return block;
  upcr_checked_release (what);
  return mallocx (block_bytes (record), flags);
}

static struct upcr_site *
count_allocation (const struct upcr_block_record *record, const char *what)
{
  struct partitions p = partitions_of (record);
  struct upcr_site *site;

  upcr_checked_lock ();
  upcr_use_add (upcr_checked_uses, p.from, p.to, record->bytes);
  site = upcr_site_of_caller (what);
  if (site)
    {
      site->blocks++;
      site->bytes += bytes_of_all (record);
    }
  upcr_checked_unlock ();
  return site;
}

/* Under the lock. */
UPCR_SEES_POISON static void
count_freeing (const struct upcr_block_record *record)
{
  struct partitions p = partitions_of (record);

  upcr_use_remove (upcr_checked_uses, p.from, p.to, record->bytes);
  if (record->allocated)
    {
      record->allocated->blocks--;
      record->allocated->bytes -= bytes_of_all (record);
    }
}

static upcr_pts
allocate (struct upcr_block_record record, size_t alignment, const char *what)
{
  char *block;
  uint64_t payload;

  if (record.bytes == 0 || record.bytes > UPCR_PARTITION_BYTES)
    return upcr_pts_null ();
  record.allocated_by = MYTHREAD;
  record.is_library = alignment > UPCR_SHADOW_UNIT;
  record.front = alignment > UPCR_FRONT_BYTES ? alignment : UPCR_FRONT_BYTES;
  block = allocate_memory (&record, alignment, what);
  if (!block)
    return upcr_pts_null ();
  record.allocated = count_allocation (&record, what);
  payload = block + record.front - upcr_segment_address (record.thread, 0);
  show_block (&record, payload);
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

/* ---- Freeing ---- */

/* The record of BLOCK, where one begins, in use or freed; or NULL. */
UPCR_SEES_POISON static struct upcr_block_record *
record_of_block (upcr_pts block)
{
  uint32_t thread = upcr_pts_thread (block);
  uint64_t offset = upcr_pts_offset (block);

  if (upcr_pts_phase (block) != 0 || thread >= (uint32_t) THREADS || offset % UPCR_SHADOW_UNIT != 0
      || !upcr_zone_is_open (thread, offset)
      || upcr_shadow_at (thread, offset - UPCR_SHADOW_UNIT) != __upc_shadow_front
      || !upcr_is_piece (upcr_shadow_at (thread, offset)))
    return NULL;
  struct upcr_block_record *record = upcr_record_of (thread, offset);
  return upcr_record_is_whole (record) && record->is_symmetric && thread != 0 ? NULL : record;
}

static _Noreturn void
refuse_block (upcr_pts block, bool is_freed, bool is_library, const char *what)
{
  uint32_t thread = upcr_pts_thread (block);
  char text[UPCR_TEXT_BYTES];

  upcr_end_once ();
  upcr_access_text (thread, upcr_pts_offset (block), 0, text, sizeof text);
  if (is_library)
    upcr_fatal (UPCR_LIBRARY_TEXT, what, text);
  if (is_freed)
    upcr_fatal ("%s: block already freed: %s", what, text);
  upcr_refuse_start (block, text, what);
}

static bool
is_freed_at (uint32_t thread, uint64_t payload)
{
  return upcr_shadow_at (thread, payload) == __upc_shadow_freed;
}

/* Marks the block freed, once: false if it is already. */
UPCR_SEES_POISON static bool
mark_freed (struct upcr_block_record *record, uint64_t payload, const char *what)
{
  struct partitions p = partitions_of (record);

  if (is_freed_at (record->thread, payload))
    return false;
  record->freed = upcr_site_of_caller (what);
  for (uint32_t t = p.from; t < p.to; t++)
    {
      struct upcr_block_record *own = upcr_record_of (t, payload);

      own->freed = record->freed;
      own->freed_by = MYTHREAD;
      set_shadow (t, payload, payload + whole_units (record->bytes), __upc_shadow_freed);
      upcr_freed_fill (own);
      /* A freed lock says that it is. */
      if (!record->is_library)
        {
          upcr_poison (upcr_segment_address (t, payload), record->bytes);
          upcr_show_freeing (upcr_segment_address (t, payload), UPCR_BEHIND_BYTES);
        }
    }
  return true;
}

/* Returns the block in it that turns out to be written over, or NULL. */
UPCR_SEES_POISON static const struct upcr_block_record *
enter_quarantine (struct upcr_block_record *record)
{
  record->next = NULL;
  if (first)
    last->next = record;
  else
    first = record;
  last = record;
  quarantined += quarantine_bytes (record);
  return shrink_quarantine (QUARANTINE_BYTES);
}

UPCR_SEES_POISON void
upcr_checked_free (upcr_pts block, bool is_library, const char *what)
{
  struct upcr_block_record *record;
  const struct upcr_block_record *overrun = NULL;
  uint64_t payload = upcr_pts_offset (block);
  bool is_freed = false;

  if (upcr_pts_is_null (block))
    return;
  upcr_see_poison ();
  record = record_of_block (block);
  if (record && !is_freed_at (upcr_pts_thread (block), payload))
    check_pieces (record, what, upcr_red_zones_check);
  if (!record || (record->is_library && !is_library))
    refuse_block (block, false, record, what);
  upcr_checked_lock ();
  is_freed = mark_freed (record, payload, what);
  if (is_freed)
    {
      count_freeing (record);
      overrun = enter_quarantine (record);
    }
  upcr_checked_unlock ();
  if (overrun)
    check_pieces (overrun, what, upcr_written_check);
  upcr_stop_seeing_poison ();
  if (!is_freed)
    refuse_block (block, true, false, what);
}
