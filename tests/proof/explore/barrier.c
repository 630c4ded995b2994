/* Explores parking, the barriers of UPC, and the broadcast from thread 0. */

#include "runtime.h"

#include "runtime/diag/diag.h"
#include "runtime/sync/primitives/barrier.c"
#include "runtime/sync/primitives/barrier_id.c"
#include "runtime/sync/primitives/broadcast.c"
#include "runtime/sync/primitives/place.c"
#include "runtime/sync/primitives/tree.c"

#include "words.h"

/* Stubs of what reports a broken consensus. */
void
upcr_symbolize (struct upcr_symbol *symbols, int count)
{
  (void) symbols, (void) count;
}

void
upcr_end_once (void)
{
}

/* Plain data of each thread. */
static int data[8];
static _Atomic uint32_t word;
static struct upcr_tree tree;

void
explore_setup (void)
{
  leave_out_diagnosis ();
  explore_leave_out (upcr_barrier_threads, sizeof upcr_barrier_threads);
}

static void
begin (int threads)
{
  THREADS = threads;
  upcr_barrier_init (threads);
  memset (data, 0, sizeof data);
  memset (seen, 0, sizeof seen);
  memset (counts, 0, sizeof counts);
}

/* ---- Parking ---- */

/* Thread 0 stores and wakes. */
static void
park_by (void (*park_while) (_Atomic uint32_t *word, uint32_t seen))
{
  if (MYTHREAD == 0)
    {
      data[0] = 1;
      atomic_store_explicit (&word, 1, memory_order_release);
      upcr_unpark_all (&word);
      return;
    }
  park_while (&word, 0);
  EXPLORE_REQUIRE (data[0] == 1);
}

static void
park_one_word (void)
{
  park_by (upcr_park_while);
}

static void
park_in_queue (void)
{
  park_by (upcr_park_in_queue);
}

/* A tree of two groups of threads, of which some wait for its release. */
static void
begin_groups (int threads)
{
  begin (threads);
  THREADS = 2 * UPCR_GROUP;
  upcr_tree_init (&tree, THREADS, 0);
  explore_upc_thread[1] = UPCR_GROUP;
  explore_upc_thread[2] = UPCR_GROUP - 1;
}

static void
release_groups (void)
{
  if (MYTHREAD == 0)
    {
      data[0] = 1;
      upcr_tree_release (&tree, 0);
      return;
    }
  upcr_tree_await (&tree, 0);
  EXPLORE_REQUIRE (data[0] == 1);
}

/* A tree of 16 leaves, of which some are the last of their group to arrive; of the other groups
   all have. Each thread has its own group, so that they meet on the level above. */
static void
begin_levels (int threads)
{
  enum
  {
    LEAVES = 16,
    FAN_IN = 4
  };

  begin (threads);
  THREADS = LEAVES;
  upcr_tree_init (&tree, LEAVES, 0);
  for (int leaf = 0; leaf < LEAVES; leaf++)
    if (leaf % FAN_IN != 0 || leaf / FAN_IN >= threads)
      atomic_init (&tree.nodes[leaf].arrived, 1);
  for (int group = threads; group < LEAVES / FAN_IN; group++)
    atomic_init (&tree.nodes[LEAVES + group].arrived, 1);
  for (int t = 0; t < threads; t++)
    explore_upc_thread[t] = t * FAN_IN;
}

static void
combine_levels (void)
{
  data[explore_self] = 1;
  if (upcr_tree_arrive (&tree, 0))
    upcr_tree_release (&tree, 0);
  else
    upcr_tree_await (&tree, 0);
  EXPLORE_REQUIRE (data[0] == 1 && data[1] == 1);
}

/* ---- Barriers ---- */

/* What is written before a barrier is read behind it, and may be written again behind the
   next one. */
