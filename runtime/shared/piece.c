/* The pieces of the checked heap's blocks that this process has, and their quarantine. */

#include "runtime/shared/piece.h"

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

/* Under the lock: the quarantine, of which FIRST was freed first, and what is in use. */
struct upcr_use upcr_checked_uses[UPCR_USES];
static struct upcr_block_record *first, *last;
static uint64_t quarantined;

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
upcr_checked_init (uint64_t end, uint64_t heap_start)
{
  upcr_explain_asan_reports ();
  upcr_records_init (THREADS);
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    {
      upcr_poison (upcr_segment_address (t, end), heap_start - end);
#ifdef UPCR_NETWORK
      upcr_unpoison (upcr_mailbox (t), UPCR_MAILBOX_BYTES);
#endif
      show_piece (t, UPCR_NULL_BYTES, end - UPCR_NULL_BYTES);
      for (const upcr_object *o = __start_upc_objects; o < __stop_upc_objects; o++)
        guard_object (o, t);
    }
}

/* ---- What a block takes ---- */

/* The partitions of this process that have a piece of the block. */
struct partitions
{
  uint32_t from, to;
};

static struct partitions
partitions_of (const struct upcr_block_record *record)
{
  if (record->is_symmetric)
    return (struct partitions){ UPCR_FIRST_THREAD, UPCR_LAST_THREAD + 1 };
  return (struct partitions){ record->thread, record->thread + 1 };
}

/* What the block takes in each of them. */
static uint64_t
block_bytes (const struct upcr_block_record *record)
{
  return record->front + upcr_end_behind (record);
}

void
upcr_block_count (const struct upcr_block_record *record, struct upcr_site *site, bool is_freed)
{
  int from = record->is_symmetric ? 0 : record->thread;
  int to = record->is_symmetric ? THREADS : record->thread + 1;
  uint64_t bytes = record->bytes * (to - from);

  upcr_checked_lock ();
  if (is_freed)
    upcr_use_remove (upcr_checked_uses, from, to, record->bytes);
  else
    upcr_use_add (upcr_checked_uses, from, to, record->bytes);
  if (site)
    {
      site->blocks += is_freed ? -1ul : 1;
      site->bytes += is_freed ? -bytes : bytes;
    }
  upcr_checked_unlock ();
}

/* ---- Memory ---- */

/* Of a symmetric block that was given up the process that has the memory tells no other one: what is left of it behind
   END, where a new block ends, is nobody's. A block that begins there is another one. */
static void
clear_rest (uint32_t thread, uint64_t end)
{
  uint64_t rest = end;
  uint8_t shadow = upcr_shadow_at (thread, end);

  if (upcr_is_start (thread, end))
    return;
  while (rest < upcr_zone.top && (shadow == __upc_shadow_freed || shadow == __upc_shadow_behind))
    shadow = upcr_shadow_at (thread, rest += UPCR_SHADOW_UNIT);
  set_shadow (thread, end, rest, __upc_shadow_nobody);
}

static void
show_in (uint32_t thread, const struct upcr_block_record *record)
{
  uint64_t payload = record->payload, end = payload + whole_units (record->bytes);

  *upcr_record_make (thread, payload) = *record;
  upcr_red_zones_make (record);
  upcr_poison (upcr_segment_address (thread, payload - record->front), block_bytes (record));
  clear_rest (thread, end + UPCR_BEHIND_BYTES);
  set_shadow (thread, payload - record->front, payload, __upc_shadow_front);
  set_shadow (thread, end, end + UPCR_BEHIND_BYTES, __upc_shadow_behind);
  show_piece (thread, payload, record->bytes);
  if (!record->is_library)
    upcr_show_allocation (upcr_segment_address (thread, payload), record->bytes, UPCR_BEHIND_BYTES);
}

void
upcr_block_show (struct upcr_block_record record, uint64_t payload, struct upcr_site *site)
{
  struct partitions p = partitions_of (&record);

  record.allocated = site;
  record.payload = payload;
  if (record.is_symmetric)
    upcr_zone_note_symmetric (payload - record.front + block_bytes (&record));
  for (uint32_t t = p.from; t < p.to; t++)
    {
      record.thread = t;
      show_in (t, &record);
    }
}

static void
clear_block (const struct upcr_block_record *record)
{
  uint64_t offset = record->payload - record->front;
  struct partitions p = partitions_of (record);

  for (uint32_t t = p.from; t < p.to; t++)
    set_shadow (t, offset, offset + block_bytes (record), __upc_shadow_nobody);
}

void (*upcr_block_has_left) (uint64_t payload);

