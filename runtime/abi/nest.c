/* Private copies of the arrays of a nest of loops, which goes through each of their elements many times
   (include/upct/nest.h, tools/upc2c/plan/nest.c).

   A copy holds the elements contiguously, in a block of the thread's own part of the heap, so the nest
   goes through it as through any array in one block. Only what the nest has changed is written back:
   another thread may have written the data beside it. So there are two copies of an array that is written,
   as it was and as it is now. An element that has its old value again counts as written at the time of the
   copy; nobody can tell the difference (UPC 1.3, B.3.1: nothing in the nest synchronises with other
   threads). */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#define __upc_nest_pts upcr_pts
#include <upct/nest_array.h>
#undef __upc_nest_pts

#include <string.h>

/* To copy an element costs as much as is saved in so many accesses, and more if it is written back, or if the copies are in
   no near cache. Still larger ones are in none, and there is one for each thread. */
#define ACCESSES_PER_ELEMENT 6
#define ACCESSES_PER_SLOW_ELEMENT 24
#define NEAR_BYTES (256ul << 10)
#define MOST_BYTES (32ul << 20)

int __upc_nest_begin (__upc_nest_array *arrays, unsigned count);
int __upc_nest_begin_in_place (__upc_nest_array *arrays, unsigned count);
void __upc_nest_end (__upc_nest_array *arrays, unsigned count);
int __upc_nest_is_apart (const __upc_nest_array *arrays, unsigned count);
int __upc_nest_is_right (const __upc_nest_array *arrays, unsigned count);

/* Where the elements of an array are that a nest accesses: so far from the start of each partition. */
struct place
{
  int64_t from, to;
};

static uint64_t
round_elements (const __upc_nest_array *a)
{
  return a->__block * (uint64_t) THREADS;
}

/* How many bytes there are from its start on, of blocks on each thread; 0: that is not known. */
static uint64_t
bytes_of_each (const __upc_nest_array *a)
{
  uint64_t offset = upcr_pts_offset (a->__start);

  if (upcr_pts_thread (a->__start) != 0 || upcr_pts_phase (a->__start) != 0)
    return 0;
  return upcr_is_checked ? upcr_bytes_ahead_on_all (offset) : upcr_symmetric_bytes (offset);
}

/* How many elements there are from its start on; 0: that is not known. */
static uint64_t
count_elements (const __upc_nest_array *a)
{
  return a->__count ? a->__count
                    : bytes_of_each (a) / (a->__block * a->__bytes) * round_elements (a);
}

/* The number of the block that has element N of A, which may be before its start; that of thread 0 in the round of the
   start is 0. */
static int64_t
block_of (const __upc_nest_array *a, int64_t n)
{
  int64_t block = (int64_t) a->__block;

  n += (int64_t) (upcr_pts_thread (a->__start) * a->__block + upcr_pts_phase (a->__start));
  return n >= 0 ? n / block : -((block - 1 - n) / block);
}

static bool
is_in_one_block (const __upc_nest_array *a)
{
  return a->__low <= a->__high && block_of (a, a->__low) == block_of (a, a->__high);
}

static bool
is_copied (const __upc_nest_array *a)
{
  return a->__block && THREADS > 1 && !is_in_one_block (a);
}

static bool
is_within (const __upc_nest_array *a)
{
  return a->__low >= 0 && (uint64_t) a->__high < count_elements (a);
}

/* Whether whole rounds of the arrays may be copied: all that is accessed is their own. */
static bool
find_rounds (__upc_nest_array *arrays, unsigned count)
{
  for (__upc_nest_array *a = arrays; a < arrays + count; a++)
    if (is_copied (a))
      {
        if (!is_within (a))
          return false;
        a->__first = (uint64_t) a->__low / round_elements (a);
        a->__rounds = (uint64_t) a->__high / round_elements (a) - a->__first + 1;
      }
  return true;
}

/* The round of element N of A. */
static int64_t
round_of (const __upc_nest_array *a, int64_t n)
{
  int64_t number = block_of (a, n);

  return number >= 0 ? number / THREADS : -((THREADS - 1 - number) / THREADS);
}

