/* The values (ids) of barriers.

   field              written by                    read by      order
   id of its node     its thread, in upc_notify     all of two   by the tree
   givers[t]          thread t, in upc_notify       who reports  by the tree
   consensus[phase]   the first to give an id;      all          relaxed RMW, by the tree
                      0 by the last of the next
                      phase
   broken[phase]      who gives another id          all          by the tree

   "By the tree": written before arriving, read after the epoch moved. */

#include "runtime/sync/primitives/barrier_id.h"

#include "runtime/sync/mechanism/debug.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct upcr_barrier_giver upcr_barrier_givers[UPCR_MAX_THREADS];

/* consensus: 0, or GIVEN | thread << 32 | id */
#define GIVEN (1ull << 63)

static struct
{
  _Alignas(64) _Atomic uint64_t consensus[UPCR_PHASES];
  atomic_bool broken[UPCR_PHASES];
} ids;

void
upcr_barrier_ids_init (int threads)
{
  memset (upcr_barrier_givers, 0, threads * sizeof *upcr_barrier_givers);
  for (int phase = 0; phase < UPCR_PHASES; phase++)
    {
      atomic_init (&ids.consensus[phase], 0);
      atomic_init (&ids.broken[phase], false);
    }
}

void
upcr_clear_barrier_ids (int phase)
{
  if (upcr_options.mismatch_warns)
    atomic_store_explicit (&ids.broken[phase], false, memory_order_relaxed);
  UPCR_ASSERT (!atomic_load (&ids.broken[phase]));
  if (atomic_load_explicit (&ids.consensus[phase], memory_order_relaxed) != 0)
    atomic_store_explicit (&ids.consensus[phase], 0, memory_order_relaxed);
}

/* Relaxed throughout: the arrival that follows publishes it. */
void
upcr_join_consensus (int phase, int id)
{
  uint64_t mine = GIVEN | (uint64_t) MYTHREAD << 32 | (uint32_t) id;
  uint64_t first = atomic_load_explicit (&ids.consensus[phase], memory_order_relaxed);

  if (first == 0
      && atomic_compare_exchange_strong_explicit (&ids.consensus[phase], &first, mine,
                                                  memory_order_relaxed, memory_order_relaxed))
    return;
  if ((int) (uint32_t) first != id)
    atomic_store_explicit (&ids.broken[phase], true, memory_order_relaxed);
}

const char *
upcr_barrier_place (char text[UPCR_PLACE_BYTES], int thread, int phase)
{
  const struct upcr_barrier_giver *giver = &upcr_barrier_givers[thread];

  return upcr_place_text (text, &giver->location[phase], giver->caller[phase]);
}

static int
next_thread_with_id (const struct upcr_tree *tree, int thread, int phase)
{
  while (tree->nodes[thread].id[phase] == UPCR_NO_ID)
    thread++;
  return thread;
}

/* Locations are found by one thread at a time: the one that ends the run, or with the lock, which has
   no end where the run ends. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
begin_report (void)
{
  if (upcr_options.mismatch_warns)
    pthread_mutex_lock (&lock);
  else
    upcr_end_once ();
}

static void
end_report (void)
{
  pthread_mutex_unlock (&lock);
}

/* The two lowest threads that show it, so that every thread says the same, or the lowest alone where that is
   a warning. No id changes now: who would notify twice again has to be through with this first. */
static void
report_broken (const struct upcr_tree *tree, int phase, const char *what)
{
  char location_a[UPCR_PLACE_BYTES], location_b[UPCR_PLACE_BYTES];
  int a = next_thread_with_id (tree, 0, phase);
  int b = next_thread_with_id (tree, a + 1, phase);

  if (upcr_options.mismatch_warns && MYTHREAD != a)
    return;
  begin_report ();
  while (tree->nodes[b].id[phase] == tree->nodes[a].id[phase])
    b = next_thread_with_id (tree, b + 1, phase);
  upcr_complain (upcr_options.mismatch_warns,
                 "%s: the ids differ: thread %d gave %d%s, thread %d gave %d%s", what, a,
                 tree->nodes[a].id[phase], upcr_barrier_place (location_a, a, phase), b,
                 tree->nodes[b].id[phase], upcr_barrier_place (location_b, b, phase));
  end_report ();
}

static void
report_other_id (int phase, int id, uint64_t consensus)
{
  char location[UPCR_PLACE_BYTES];
  int giver = (consensus & ~GIVEN) >> 32;

  begin_report ();
  upcr_complain (upcr_options.mismatch_warns,
                 "upc_wait: id %d differs from the id %d that thread %d gave to upc_notify%s", id,
                 (int) (uint32_t) consensus, giver, upcr_barrier_place (location, giver, phase));
  end_report ();
}

/* Where no one is the last there is no one to clear a consensus either: each thread
   finds it in the lines that it has read anyway. */
static uint64_t
pairwise_consensus (const struct upcr_tree *tree, int phase, bool *is_broken)
{
  uint64_t consensus = 0;

  *is_broken = false;
  for (int t = THREADS - 1; t >= 0; t--)
    {
      int id = tree->nodes[t].id[phase];

      if (id == UPCR_NO_ID)
        continue;
      *is_broken = consensus != 0 && (int) (uint32_t) consensus != id;
      consensus = GIVEN | (uint64_t) t << 32 | (uint32_t) id;
    }
  return consensus;
}

static uint64_t
consensus_of (const struct upcr_tree *tree, int phase, bool *is_broken)
{
  if (upcr_tree_is_pairwise (tree))
    return pairwise_consensus (tree, phase, is_broken);
  *is_broken = atomic_load_explicit (&ids.broken[phase], memory_order_relaxed);
  return atomic_load_explicit (&ids.consensus[phase], memory_order_relaxed);
}

/* The rules of UPC 1.3, 6.6.1: the ids given to upc_notify are equal, the one
   given to upc_wait is equal to them; without one given to upc_notify, no error. */
void
upcr_check_barrier_ids_in_full (const struct upcr_tree *tree, int phase, int id, const char *what)
{
  bool is_broken;
  uint64_t consensus = consensus_of (tree, phase, &is_broken);

  if (consensus == 0)
    return;
  if (is_broken)
    report_broken (tree, phase, what);
  else if (id != UPCR_NO_ID && id != (int) (uint32_t) consensus)
    report_other_id (phase, id, consensus);
}