/* Gives a block back that nothing should point to any more. */
static void
give_up_block (const struct upcr_block_record *record)
{
  uint64_t offset = record->payload - record->front;

  clear_block (record);
  if (record->is_symmetric && upcr_block_has_left)
    upcr_block_has_left (record->payload);
  if (record->has_guard)
    dallocx (upcr_segment_address (record->thread, record->payload), MALLOCX_TCACHE_NONE);
  dallocx (upcr_segment_address (record->thread, offset), MALLOCX_TCACHE_NONE);
}

/* Does CHECK say so of a piece that this process has of RECORD's block? Then it is THREAD's. valgrind has told of each
   access. */
static bool
is_any_written (const struct upcr_block_record *record, uint64_t payload,
                bool (*check) (uint32_t thread, uint64_t payload), uint32_t *thread)
{
  struct partitions p = partitions_of (record);

  for (*thread = p.from; *thread < p.to; ++*thread)
    if (!upcr_is_under_memcheck () && check (*thread, payload))
      return true;
  return false;
}

/* What RECORD's block counts for in the quarantine. */
static uint64_t
quarantine_bytes (const struct upcr_block_record *record)
{
  return block_bytes (record) * (record->is_symmetric ? THREADS : 1);
}

/* Whether RECORD's block, which waits in the quarantine, is as it was freed. */
static struct upcr_freed
look_at_freed (const struct upcr_block_record *record)
{
  struct upcr_freed freed = { .verdict = UPCR_BLOCK_FREED, .payload = record->payload };

  if (is_any_written (record, freed.payload, upcr_is_written, &freed.thread))
    freed.verdict = UPCR_BLOCK_OVERRUN;
  return freed;
}

/* Gives up the oldest blocks of the quarantine, up to KEPT, until it has no more than MOST bytes. Says which one the program has
   written over; that block and those freed after it stay for ever. */
static struct upcr_freed
shrink_quarantine (uint64_t most, const struct upcr_block_record *kept)
{
  struct upcr_freed freed = { .verdict = UPCR_BLOCK_FREED };

  while (first && first != kept && quarantined > most)
    {
      struct upcr_block_record *record = first;

      freed = look_at_freed (record);
      if (freed.verdict == UPCR_BLOCK_OVERRUN)
        {
          first = NULL;
          quarantined = 0;
          break;
        }
      first = record->next;
      quarantined -= quarantine_bytes (record);
      give_up_block (record);
    }
  /* valgrind has told of the access. */
  if (upcr_is_under_memcheck ())
    freed.verdict = UPCR_BLOCK_FREED;
  return freed;
}

void
upcr_checked_release (const char *what)
{
  char text[UPCR_TEXT_BYTES];
  struct upcr_freed freed;

  upcr_see_poison ();
  upcr_checked_lock ();
  freed = shrink_quarantine (0, NULL);
  upcr_checked_unlock ();
  if (freed.verdict == UPCR_BLOCK_OVERRUN)
    {
      upcr_end_once ();
      upcr_overrun_text (freed.thread, freed.payload, text, sizeof text);
      upcr_fatal (UPCR_OVERRUN_TEXT, what, text);
    }
  upcr_stop_seeing_poison ();
  upcr_arenas_purge ();
}

static int
flags_of (const struct upcr_block_record *record, size_t alignment)
{
  unsigned arena = record->is_symmetric ? upcr_arena_symmetric () : upcr_arena_local ();

  return MALLOCX_ARENA (arena) | MALLOCX_TCACHE_NONE | MALLOCX_ALIGN (alignment);
}

static char *
allocate_memory (const struct upcr_block_record *record, size_t alignment, const char *what)
{
  int flags = flags_of (record, alignment);
  char *block = mallocx (block_bytes (record), flags);

  if (block)
    return block;
  upcr_checked_release (what);
  return mallocx (block_bytes (record), flags);
}

uint64_t
upcr_block_take (const struct upcr_block_record *record, size_t alignment, const char *what)
{
  char *block = allocate_memory (record, alignment, what), *second;

  if (!block)
    return 0;
  /* The first of many small blocks has no other one before it, whose red zone would do for both. */
  if (record->front == 0 && (uintptr_t) block % UPCR_PAGE_BYTES == 0
      && (second = mallocx (block_bytes (record), flags_of (record, alignment))))
    {
      if (second == block + block_bytes (record))
        return second - upcr_segment_address (record->thread, 0) + 1;
      dallocx (second, MALLOCX_TCACHE_NONE);
    }
  return block + record->front - upcr_segment_address (record->thread, 0);
}

/* ---- Freeing ---- */

/* The record of BLOCK, where one begins, in use or freed; or NULL. */
static struct upcr_block_record *
record_of_block (upcr_pts block)
{
  uint32_t thread = upcr_pts_thread (block);
  uint64_t offset = upcr_pts_offset (block);

  if (upcr_pts_phase (block) != 0 || thread >= (uint32_t) THREADS || offset % UPCR_SHADOW_UNIT != 0
      || !upcr_zone_is_open (thread, offset) || !upcr_is_start (thread, offset))
    return NULL;
  struct upcr_block_record *record = upcr_record_of (thread, offset);
  return record && record->is_symmetric && thread != 0 ? NULL : record;
}