/* Whole blocks of the rounds that have accessed elements. */
static bool
find_place (const __upc_nest_array *a, struct place *place)
{
  int64_t bytes = (int64_t) a->__bytes, most = INT64_MAX / 4 / bytes;
  int64_t offset = (int64_t) upcr_pts_offset (a->__start), size = (int64_t) a->__block * bytes;

  if (upcr_pts_is_null (a->__start) || a->__low > a->__high || a->__low < -most || a->__high > most)
    return false;
  if (a->__block)
    {
      offset -= (int64_t) upcr_pts_phase (a->__start) * bytes;
      *place = (struct place){ offset + round_of (a, a->__low) * size,
                               offset + (round_of (a, a->__high) + 1) * size };
    }
  else
    *place = (struct place){ offset + a->__low * bytes, offset + (a->__high + 1) * bytes };
  return true;
}

/* Whether the places of all arrays are known, and none that is written is another one's, too. */
int
__upc_nest_is_apart (const __upc_nest_array *arrays, unsigned count)
{
  struct place place[__UPC_MOST_NEST_ARRAYS];

  for (unsigned i = 0; i < count; i++)
    {
      if (!find_place (&arrays[i], &place[i]))
        return 0;
      for (unsigned j = 0; j < i; j++)
        if ((arrays[i].__is_written || arrays[j].__is_written) && place[i].from < place[j].to
            && place[j].from < place[i].to)
          return 0;
    }
  return 1;
}

static uint64_t
copy_bytes (const __upc_nest_array *a)
{
  return a->__rounds * round_elements (a) * a->__bytes;
}

static uint64_t
bytes_of_copies (const __upc_nest_array *arrays, unsigned count)
{
  double bytes = 0;

  for (unsigned i = 0; i < count; i++)
    if (is_copied (&arrays[i]))
      bytes += (double) copy_bytes (&arrays[i]) * (arrays[i].__is_written ? 2 : 1) + 64;
  return bytes > MOST_BYTES ? MOST_BYTES + 1 : (uint64_t) bytes;
}

/* Whether copies of BYTES are worth while. */
static bool
is_worth (const __upc_nest_array *arrays, unsigned count, uint64_t bytes)
{
  double saved = 0;

  for (unsigned i = 0; i < count; i++)
    {
      bool is_slow = arrays[i].__is_written || bytes > NEAR_BYTES;

      saved += arrays[i].__accesses;
      if (is_copied (&arrays[i]))
        saved -= (double) (arrays[i].__rounds * round_elements (&arrays[i]))
                 * (is_slow ? ACCESSES_PER_SLOW_ELEMENT : ACCESSES_PER_ELEMENT);
    }
  return saved >= 0 && bytes <= MOST_BYTES;
}

/* Rounds of blocks that are copied thread by thread, so that what is copied for the threads to the same lines stays in a
   cache. */
#define ROUNDS_BYTES 16384

static uint64_t
rounds_at_once (const __upc_nest_array *a)
{
  return ROUNDS_BYTES / (round_elements (a) * a->__bytes) + 1;
}

/* Where block ROUND of thread T is. */
static char *
block_at (const __upc_nest_array *a, uint32_t t, uint64_t round)
{
  uint64_t size = a->__block * a->__bytes;

  return upcr_segment_address (t, upcr_pts_offset (a->__start) + (a->__first + round) * size);
}

static void
copy_in (const __upc_nest_array *a, char *copy)
{
  uint64_t size = a->__block * a->__bytes, most = rounds_at_once (a);

  for (uint64_t round = 0; round < a->__rounds; round += most)
    for (uint32_t t = 0; t < (uint32_t) THREADS; t++)
      upcr_gather_pieces (copy + (round * (uint64_t) THREADS + t) * size, block_at (a, t, round),
                          size, (uint64_t) THREADS * size,
                          a->__rounds - round < most ? a->__rounds - round : most);
}

/* Writes COUNT blocks of a thread, from AT on, back where they have changed: STRIDE bytes apart in NOW and OLD. */
static void
put_changes (char *at, const char *now, const char *old, const __upc_nest_array *a, uint64_t count)
{
  uint64_t size = a->__block * a->__bytes, stride = (uint64_t) THREADS * size;

  switch (a->__bytes)
    {
#define CASE(type)                                                                 \
  case sizeof (type):                                                              \
    for (uint64_t n = 0; n < count; n++, at += size, now += stride, old += stride) \
      for (uint64_t i = 0; i < size; i += sizeof (type))                           \
        {                                                                          \
          type is, was;                                                            \
                                                                                   \
          memcpy (&is, now + i, sizeof is);                                        \
          memcpy (&was, old + i, sizeof was);                                      \
          if (is != was)                                                           \
            memcpy (at + i, &is, sizeof is);                                       \
        }                                                                          \
    break;
      CASE (uint8_t)
      CASE (uint16_t)
      CASE (uint32_t)
      CASE (uint64_t)
#undef CASE
    default:
      break;
    }
}

