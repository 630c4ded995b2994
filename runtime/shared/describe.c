/* Describes places of the segment in the program's terms: which object an address belongs to, or
   misses, and how. It takes no lock and does not call malloc, so signal handlers may call it. */

#include "runtime/host/host.h"
#include "runtime/shared/checked.h"
#include "runtime/shared/objects.h"
#include "runtime/shared/plain.h"
#include "runtime/shared/poison.h"
#include "runtime/shared/red_zone.h"
#include "runtime/shared/shared.h"
#include "runtime/shared/zone.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* How far from a block an address may be to be told by it: further where the plain heap does not end
   soon behind its last block. */
#define NEAR_BYTES (1ul << 20)
#define NEAR_PLAIN_BYTES (16ul << 20)
/* How far from the nearest object that may not be the one that was meant. */
#define DOUBTFUL_BYTES 4096
/* An index below that of the first object leads so far behind null: to an element or two. */
#define BESIDE_BYTES 64

/* Text that is put together; what does not fit is lost. */
struct text
{
  char *at;
  size_t bytes;
};

static void __attribute__ ((format (printf, 2, 3))) add (struct text *text, const char *format, ...)
{
  va_list args;
  int n;

  va_start (args, format);
  n = vsnprintf (text->at, text->bytes, format, args);
  va_end (args);
  if (n < 0)
    return;
  n = (size_t) n < text->bytes ? n : (int) text->bytes - 1;
  text->at += n;
  text->bytes -= n;
}

/* A thread's piece: of OBJECT, or of a block of the heap. RECORD is NULL in the plain heap, where only
   IS_SYMMETRIC is known. */
struct piece
{
  const upcr_object *object;
  const struct upcr_block_record *record;
  bool is_symmetric;
  uint64_t begin, end;
};

static struct piece
piece_of_object (const upcr_object *object, uint32_t thread)
{
  uint64_t begin = upcr_object_offset (object);

  return (struct piece){ .object = object,
                         .begin = begin,
                         .end = begin + upcr_object_piece (object, thread) };
}

/* The bytes between the piece and OFFSET. */
static uint64_t
distance (const struct piece *piece, uint64_t offset)
{
  if (offset < piece->begin)
    return piece->begin - offset;
  return offset < piece->end ? 0 : offset - piece->end;
}

static struct piece
nearest_object (uint32_t thread, uint64_t offset)
{
  const upcr_object *up_to = upcr_object_up_to (offset), *after = upcr_object_after (offset);
  struct piece a = { 0 }, b = { 0 };

  if (up_to)
    a = piece_of_object (up_to, thread);
  if (after)
    b = piece_of_object (after, thread);
  return !after || (up_to && distance (&a, offset) <= distance (&b, offset)) ? a : b;
}

static bool
take_block (uint32_t thread, uint64_t offset, struct piece *piece)
{
  uint64_t begin;
  const struct upcr_block_record *record = upcr_block_at (thread, offset, &begin);

  if (!record)
    return false;
  *piece = (struct piece){ .record = record, .begin = begin, .end = begin + record->bytes };
  return true;
}

static struct piece
piece_of_plain (const struct upcr_plain_block *block)
{
  return (struct piece){ .is_symmetric = block->is_symmetric,
                         .begin = block->begin,
                         .end = block->begin + block->bytes };
}

static bool
find_plain_block (uint32_t thread, uint64_t offset, struct piece *piece)
{
  struct upcr_plain_block block;
  bool is_found = upcr_plain_up_to (thread, offset, &block);

  if (is_found)
    *piece = piece_of_plain (&block);
  if (is_found && distance (piece, offset) == 0)
    return true;
  if (upcr_plain_after (thread, offset, &block)
      && (!is_found || block.begin - offset < distance (piece, offset)))
    {
      *piece = piece_of_plain (&block);
      is_found = true;
    }
  return is_found;
}

/* The block at OFFSET, or the nearest one; in a checked heap, if that is near. */
static bool
find_block (uint32_t thread, uint64_t offset, struct piece *piece)
{
  if (!upcr_is_checked)
    return find_plain_block (thread, offset, piece);
  for (uint64_t d = 0; d < NEAR_BYTES; d += UPCR_SHADOW_UNIT)
    if ((offset >= upcr_zone.start + d && upcr_zone_is_open (thread, offset - d)
         && take_block (thread, offset - d, piece))
        || (upcr_zone_is_open (thread, offset + d) && take_block (thread, offset + d, piece)))
      return true;
  return false;
}