static void
exchange_by (void (*barrier) (void))
{
  data[MYTHREAD] = 1;
  barrier ();
  for (int t = 0; t < THREADS; t++)
    EXPLORE_REQUIRE (data[t] == 1);
  barrier ();
  data[MYTHREAD] = 2;
}

static void
call_barrier (void)
{
  upcr_barrier (UPCR_NO_ID);
}

static void
call_collective_barrier (void)
{
  upcr_collective_barrier ("test");
}

static void
call_notify_and_wait (void)
{
  upcr_notify (UPCR_NO_ID);
  upcr_wait (UPCR_NO_ID);
}

static void
barrier (void)
{
  exchange_by (call_barrier);
}

static void
collective_barrier (void)
{
  exchange_by (call_collective_barrier);
}

static void
notify_and_wait (void)
{
  exchange_by (call_notify_and_wait);
}

/* No one waits who finds that the barrier is over. */
static void
poll (void)
{
  data[MYTHREAD] = 1;
  upcr_notify (UPCR_NO_ID);
  if (!upcr_barrier_is_over ())
    return;
  for (int t = 0; t < THREADS; t++)
    EXPLORE_REQUIRE (data[t] == 1);
}

/* The same id in each phase is no error, nor is another in the next. */
static void
barrier_ids (void)
{
  for (int id = 1; id <= 2; id++)
    upcr_barrier (id);
}

static void
store_mine (void)
{
  atomic_store_explicit (mine (), 1, memory_order_relaxed);
}

static void
load_theirs (void)
{
  if (MYTHREAD < 2)
    seen[MYTHREAD] = atomic_load_explicit (theirs (), memory_order_relaxed);
}

static void
strict_notify (void)
{
  if (MYTHREAD < 2)
    store_mine ();
  upcr_notify (UPCR_NO_ID);
  load_theirs ();
}

static void
strict_wait (void)
{
  upcr_notify (UPCR_NO_ID);
  if (MYTHREAD < 2)
    store_mine ();
  upcr_wait (UPCR_NO_ID);
  load_theirs ();
}

/* ---- Broadcast ---- */

static void
broadcast (void)
{
  for (size_t call = 1; call <= 3; call++)
    {
      struct upcr_broadcast mine = { .what = "test", .arguments = { MYTHREAD == 0 ? call : 0 } };

      EXPLORE_REQUIRE (upcr_broadcast_from_0 (&mine)->arguments[0] == call);
    }
}

#define CASE(function, threads, begin, end)               \
  {                                                       \
#function "_" #threads, threads, begin, function, end \
  }
const struct explore_case explore_cases[] = {
  CASE (park_one_word, 2, begin, NULL),
  CASE (park_one_word, 3, begin, NULL),
  CASE (park_in_queue, 2, begin, NULL),
  CASE (release_groups, 2, begin_groups, NULL),
  CASE (release_groups, 3, begin_groups, NULL),
  CASE (combine_levels, 2, begin_levels, NULL),
  CASE (combine_levels, 3, begin_levels, NULL),
  CASE (barrier, 2, begin, NULL),
  CASE (barrier, 3, begin, NULL),
  CASE (barrier, 4, begin, NULL),
  CASE (collective_barrier, 2, begin, NULL),
  CASE (collective_barrier, 3, begin, NULL),
  CASE (notify_and_wait, 2, begin, NULL),
  CASE (notify_and_wait, 3, begin, NULL),
  CASE (poll, 2, begin, NULL),
  CASE (poll, 3, begin, NULL),
  CASE (barrier_ids, 2, begin, NULL),
  CASE (barrier_ids, 3, begin, NULL),
  CASE (strict_notify, 2, begin, end_one_sees),
  CASE (strict_notify, 3, begin, end_one_sees),
  CASE (strict_wait, 2, begin, end_one_sees),
  CASE (strict_wait, 3, begin, end_one_sees),
  CASE (broadcast, 2, begin, NULL),
  CASE (broadcast, 3, begin, NULL),
  { 0 },
};