static void
copy_back (const __upc_nest_array *a)
{
  uint64_t size = a->__block * a->__bytes, most = rounds_at_once (a);
  const char *old = a->__old, *now = old - copy_bytes (a);

  for (uint64_t round = 0; round < a->__rounds; round += most)
    for (uint32_t t = 0; t < (uint32_t) THREADS; t++)
      {
        uint64_t at = (round * (uint64_t) THREADS + t) * size;

        put_changes (block_at (a, t, round), now + at, old + at, a,
                     a->__rounds - round < most ? a->__rounds - round : most);
      }
}

/* A copy at MEMORY, in the thread's partition. */
static void
make_copy (__upc_nest_array *a, char *memory)
{
  uint64_t bytes = copy_bytes (a);
  uint64_t offset = (uint64_t) (memory - upcr_segment_address ((uint32_t) MYTHREAD, 0));

  copy_in (a, memory);
  a->__copy = upcr_pts_make ((uint32_t) MYTHREAD,
                             offset - a->__first * round_elements (a) * a->__bytes, 0);
  a->__old = NULL;
  if (a->__is_written)
    a->__old = memcpy (memory + bytes, memory, bytes);
}

/* Of an array in blocks one block is used, as if it went on to element 0: so many blocks from that one's place. */
static upcr_pts
itself (const __upc_nest_array *a)
{
  int64_t number, round, blocks;

  if (!a->__block || THREADS == 1)
    return upcr_pts_resetphase (a->__start);
  number = block_of (a, a->__low);
  round = round_of (a, a->__low);
  blocks = round + (int64_t) upcr_pts_thread (a->__start) - number;
  return upcr_pts_make (
      (uint32_t) (number - round * THREADS),
      upcr_pts_offset (a->__start) + (uint64_t) (blocks * (int64_t) (a->__block * a->__bytes)), 0);
}

static void
use_itself (__upc_nest_array *a)
{
  a->__copy = itself (a);
  a->__old = NULL;
  a->__rounds = 0;
}

/* Whether what is used of A is memory of one object. */
static bool
is_whole (const __upc_nest_array *a)
{
  upcr_pts p = itself (a);
  uint64_t offset = upcr_pts_offset (p) + (uint64_t) a->__low * a->__bytes;

  return upcr_is_whole ((uint32_t) upcr_pts_thread (p), offset,
                        (uint64_t) (a->__high - a->__low + 1) * a->__bytes);
}

static bool
is_right (const __upc_nest_array *a)
{
  struct place place;

  return find_place (a, &place) && (a->__count || is_copied (a) ? is_within (a) : is_whole (a));
}

/* Then code without checks does the same. */
int
__upc_nest_is_right (const __upc_nest_array *arrays, unsigned count)
{
  if (upcr_is_watched ())
    return 0;
  for (unsigned i = 0; i < count; i++)
    if (!is_right (&arrays[i]))
      return 0;
  return 1;
}

/* MEMORY has the copies, if there are any. */
static void
settle (__upc_nest_array *arrays, unsigned count, char *memory)
{
  uint64_t at = 0;

  for (unsigned i = 0; i < count; i++)
    if (!is_copied (&arrays[i]))
      use_itself (&arrays[i]);
    else
      {
        make_copy (&arrays[i], memory + at);
        at += copy_bytes (&arrays[i]) * (arrays[i].__is_written ? 2 : 1);
        at = (at + 63) / 64 * 64;
      }
  arrays[0].__memory = memory;
}

int
__upc_nest_begin (__upc_nest_array *arrays, unsigned count)
{
  char *memory = NULL;
  uint64_t bytes;

  if (!__upc_nest_is_apart (arrays, count) || !find_rounds (arrays, count)
      || (upcr_is_checked && !__upc_nest_is_right (arrays, count)))
    return 0;
  bytes = bytes_of_copies (arrays, count);
  if (!is_worth (arrays, count, bytes))
    return 0;
  if (bytes > 0 && !(memory = upcr_scratch_alloc (bytes)))
    return 0;
  settle (arrays, count, memory);
  return 1;
}

int
__upc_nest_begin_in_place (__upc_nest_array *arrays, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    if (arrays[i].__block && !is_in_one_block (&arrays[i]))
      return 0;
  return __upc_nest_begin (arrays, count);
}

void
__upc_nest_end (__upc_nest_array *arrays, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    if (arrays[i].__old)
      copy_back (&arrays[i]);
  upcr_scratch_free (arrays[0].__memory);
}