/* The object that OFFSET belongs to or is nearest to; its END is 0 if there is none. False: it is far
   away. */
static bool
find_piece (uint32_t thread, uint64_t offset, struct piece *piece)
{
  struct piece block = { 0 };

  if (offset >= upcr_zone.start && find_block (thread, offset, &block)
      && distance (&block, offset) < (upcr_is_checked ? NEAR_BYTES : NEAR_PLAIN_BYTES))
    {
      *piece = block;
      return true;
    }
  *piece = nearest_object (thread, offset);
  if (block.end && (!piece->object || distance (&block, offset) < distance (piece, offset)))
    *piece = block;
  return piece->object && (offset < upcr_zone.start || distance (piece, offset) < NEAR_BYTES);
}

static const char *
plural (uint64_t count)
{
  return count == 1 ? "" : "s";
}

static void
add_block (struct text *text, const struct upcr_block_record *block)
{
  char line[UPCR_TEXT_BYTES];

  if (block->is_symmetric)
    add (text, "thread %u's piece of a block of %lu byte%s per thread", block->thread,
         (unsigned long) block->bytes, plural (block->bytes));
  else
    add (text, "a block of %lu byte%s", (unsigned long) block->bytes, plural (block->bytes));
  upcr_site_text (block->allocated, line, sizeof line);
  add (text, " that thread %u allocated%s", block->allocated_by, line);
  if (block->allocated)
    add (text, " by %s", block->allocated->what);
  if (!block->freed)
    return;
  upcr_site_text (block->freed, line, sizeof line);
  add (text, " and thread %u freed%s", block->freed_by, line);
}

static void
add_plain_block (struct text *text, const struct piece *piece, uint32_t thread)
{
  unsigned long bytes = piece->end - piece->begin;

  if (piece->is_symmetric)
    add (text, "thread %u's piece of a block of up to %lu byte%s per thread", thread, bytes,
         plural (bytes));
  else
    add (text, "a block of up to %lu byte%s with affinity to thread %u", bytes, plural (bytes),
         thread);
}

static void
add_object (struct text *text, const struct piece *piece, uint32_t thread)
{
  char name[UPCR_TEXT_BYTES];

  upcr_object_text (piece->object, name, sizeof name);
  if (thread > 0 || upcr_object_is_dealt (piece->object))
    add (text, "thread %u's piece of ", thread);
  add (text, "%s", name);
}

static void
add_piece (struct text *text, const struct piece *piece, uint32_t thread)
{
  if (piece->object)
    add_object (text, piece, thread);
  else if (piece->record)
    add_block (text, piece->record);
  else
    add_plain_block (text, piece, thread);
}

static void
add_bytes (struct text *text, uint64_t bytes, const char *where)
{
  add (text, "%lu byte%s %s ", (unsigned long) bytes, plural (bytes), where);
}

static void
add_relation (struct text *text, const struct piece *piece, uint64_t offset, uint64_t bytes)
{
  if (bytes == UPCR_SOME_BYTES && (offset < piece->begin || offset >= piece->end))
    add (text, offset < piece->begin ? "before " : "past the end of ");
  else if (bytes == UPCR_SOME_BYTES)
    add (text, "in ");
  else if ((int64_t) bytes < 0)
    add (text, "%ld bytes, a negative number, of ", (long) bytes);
  else if (offset < piece->begin)
    add_bytes (text, piece->begin - offset, "before");
  else if (offset + bytes > piece->end)
    add_bytes (text, offset + bytes - piece->end, "past the end of");
  else if (offset == piece->end)
    add (text, "at the end of ");
  else if (!piece->object && bytes == 0)
    add (text, "byte %lu of ", (unsigned long) (offset - piece->begin));
  else
    add (text, "in ");
}

/* An index counts modulo the size of a partition. */
bool
upcr_is_beside_null (uint64_t thread, uint64_t offset)
{
  const uint64_t most = UPCR_NULL_BYTES - BESIDE_BYTES;
  uint64_t from_null = (offset - upcr_pts_offset (upcr_pts_null ())) % UPCR_PARTITION_BYTES;

  return thread < (uint64_t) THREADS
         && (offset < most || (from_null < most && !upcr_zone_is_open (thread, offset)));
}

