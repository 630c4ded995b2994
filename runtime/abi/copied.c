/* Private copies of shared arrays for loops of compiled programs (include/upct/copied.h). */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include <upct/copy_array.h>

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Bytes: what is larger is in no cache, and loads from a copy wait for memory, too. */
#define MOST_COPIED (4ul << 20)

__upc_copied __upc_copy_array (__upc_copy *copy, __upc_copied before, upcr_pts start,
                               __upc_copied_array array, __upc_stores stores, unsigned long reads);
void __upc_free_copy (void *at);

/* What each thread has of the array: so many bytes from an offset on. */
struct piece
{
  uint64_t offset, bytes;
};

/* False: a pointer leads to something else than the start of a block that all threads have. */
static bool
find_piece (upcr_pts start, const __upc_copied_array *array, struct piece *piece)
{
  uint64_t offset = upcr_pts_offset (start), size = array->__block * array->__bytes;
  uint64_t blocks = (array->__count + array->__block - 1) / array->__block;

  *piece = (struct piece){ offset, (blocks + THREADS - 1) / THREADS * size };
  if (array->__count)
    return true;
  if (upcr_pts_is_null (start) || upcr_pts_thread (start) != 0 || upcr_pts_phase (start) != 0)
    return false;
  piece->bytes = upcr_symmetric_bytes (offset) / size * size;
  return piece->bytes > 0;
}

/* A pointer that leads right behind the piece may be one to its end: then it stores before that. */
static bool
may_store (__upc_stores stores, struct piece piece)
{
  const upcr_pts *pointers = stores.__pointers;

  for (unsigned i = 0; i < stores.__count; i++)
    {
      uint64_t offset = upcr_pts_offset (pointers[i]), end = piece.offset + piece.bytes;

      if (offset >= piece.offset
          && (offset < end || (offset == end && !(stores.__forward >> i & 1))))
        return true;
    }
  return false;
}

/* Rounds of blocks that are copied thread by thread, so that what the threads write of the same lines
   stays in a cache. */
#define ROUNDS_BYTES 16384

/* Whole blocks, and what the array has of the last one: that may be little of a large block. */
static void
copy_blocks (char *to, const __upc_copied_array *array, uint64_t offset)
{
  size_t size = array->__block * array->__bytes, blocks = array->__count / array->__block;
  size_t rest = array->__count % array->__block * array->__bytes;
  size_t rounds = ROUNDS_BYTES / (size * THREADS) + 1;

  for (size_t round = 0; round * THREADS < blocks; round += rounds)
    for (size_t t = 0; t < (size_t) THREADS && round * THREADS + t < blocks; t++)
      {
        size_t first = round * THREADS + t, left = (blocks - first - 1) / THREADS + 1;

        upcr_gather_pieces (to + first * size, upcr_segment_address (t, offset + round * size),
                            size, THREADS * size, left < rounds ? left : rounds);
      }
  memcpy (to + blocks * size,
          upcr_segment_address (blocks % THREADS, offset + blocks / THREADS * size), rest);
}

/* What a thread keeps from one loop to the next. */
struct kept
{
  struct memory
  {
    size_t bytes;
    _Alignas(max_align_t) char at[];
  } * spare;
  /* Arrays that loops have read often enough, and how many copies were made since that was seen. */
  struct often
  {
    uint64_t offset;
    unsigned copies;
  } often[8];
  unsigned last;
};

static pthread_key_t key;
static bool has_key;

static void
drop (void *kept)
{
  free (((struct kept *) kept)->spare);
  free (kept);
}

static void
make_key (void)
{
  has_key = pthread_key_create (&key, drop) == 0;
}

/* NULL: there is no memory. */
static struct kept *
kept_by_thread (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct kept *kept;

  pthread_once (&once, make_key);
  kept = has_key ? pthread_getspecific (key) : NULL;
  if (kept || !has_key)
    return kept;
  kept = calloc (1, sizeof *kept);
  if (kept && pthread_setspecific (key, kept) == 0)
    return kept;
  free (kept);
  return NULL;
}

static char *
take_memory (struct kept *kept, size_t bytes)
{
  struct memory *memory = kept->spare;

  kept->spare = NULL;
  if (memory && memory->bytes >= bytes)
    return memory->at;
  free (memory);
  memory = malloc (sizeof *memory + bytes);
  if (!memory)
    return NULL;
  memory->bytes = bytes;
  return memory->at;
}

void
__upc_free_copy (void *at)
{
  struct kept *kept = pthread_getspecific (key);

  free (kept->spare);
  kept->spare = (struct memory *) ((char *) at - offsetof (struct memory, at));
}

static struct often *
find_often (struct kept *kept, uint64_t offset)
{
  for (size_t i = 0; i < sizeof kept->often / sizeof *kept->often; i++)
    if (kept->often[i].offset == offset)
      return &kept->often[i];
  return NULL;
}

static void
note_often (struct kept *kept, uint64_t offset)
{
  struct often *often = find_often (kept, offset);

  if (!often)
    often = &kept->often[kept->last++ % (sizeof kept->often / sizeof *kept->often)];
  *often = (struct often){ offset, 0 };
}

/* After how many reads a copy is made: when they have cost as much as the copy does, and will. Where
   they did before, a few are enough to see that the loop is not a short one this time; now and then that is
   looked at anew. */
static unsigned long
reads_for_copy (struct kept *kept, uint64_t offset, unsigned long count)
{
  struct often *often = find_often (kept, offset);

  return often && often->copies < 16 ? count / 8 : 2 * count;
}

static char *
copy_after (struct kept *kept, struct piece piece, const __upc_copied_array *array,
            unsigned long reads)
{
  struct often *often = find_often (kept, piece.offset);
  char *memory = take_memory (kept, array->__count * array->__bytes);

  if (memory)
    copy_blocks (memory, array, piece.offset);
  if (!often || reads >= array->__count)
    note_often (kept, piece.offset);
  else
    often->copies++;
  return memory;
}

__upc_copied
__upc_copy_array (__upc_copy *copy, __upc_copied before, upcr_pts start, __upc_copied_array array,
                  __upc_stores stores, unsigned long reads)
{
  static const __upc_copied never = { NULL, __UPC_NEVER_COPIED };
  struct kept *kept = kept_by_thread ();
  unsigned long all = copy->__asked - before.__left + reads, enough;
  struct piece piece;

  if (!kept || !find_piece (start, &array, &piece))
    return never;
  if (!array.__count)
    array.__count = piece.bytes / array.__bytes * THREADS;
  if (array.__count > MOST_COPIED / array.__bytes || may_store (stores, piece))
    return never;
  enough = reads_for_copy (kept, piece.offset, array.__count);
  if (all < enough && reads < 2 * array.__count)
    {
      copy->__asked = enough;
      return (__upc_copied){ NULL, enough - all };
    }
  copy->__memory = copy_after (kept, piece, &array, reads > all ? reads : all);
  return copy->__memory ? (__upc_copied){ copy->__memory, 0 } : never;
}
