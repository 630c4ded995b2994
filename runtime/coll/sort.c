/* upc_all_sort: a merge sort of the elements' numbers, then one move of the elements.

   The comparison function takes pointers-to-shared, so elements stay where they are while
   they are compared. Each thread sorts a run of the numbers; then runs are merged,
   two at a time, all threads working at each merge: where a thread's part of the result
   begins in either run is found by bisection. At last each thread copies the elements
   of its part of the result aside, and when all have, to their places.

   There is a barrier between the steps. Before the first and after the last one only where
   the flags ask for that: a thread may still be moving elements when another one has
   returned, or sorts the next array. So each call has a record, which the first thread to
   come makes and the last one to leave takes away. Two are there at most: nobody gets
   past the meetings of a call that not all have entered.

   field      written by             read by     order
   records    who makes it           all         release, acquire
              who ends it            all         by the barriers
   left       all: RMW               who leaves  acquire and release
   numbers    each its part          all         by the barriers */

#include "runtime/coll/coll.h"

#include "runtime/coll/context.h"

#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct record
{
  _Atomic uint32_t left;
  size_t numbers[]; /* twice as many as there are elements */
};

struct sort
{
  upcr_pts a;
  size_t bytes, count, block;
  upcr_comparison *compare;
  struct record *record;
};

/* Of calls with even and with odd numbers, which each UPC thread counts alike. */
static _Atomic (struct record *) records[2];
static struct
{
  _Alignas(64) unsigned calls;
} counts[UPCR_MAX_THREADS];

static void
barrier (void)
{
  upcr_collective_barrier ("upc_all_sort");
}

/* Element I. */
static upcr_pts
element (const struct sort *sort, size_t i)
{
  uint32_t thread = upcr_pts_thread (sort->a), phase = upcr_pts_phase (sort->a);
  uint64_t offset = upcr_pts_offset (sort->a);

  if (sort->block == 0)
    return upcr_pts_make (thread, offset + i * sort->bytes, 0);
  size_t from_start = phase + i, whole = from_start / sort->block + thread;
  uint32_t new_phase = from_start % sort->block;
  uint64_t down = whole / THREADS * sort->block + new_phase;
  return upcr_pts_make (whole % THREADS, offset + (down - phase) * sort->bytes, new_phase);
}

static bool
goes_before (const struct sort *sort, size_t right, size_t left)
{
  return sort->compare (element (sort, right), element (sort, left)) < 0;
}

/* Merges two runs into RESULT; of equal elements those of LEFT first. COUNT results. */
static void
merge (const struct sort *sort, size_t *result, size_t count, const size_t *left,
       const size_t *left_end, const size_t *right, const size_t *right_end)
{
  for (size_t *end = result + count; result < end; result++)
    if (right == right_end || (left != left_end && !goes_before (sort, *right, *left)))
      *result = *left++;
    else
      *result = *right++;
}