/* Has the program written in the red zones of a piece of the block that begins at BLOCK, unless it is freed? Then it is
   THREAD's. */
static bool
has_overrun (const struct upcr_block_record *record, upcr_pts block, uint32_t *thread)
{
  uint64_t payload = upcr_pts_offset (block);

  return upcr_shadow_at (upcr_pts_thread (block), payload) != __upc_shadow_freed
         && is_any_written (record, payload, upcr_is_overrun, thread);
}

static void
mark_freed (const struct upcr_block_record *record, uint64_t payload, struct upcr_freeing freeing)
{
  struct partitions p = partitions_of (record);

  for (uint32_t t = p.from; t < p.to; t++)
    {
      struct upcr_block_record *own = upcr_record_of (t, payload);

      own->freed = freeing.site;
      own->freed_by = freeing.thread;
      set_shadow (t, payload, payload + whole_units (record->bytes), __upc_shadow_freed);
      upcr_freed_fill (own);
      /* A freed lock says that it is. */
      if (!record->is_library)
        {
          upcr_poison (upcr_segment_address (t, payload), record->bytes);
          upcr_show_freeing (upcr_segment_address (t, payload), UPCR_BEHIND_BYTES);
        }
    }
}

/* Says which other block has to leave it, and is written over. Other processes have still to look at their pieces of a symmetric
   one, and others may not get its memory before: that stays, however large it is. */
static struct upcr_freed
enter_quarantine (struct upcr_block_record *record)
{
  record->next = NULL;
  if (first)
    last->next = record;
  else
    first = record;
  last = record;
  quarantined += quarantine_bytes (record);
  return shrink_quarantine (QUARANTINE_BYTES,
                            record->is_symmetric && upcr_block_has_left ? record : NULL);
}

struct upcr_freed
upcr_block_free (upcr_pts block, struct upcr_freeing freeing)
{
  uint64_t payload = upcr_pts_offset (block);
  struct upcr_freed freed = { .verdict = UPCR_BLOCK_FREED, .payload = payload };
  struct upcr_block_record *record;

  upcr_see_poison ();
  record = record_of_block (block);
  if (!record)
    freed.verdict = UPCR_BLOCK_NONE;
  else if (has_overrun (record, block, &freed.thread))
    freed.verdict = UPCR_BLOCK_OVERRUN;
  else if (record->is_library && !freeing.is_library)
    freed.verdict = UPCR_BLOCK_OF_LIBRARY;
  else
    {
      upcr_checked_lock ();
      if (upcr_shadow_at (upcr_pts_thread (block), payload) == __upc_shadow_freed)
        freed.verdict = UPCR_BLOCK_FREED_BEFORE;
      else
        {
          const struct upcr_block_record own = *record;

          mark_freed (record, payload, freeing);
          freed = enter_quarantine (record);
          freed.record = own;
        }
      upcr_checked_unlock ();
    }
  upcr_stop_seeing_poison ();
  return freed;
}

bool
upcr_block_hide (const struct upcr_block_record *record, uint64_t payload,
                 struct upcr_freeing freeing, uint32_t *thread)
{
  if (is_any_written (record, payload, upcr_is_overrun, thread))
    return false;
  upcr_checked_lock ();
  mark_freed (record, payload, freeing);
  upcr_checked_unlock ();
  return true;
}

/* Whether a piece of a freed block begins there, and nobody has had any of its memory since. */
static bool
is_still_freed (uint32_t thread, uint64_t payload)
{
  const struct upcr_block_record *record;
  uint64_t at = payload;

  if (!upcr_is_start (thread, payload) || !(record = upcr_record_of (thread, payload)))
    return false;
  while (at < payload + record->bytes && upcr_shadow_at (thread, at) == __upc_shadow_freed)
    at += UPCR_SHADOW_UNIT;
  return at >= payload + record->bytes;
}

bool
upcr_block_leave (uint64_t payload, uint32_t *thread)
{
  const struct upcr_block_record *record = upcr_record_of (UPCR_FIRST_THREAD, payload);

  if (!is_still_freed (UPCR_FIRST_THREAD, payload))
    return true;
  if (is_any_written (record, payload, upcr_is_written, thread))
    return false;
  clear_block (record);
  return true;
}

size_t
upcr_quarantined (size_t from, uint64_t *payloads, size_t most)
{
  size_t count = 0;

  upcr_checked_lock ();
  for (const struct upcr_block_record *r = first; r && count < most; r = r->next)
    if (r->is_symmetric && from > 0)
      from--;
    else if (r->is_symmetric)
      payloads[count++] = r->payload;
  upcr_checked_unlock ();
  return count;
}
