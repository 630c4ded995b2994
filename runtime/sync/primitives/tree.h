/* The tree barrier that the barriers of UPC are made of.

   Each thread says in a cache line of its own that it has arrived: the number of the
   phase that follows. Two threads just look at each other's line. More are the leaves of a
   combining tree: who sees that all children of a node have arrived marks it in the node's
   line, and whoever is first to do so goes on there. Who marks the root is the last, and
   releases the others: it stores the number of the next phase in one line for each group of
   UPCR_GROUP. Those that sleep all do on the first group's, which is stored last: one call
   wakes them.

   No thread passes anything on for others when it has arrived, so that it may do what it
   likes before it waits (UPC 1.3, 6.6.1: split phase).

   The state of a line is the number of a phase, its epoch:

     nodes[i].arrived   E       not yet arrived in phase E
                        E + 1   arrived, or all leaves below have
     groups[g].epoch    E       phase E goes on
                        E + 1   it is over

   They are only ever compared for equality with one that is at most two old, so that they
   may wrap.

   field           written by                              read by         order
   threads, bits   upcr_tree_init                          all             before the threads
   leaf arrived    its thread                              its group       release and a
                                                                           fence, seq_cst
   leaf id         its thread, before it arrives           all, of two     by arrived
   node arrived    the first to see its children complete  its siblings    seq_cst RMW
   epoch           the last thread                         its group;      release, acquire
                                                           first: sleepers */

#ifndef UPCR_SYNC_TREE_H
#define UPCR_SYNC_TREE_H

#include "runtime/arch/arch.h"
#include "runtime/host/host.h"
#include "runtime/sync/mechanism/fence.h"
#include "runtime/sync/policy/park.h"
#include "runtime/sync/policy/wait_policy.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Threads of a group, which wait for the same line. */
enum
{
  UPCR_GROUP = 8,
  UPCR_GROUPS = UPCR_MAX_THREADS / UPCR_GROUP,
  /* 1024 leaves, 256, 64, 16 and 4 nodes, the root. */
  UPCR_NODES = UPCR_MAX_THREADS + 256 + 64 + 16 + 4 + 1
};

struct upcr_tree
{
  uint32_t threads;
  uint32_t fan_in_bits;
  /* The leaves first, then level by level. */
  struct upcr_tree_node
  {
    _Alignas(64) _Atomic uint32_t arrived;
    int id[2]; /* of a leaf, by the parity of the phase: see barrier_id.h */
  } nodes[UPCR_NODES];
  struct
  {
    _Alignas(64) _Atomic uint32_t epoch;
  } groups[UPCR_GROUPS];
};

/* The number of nodes one level up. */
static inline uint32_t
upcr_tree_width (const struct upcr_tree *tree, uint32_t width)
{
  return (width + (1u << tree->fan_in_bits) - 1) >> tree->fan_in_bits;
}

/* EPOCH is the first phase: 0 but in tests. */
void upcr_tree_init (struct upcr_tree *tree, int threads, uint32_t epoch);

/* Do two threads look at each other's arrival? Then no one is the last. Not under ThreadSanitizer: who is
   late sees the other's next arrival already, which orders what is a race in all other runs. */
static inline bool
upcr_tree_is_pairwise (const struct upcr_tree *tree)
{
#ifdef UPCR_TSAN
  return tree->threads < 2;
#else
  return tree->threads <= 2;
#endif
}

/* The phase the calling thread is in: until it arrives, what its line says. */
static inline uint32_t
upcr_tree_epoch (struct upcr_tree *tree)
{
  return atomic_load_explicit (&tree->nodes[MYTHREAD].arrived, memory_order_relaxed);
}

/* The rest of an arrival in EPOCH in a tree. */
bool upcr_tree_combine (struct upcr_tree *tree, uint32_t epoch);

/* The calling thread arrives, in phase EPOCH. True to the last one, which must release the
   others; it may finish with the old phase before.

   Release: what this thread did before is before the release. A full fence: the exchange
   is also the strict write of upc_notify (B.3.1), which a later read of this thread
   must not overtake; the mark that siblings look for; and the waker's half of parking (park.c). */
static inline bool
upcr_tree_arrive (struct upcr_tree *tree, uint32_t epoch)
{
  _Atomic uint32_t *mine = &tree->nodes[MYTHREAD].arrived;

  atomic_exchange_explicit (mine, epoch + 1, memory_order_release);
  upcr_fence_after_rmw ();
  if (!upcr_tree_is_pairwise (tree))
    return upcr_tree_combine (tree, epoch);
  upcr_unpark_fenced (mine);
  return false;
}

/* Ends phase EPOCH, by the last thread. */
void upcr_tree_release (struct upcr_tree *tree, uint32_t epoch);

/* What the calling thread waits for. */
static inline _Atomic uint32_t *
upcr_tree_word (struct upcr_tree *tree)
{
  if (upcr_tree_is_pairwise (tree))
    return &tree->nodes[tree->threads - 1 - MYTHREAD].arrived;
  return &tree->groups[MYTHREAD / UPCR_GROUP].epoch;
}

/* Looks where each thread has a CPU, in line: a wait is mostly for as long as a line takes
   from one cache to another. With a pause between them, or they take the line back before
   the other thread has written it. */
enum
{
  UPCR_QUICK_LOOKS = 16
};

static inline bool
upcr_tree_is_over (_Atomic uint32_t *word, uint32_t epoch)
{
  for (int looks = 0;; looks++)
    {
      if (atomic_load_explicit (word, memory_order_acquire) != epoch)
        return true;
      if (looks == UPCR_QUICK_LOOKS || upcr_is_oversubscribed ())
        return false;
      upcr_pause ();
    }
}

/* The rest of a wait that is not over soon. */
void upcr_tree_park (struct upcr_tree *tree, uint32_t epoch);

/* Waits for the end of phase EPOCH. */
static inline void
upcr_tree_await (struct upcr_tree *tree, uint32_t epoch)
{
  _Atomic uint32_t *word = upcr_tree_word (tree);

  if (!upcr_tree_is_over (word, epoch))
    upcr_tree_park (tree, epoch);
}

#endif
