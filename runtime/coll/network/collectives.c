/* UPC's collective functions if other processes have threads. Short data goes in letters (letters.c), other
   blocks from node to node (blocks.c). For permutations each thread stores its block, wherever that is.
   Computations fold the elements on each thread if the order of operands does not matter; otherwise one
   thread does everything, in tiles.

   Every function waits for all threads at its beginning and at its end, unless the flags say NOSYNC.
   MYSYNC means ALLSYNC where threads touch each other's data. With letters each thread touches only its own,
   and between nodes only its own node's. */

#include "runtime/coll/coll.h"

#include "runtime/coll/network/blocks.h"
#include "runtime/coll/network/check.h"
#include "runtime/coll/network/letters.h"
#include "runtime/coll/network/tile.h"
#include "runtime/coll/operator.h"
#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#include <string.h>

/* What a thread leaves in its mailbox for a reduction, behind what barriers have there. */
static struct upcr_partial *
partial_of (int thread)
{
  return (struct upcr_partial *) (upcr_mailbox (thread) + UPCR_MAILBOX_BYTES / 2);
}

static void
meet (const struct upcr_coll *call, unsigned nosync, unsigned mysync)
{
  if (call->flags & nosync)
    return;
  if (!(call->flags & mysync))
    upcr_collective_barrier (call->what);
  else if (upcr_is_by_letters (call))
    return;
  else if (upcr_is_by_nodes (call))
    upcr_meet_in_node (call);
  else
    upcr_collective_barrier (call->what);
}

static void
enter (const struct upcr_coll *call)
{
  if (upcr_options.check)
    upcr_compare_call (call);
  if (upcr_is_checked)
    upcr_check_memory (call);
  meet (call, GASNET_COLL_IN_NOSYNC, GASNET_COLL_IN_MYSYNC);
}

static void
leave (const struct upcr_coll *call)
{
  meet (call, GASNET_COLL_OUT_NOSYNC, GASNET_COLL_OUT_MYSYNC);
  upcr_flush ();
}

static void
permute (const struct upcr_coll *call)
{
  int to = *call->permutation;

  if (to < 0 || to >= THREADS)
    upcr_fatal ("%s: perm[%d] is %d", call->what, MYTHREAD, to);
  upcr_store (upcr_at_thread (call->dst, to), call->src, call->bytes);
}

void
upcr_coll_move (struct upcr_coll *call)
{
  enter (call);
  if (upcr_is_by_letters (call))
    upcr_move_by_letters (call);
  else if (upcr_is_by_nodes (call))
    upcr_move_by_nodes (call);
  else
    permute (call);
  leave (call);
}

/* The partial results of all, when they are there. */
static void
fold_partials (const struct upcr_coll *call, struct upcr_partial *result)
{
  for (int t = 0; t < THREADS; t++)
    {
      struct upcr_partial its;

      upcr_load (&its, partial_of (t), sizeof its);
      if (its.is_there)
        upcr_fold_on (call->op, result->value, &result->is_there, its.value, 1);
    }
}

/* All elements in their order. */
static void
fold_in_order (const struct upcr_coll *call, struct upcr_partial *result)
{
  _Alignas(16) char tile[UPCR_TILE_OF_ALL];
  size_t most = sizeof tile / call->op->bytes;

  for (size_t i = 0, some; i < call->count; i += some)
    {
      some = call->count - i < most ? call->count - i : most;
      upcr_gather_tile (call->source, call->src, call->op->bytes, i, some, tile);
      upcr_fold_on (call->op, result->value, &result->is_there, tile, some);
    }
}

static void
reduce (const struct upcr_coll *call)
{
  bool is_to_all = call->kind == UPCR_REDUCE_ALL;
  struct upcr_partial result = { 0 };

  *partial_of (MYTHREAD) = result;
  if (call->op->is_commutative)
    upcr_fold_own (call, partial_of (MYTHREAD));
  upcr_collective_barrier (call->what);
  if (is_to_all || call->root == (uint32_t) MYTHREAD)
    {
      if (call->op->is_commutative)
        fold_partials (call, &result);
      else
        fold_in_order (call, &result);
      if (result.is_there)
        memcpy (call->dst, result.value, call->op->bytes);
    }
  /* The mailboxes are read. */
  upcr_collective_barrier (call->what);
}

/* By thread 0. */
static void
scan (const struct upcr_coll *call)
{
  _Alignas(16) char tile[UPCR_TILE_OF_ALL], carry[16];
  size_t bytes = call->op->bytes, most = sizeof tile / bytes;

  for (size_t i = 0, some; i < call->count; i += some)
    {
      some = call->count - i < most ? call->count - i : most;
      upcr_gather_tile (call->source, call->src, bytes, i, some, tile);
      call->op->scan (call->op, tile, tile, some, i ? carry : NULL);
      memcpy (carry, tile + (some - 1) * bytes, bytes);
      upcr_scatter_tile (call->destination, call->dst, bytes, i, some, tile);
    }
}

void
upcr_coll_compute (struct upcr_coll *call)
{
  enter (call);
  if (upcr_is_by_letters (call))
    upcr_reduce_by_letters (call);
  else if (call->kind != UPCR_SCAN)
    reduce (call);
  else if (MYTHREAD == 0)
    scan (call);
  leave (call);
}

void
upcr_coll_run (struct upcr_coll *call)
{
  upcr_coll_compute (call);
}