/* Where nothing is; what is nearest tells what may have led there. In the plain heap it may have been a block. */
static void
add_far (struct text *text, struct piece *piece, uint32_t thread, uint64_t offset, uint64_t bytes)
{
  const upcr_object *first = upcr_object_after (0);

  if (!upcr_is_checked && offset >= upcr_zone.start && upcr_zone_is_open (thread, offset))
    {
      add (text, "%sthread %u's heap where no block is any more, offset 0x%lx", bytes ? "in " : "",
           thread, (unsigned long) offset);
      return;
    }
  add (text, "outside of the shared data: thread %u, offset 0x%lx", thread, (unsigned long) offset);
  if (!piece->end)
    return;
  add (text, ", ");
  /* What leads below a partition counts from its end; behind that is what leads above it. */
  if (first && offset < UPCR_PARTITION_BYTES && distance (piece, offset) > UPCR_PARTITION_BYTES / 2)
    {
      *piece = piece_of_object (first, thread);
      add_bytes (text, piece->begin + (UPCR_PARTITION_BYTES - offset), "before");
    }
  else
    add_relation (text, piece, offset, 1);
  add_piece (text, piece, thread);
}

/* The static object of which threads have a piece at OFFSET; NULL: there is none. An array that has no more than a block for
   each thread finds the thread by a division alone: an index beyond its end leads to one that is not there. */
static const upcr_object *
dealt_object_at (uint64_t offset)
{
  const upcr_object *object = upcr_object_up_to (offset);

  return object && upcr_object_is_dealt (object)
                 && offset - upcr_object_offset (object) < upcr_object_piece (object, 0)
             ? object
             : NULL;
}

bool
upcr_is_beyond_threads (const void *address)
{
  uint64_t distance_in = (uintptr_t) address - UPCR_SEGMENT_BASE;

  return distance_in / UPCR_STRIDE >= (uint64_t) THREADS
         && dealt_object_at (distance_in % UPCR_STRIDE);
}

static void
add_missing_thread (struct text *text, uint32_t thread, uint64_t offset)
{
  const upcr_object *object = dealt_object_at (offset);
  char name[UPCR_TEXT_BYTES];

  add (text, "a pointer-to-shared with affinity to thread %u of %d", thread, THREADS);
  if (!object)
    return;
  upcr_object_text (object, name, sizeof name);
  add (text, ", beyond %s", name);
}

int
upcr_access_text (uint32_t thread, uint64_t offset, uint64_t bytes, char *buffer, size_t size)
{
  struct text text = { buffer, size };
  struct piece piece;

  upcr_see_poison ();
  *buffer = 0;
  if (upcr_is_beside_null (thread, offset))
    add (&text, "a null pointer-to-shared");
  else if (thread >= (uint32_t) THREADS)
    add_missing_thread (&text, thread, offset);
  else if (!find_piece (thread, offset, &piece))
    add_far (&text, &piece, thread, offset, bytes);
  else if (piece.object && bytes == 0 && offset >= piece.begin && offset < piece.end)
    upcr_element_text (piece.object, thread, offset, buffer, size);
  else
    {
      if (upcr_is_checked && distance (&piece, offset) > DOUBTFUL_BYTES)
        add (&text, "in no object, ");
      add_relation (&text, &piece, offset, bytes);
      add_piece (&text, &piece, thread);
    }
  upcr_stop_seeing_poison ();
  return text.at - buffer;
}

static void
add_freeing (struct text *text, const struct upcr_block_record *block)
{
  char line[UPCR_TEXT_BYTES];

  upcr_site_text (block->freed, line, sizeof line);
  add (text, " by thread %u%s", block->freed_by, line);
  upcr_site_text (block->allocated, line, sizeof line);
  add (text, "; thread %u allocated it%s", block->allocated_by, line);
  if (block->allocated)
    add (text, " by %s", block->allocated->what);
}

/* Takes the block there, if it is freed. Another thread may be about to do so. */
static bool
take_freed_block (uint32_t thread, uint64_t offset, struct piece *piece)
{
  bool is_taken;

  if (!upcr_checked_try_lock ())
    return false;
  is_taken = take_block (thread, offset, piece) && piece->record->freed;
  upcr_checked_unlock ();
  return is_taken;
}

