/* Explores upc_all_sort: its record of a call, and the numbers in that. */

#include "runtime.h"

#include "runtime/coll/coll.h"
#include "runtime/coll/context.h"

#include <string.h>

enum
{
  COUNT = 2,
  CALLS = 3,
  MOST_BLOCKS = 16
};

/* Elements of each call, plain data of the threads; all have affinity to thread 0. */
static int elements[CALLS][COUNT];
#define upcr_pts_address(p) ((void *) ((char *) elements + upcr_pts_offset (p)))

/* What is freed is not there again in the same execution: what comes too late races. */
static struct
{
  uint32_t words[2 + 4 * COUNT];
} blocks[8][MOST_BLOCKS];
static int used[8];

/* The thread may have written there before. */
static void *
take (size_t bytes)
{
  void *block = &blocks[MYTHREAD][used[MYTHREAD]++];

  EXPLORE_REQUIRE (bytes <= sizeof blocks[0][0] && used[MYTHREAD] <= MOST_BLOCKS);
  explore_write (block, bytes);
  return block;
}

static void
give_back (void *block)
{
  explore_write (block, sizeof blocks[0][0]);
}

#define malloc(bytes) take (bytes)
#define free(block) give_back (block)
#include "runtime/coll/sort.c"

/* Its barrier is another program's: this one is right. */
static _Atomic uint32_t arrived, epoch;

void
upcr_collective_barrier (const char *what)
{
  uint32_t seen = atomic_load_explicit (&epoch, memory_order_relaxed);

  (void) what;
  if (atomic_fetch_add_explicit (&arrived, 1, memory_order_acq_rel) + 1 == (uint32_t) THREADS)
    {
      atomic_store_explicit (&arrived, 0, memory_order_relaxed);
      atomic_store_explicit (&epoch, seen + 1, memory_order_release);
      upcr_unpark_all (&epoch);
    }
  while (atomic_load_explicit (&epoch, memory_order_acquire) == seen)
    upcr_park_while (&epoch, seen);
}

/* Of checked calls, which none is here. */
bool upcr_is_checked;

struct upcr_context
upcr_context_of (struct upcr_coll *call)
{
  explore_fail ("context of %p", (void *) call);
}

void
upcr_check_call (struct upcr_context *ctx, bool is_blocking)
{
  explore_fail ("check of %p, %d", (void *) ctx, is_blocking);
}

void
explore_setup (void)
{
  leave_out_diagnosis ();
}

static void
begin (int threads)
{
  THREADS = threads;
  memset (used, 0, sizeof used);
  memset (counts, 0, sizeof counts);
  memset (records, 0, sizeof records);
  for (int c = 0; c < CALLS; c++)
    for (int i = 0; i < COUNT; i++)
      elements[c][i] = COUNT - i;
}

static int
compare (upcr_pts a, upcr_pts b)
{
  return *(int *) upcr_pts_address (a) - *(int *) upcr_pts_address (b);
}

/* CALLS of them in a row, each of other elements, without a barrier between them. */
static void
sort_by (int calls)
{
  for (int c = 0; c < calls; c++)
    upcr_all_sort (upcr_pts_make (0, c * sizeof elements[c], 0), sizeof (int), COUNT, 0, compare,
                   GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_NOSYNC);
}

static void
sort_once (void)
{
  sort_by (1);
}

static void
sort_thrice (void)
{
  sort_by (CALLS);
}

static void
end_by (int calls)
{
  for (int c = 0; c < calls; c++)
    for (int i = 0; i < COUNT; i++)
      EXPLORE_REQUIRE (elements[c][i] == i + 1);
}

static void
end_once (void)
{
  end_by (1);
}

static void
end_thrice (void)
{
  end_by (CALLS);
}

const struct explore_case explore_cases[] = {
  EXPLORE_CASE ("sort_once", sort_once, 2, begin, end_once),
  EXPLORE_CASE ("sort_once", sort_once, 3, begin, end_once),
  EXPLORE_CASE ("sort_thrice", sort_thrice, 2, begin, end_thrice),
  { 0 },
};
