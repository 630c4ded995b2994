/* The values (ids) of barriers: do all threads pass the same one (UPC 1.3, 6.6.1)?

   Two threads compare them. With more threads, the first to pass an id in a phase makes it the
   consensus of the phase; a thread that passes another one breaks it. There is a consensus for
   even phases and one for odd ones, as it is read in upc_wait, when a quick thread may already
   have notified in the next phase. The last thread to notify in a phase clears the other one:
   all have notified, so all are past the wait of the previous phase, and none is in the next
   phase.

   A program that passes no ids writes none of this, unless calls are checked, and reads one line
   that stays in every cache. */

#ifndef UPCR_SYNC_BARRIER_ID_H
#define UPCR_SYNC_BARRIER_ID_H

#include "runtime/host/host.h"
#include "runtime/sync/primitives/barrier.h"
#include "runtime/sync/primitives/place.h"
#include "runtime/sync/primitives/tree.h"

enum
{
  UPCR_PHASES = 2
};

void upcr_barrier_ids_init (int threads);

/* By the last thread of a phase, for the other one. */
void upcr_clear_barrier_ids (int phase);

/* Where a thread gave its ids; where calls are checked, where it notified. Written by it in upc_notify, read
   by who reports. */
struct upcr_barrier_giver
{
  _Alignas(64) struct upcr_location location[UPCR_PHASES];
  const void *caller[UPCR_PHASES]; /* where the location is not known */
};
extern struct upcr_barrier_giver upcr_barrier_givers[UPCR_MAX_THREADS];

/* Where THREAD did so in PHASE. */
const char *upcr_barrier_place (char text[UPCR_PLACE_BYTES], int thread, int phase);

/* ID joins the consensus of PHASE, or breaks it. */
void upcr_join_consensus (int phase, int id);

/* Before the calling thread arrives at TREE. Most programs give the same id always: not
   written again, the other threads keep their copies of the line until the thread arrives. */
static inline void
upcr_set_barrier_id (struct upcr_tree *tree, int phase, int id)
{
  struct upcr_tree_node *node = &tree->nodes[MYTHREAD];

  if (node->id[phase] != id)
    node->id[phase] = id;
  if (id == UPCR_NO_ID && __builtin_expect (!upcr_options.check, 1))
    return;
  upcr_barrier_givers[MYTHREAD].location[phase] = upcr_here;
  upcr_barrier_givers[MYTHREAD].caller[phase] = upcr_caller;
  if (id != UPCR_NO_ID && !upcr_tree_is_pairwise (tree))
    upcr_join_consensus (phase, id);
}

void upcr_check_barrier_ids_in_full (const struct upcr_tree *tree, int phase, int id,
                                     const char *what);

/* Ends the run, or warns as UPC_BARRIER_MISMATCH_WARNS asks for, where the ids of a phase that is over differ
   from each other, or from ID, which the calling thread gives to WHAT. Two threads that gave the same, or none, are checked here. */
static inline void
upcr_check_barrier_ids (const struct upcr_tree *tree, int phase, int id, const char *what)
{
  if (!upcr_tree_is_pairwise (tree) || tree->nodes[MYTHREAD].id[phase] != id
      || tree->nodes[THREADS - 1 - MYTHREAD].id[phase] != id)
    upcr_check_barrier_ids_in_full (tree, phase, id, what);
}

#endif