/* How many of the first RANK results of merging the two runs come from LEFT. */
static size_t
split (const struct sort *sort, size_t rank, const size_t *left, size_t left_count,
       const size_t *right, size_t right_count)
{
  size_t low = rank > right_count ? rank - right_count : 0;
  size_t high = rank < left_count ? rank : left_count;

  while (low < high)
    {
      size_t middle = low + (high - low) / 2;

      /* left[middle] is among them when right[rank - middle - 1] does not go before it. */
      if (goes_before (sort, right[rank - middle - 1], left[middle]))
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* Where thread T's part of COUNT things begins. */
static size_t
part (size_t count, int t)
{
  return (size_t) ((unsigned __int128) count * t / THREADS);
}

/* The calling thread's part of merging threads' runs, WIDTH threads each, two by two
   from FROM to TO. */
static void
merge_runs (const struct sort *sort, int width, const size_t *from, size_t *to)
{
  size_t begin = part (sort->count, MYTHREAD), end = part (sort->count, MYTHREAD + 1);
  int first = MYTHREAD / (2 * width) * (2 * width);
  int middle = first + width < THREADS ? first + width : THREADS;
  int last = first + 2 * width < THREADS ? first + 2 * width : THREADS;
  const size_t *left = from + part (sort->count, first);
  const size_t *right = from + part (sort->count, middle);
  size_t lefts = right - left, rights = from + part (sort->count, last) - right;
  size_t rank = begin - part (sort->count, first);
  size_t taken = split (sort, rank, left, lefts, right, rights);

  merge (sort, to + begin, end - begin, left + taken, left + lefts, right + (rank - taken),
         right + rights);
}

/* Sorts COUNT numbers at RUN with as many at SPARE. */
static void
sort_run (const struct sort *sort, size_t *run, size_t *spare, size_t count)
{
  size_t half = count / 2;

  if (count < 2)
    return;
  sort_run (sort, run, spare, half);
  sort_run (sort, run + half, spare, count - half);
  memcpy (spare, run, count * sizeof *run);
  merge (sort, run, count, spare, spare + half, spare + half, spare + count);
}

/* Puts the elements whose numbers stand from ORDER[BEGIN] to ORDER[END - 1] into places
   BEGIN to END - 1, when all threads have taken theirs aside. */
static void
move_elements (const struct sort *sort, const size_t *order, size_t begin, size_t end)
{
  char *aside = malloc ((end - begin) * sort->bytes + 1);

  if (!aside)
    upcr_fatal ("upc_all_sort: no memory for %zu elements of %zu bytes", end - begin, sort->bytes);
  for (size_t i = begin; i < end; i++)
    memcpy (aside + (i - begin) * sort->bytes, upcr_pts_address (element (sort, order[i])),
            sort->bytes);
  barrier ();
  for (size_t i = begin; i < end; i++)
    memcpy (upcr_pts_address (element (sort, i)), aside + (i - begin) * sort->bytes, sort->bytes);
  free (aside);
}

static struct record *
enter (size_t count)
{
  _Atomic (struct record *) *place = &records[counts[MYTHREAD].calls++ % 2];
  struct record *there = atomic_load_explicit (place, memory_order_acquire), *mine;
  size_t bytes;

  if (there)
    return there;
  if (__builtin_mul_overflow (count, 2 * sizeof (size_t), &bytes)
      || !(mine = malloc (sizeof *mine + bytes)))
    upcr_fatal ("upc_all_sort: no memory for %zu numbers", count);
  atomic_init (&mine->left, 0);
  if (atomic_compare_exchange_strong_explicit (place, &there, mine, memory_order_release,
                                               memory_order_acquire))
    return mine;
  free (mine);
  return there;
}

static void
leave (struct record *record)
{
  if (atomic_fetch_add_explicit (&record->left, 1, memory_order_acq_rel) + 1 < (uint32_t) THREADS)
    return;
  /* Relaxed: the meetings of the next call stand between this and who looks there again. */
  atomic_store_explicit (&records[(counts[MYTHREAD].calls - 1) % 2], NULL, memory_order_relaxed);
  free (record);
}

/* Is what each thread sorts first, and fills at last, just what has affinity to it? */
static bool
are_parts_own (const struct sort *sort)
{
  return THREADS == 1
         || (upcr_pts_thread (sort->a) == 0 && upcr_pts_phase (sort->a) == 0
             && sort->count == sort->block * THREADS);
}

/* Do the flags, ALL or MINE among them, ask for a barrier? */
static bool
asks_for_barrier (const struct sort *sort, int flags, int all, int mine)
{
  return flags & all || (flags & mine && !are_parts_own (sort));
}

/* Sorts the thread's own run, then merges runs. Where the order stands. */
static const size_t *
order_elements (const struct sort *sort, size_t begin, size_t end)
{
  size_t *numbers[2] = { sort->record->numbers, sort->record->numbers + sort->count };
  int from = 0;

  for (size_t i = begin; i < end; i++)
    numbers[0][i] = i;
  sort_run (sort, numbers[0] + begin, numbers[1] + begin, end - begin);
  for (int width = 1; width < THREADS; width *= 2, from = !from)
    {
      barrier ();
      merge_runs (sort, width, numbers[from], numbers[!from]);
    }
  barrier ();
  return numbers[from];
}

/* As a reduction whose result is nobody's. */
static void
check (const struct sort *sort, int flags)
{
  struct upcr_operator op = { .bytes = sort->bytes, .function = (void (*) (void)) sort->compare };
  struct upcr_coll call = {
    .what = "upc_all_sort",
    .kind = UPCR_REDUCE,
    .flags = flags,
    .src = upcr_layout_address (sort->a, sort->block, sort->bytes),
    .count = sort->count,
    .op = &op,
    .source = upcr_layout_of (sort->a, sort->block),
  };
  struct upcr_context ctx = upcr_context_of (&call);

  upcr_check_call (&ctx, true);
}

void
upcr_all_sort (upcr_pts a, size_t bytes, size_t count, size_t block, upcr_comparison *compare,
               int flags)
{
  const struct sort sort = { a, bytes, count, block, compare, enter (count) };
  size_t begin = part (count, MYTHREAD), end = part (count, MYTHREAD + 1);

  if (__builtin_expect (upcr_checks_calls (), 0))
    check (&sort, flags);
  if (asks_for_barrier (&sort, flags, GASNET_COLL_IN_ALLSYNC, GASNET_COLL_IN_MYSYNC))
    barrier ();
  move_elements (&sort, order_elements (&sort, begin, end), begin, end);
  if (asks_for_barrier (&sort, flags, GASNET_COLL_OUT_ALLSYNC, GASNET_COLL_OUT_MYSYNC))
    barrier ();
  leave (sort.record);
}