void
upcr_freeing_text (const void *address, char *buffer, size_t bytes)
{
  uint64_t distance_in = (uintptr_t) address - UPCR_SEGMENT_BASE;
  uint32_t thread = distance_in / UPCR_STRIDE;
  struct text text = { buffer, bytes };
  struct piece piece;

  *buffer = 0;
  if (distance_in / UPCR_STRIDE >= (uint64_t) THREADS)
    return;
  upcr_see_poison ();
  if (!upcr_is_checked)
    add (&text, "; UPC_CHECK=1 tells where");
  else if (take_freed_block (thread, distance_in % UPCR_STRIDE, &piece))
    add_freeing (&text, piece.record);
  upcr_stop_seeing_poison ();
}

/* The place of the segment or of its shadow that ADDRESS is. By a null pointer a check may look a little
   before the shadow. */
static bool
find_place (const void *address, uint64_t *thread, uint64_t *offset)
{
  uint64_t distance_in = (uintptr_t) address - UPCR_SEGMENT_BASE;

  if ((uintptr_t) address < UPCR_SEGMENT_BASE)
    distance_in = ((uintptr_t) address - UPCR_SHADOW_BASE) * UPCR_SHADOW_UNIT;
  *thread = distance_in / UPCR_STRIDE;
  *offset = distance_in % UPCR_STRIDE;
  if (upcr_reads_shadow ()
      && UPCR_SHADOW_BASE - (uintptr_t) address <= __UPC_LOOK_BEFORE / UPCR_SHADOW_UNIT)
    {
      *thread = 0;
      *offset = 0;
      return true;
    }
  return (uintptr_t) address >= (upcr_reads_shadow () ? UPCR_SHADOW_BASE : UPCR_SEGMENT_BASE)
         && (*thread < UPCR_MAX_THREADS || dealt_object_at (*offset));
}

/* An index below 0 leads below the segment, as if to threads before thread 0; and so does a null pointer
   in the struct form. */
static bool
describe_access_before (const void *address, char *buffer, size_t bytes)
{
  uint64_t below = UPCR_SEGMENT_BASE - (uintptr_t) address;
  struct text text = { buffer, bytes };
  struct piece piece;

  /* A null pointer of C is as far below as a thread before thread 0 may be. */
  if ((uintptr_t) address >= UPCR_SEGMENT_BASE || (uintptr_t) address < UPCR_NULL_BYTES)
    return false;
  if (-below - upcr_pts_offset (upcr_pts_null ()) < UPCR_NULL_BYTES)
    {
      add (&text, "access through a null pointer-to-shared");
      return true;
    }
  /* What checks its accesses reads the shadow there. */
  if (upcr_reads_shadow () || below > UPCR_MAX_THREADS * UPCR_STRIDE)
    return false;
  if (find_piece (0, (UPCR_STRIDE - below % UPCR_STRIDE) % UPCR_STRIDE, &piece))
    {
      add (&text, "access before ");
      add_piece (&text, &piece, 0);
      return true;
    }
  /* What blocks have three or six elements, and so on, is at a third or so of a partition. Pointers of C that are 32 bits cut
     off lead further down. */
  if ((uintptr_t) address <= UINT32_MAX)
    return false;
  add (&text, "access before all shared data; an index below 0 leads there");
  return true;
}

int
upcr_describe_access (const void *address, size_t accessed, char *buffer, size_t bytes)
{
  uint64_t thread, offset;
  char text[UPCR_TEXT_BYTES];
  bool is_pointer;

  if (describe_access_before (address, buffer, bytes))
    return 1;
  if (!find_place (address, &thread, &offset))
    return 0;
  is_pointer = upcr_is_beside_null (thread, offset) || thread >= (uint64_t) THREADS;
  upcr_access_text (thread, offset, accessed, text, sizeof text);
  snprintf (buffer, bytes, "access %s%s", is_pointer ? "through " : "", text);
  return 1;
}

int
upcr_segment_describe (const void *address, char *buffer, unsigned long bytes)
{
  return upcr_describe_access (address, 0, buffer, bytes);
}
