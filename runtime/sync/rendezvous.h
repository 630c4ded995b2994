/* Inside the room: the meeting of all threads that barriers are made of.

   Each thread says in a cache line of its own that it has arrived: the number of the
   phase that follows. Two threads just look at each other's line. More are leaves of a
   tree: who sees that all children of a node have arrived marks it in the node's line,
   and whoever is first to do so goes on there. Who marks the root is the last, and opens
   the next phase: it stores its number in one line for each group of UPCR_GROUP. Those
   that sleep all do on the first group's, which is stored last: one call wakes them.

   No thread passes anything on for others when it has arrived, so that it may do what it
   likes before it waits (UPC 1.3, 6.6.1: split phase).

   Phases are only ever compared for equality with one that is at most two old, so that
   they may wrap.

   field           written by                              read by         order
   threads, bits   upcr_rendezvous_init                    all             before the threads
   leaf arrived    its thread                              its group       seq_cst
   leaf id         its thread, before it arrives           all, of two     by arrived
   node arrived    the first to see its children complete  its siblings    seq_cst RMW
   epoch           the last thread                         its group;      release, acquire
                                                           first: sleepers */

#ifndef UPCR_RENDEZVOUS_H
#define UPCR_RENDEZVOUS_H

#include "runtime/host/host.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/park.h"
#include "runtime/sync/poll.h"
#include "runtime/sync/sync.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Threads of a group for the opening, which wait for the same line. */
enum
{
  UPCR_GROUP = 8,
  UPCR_GROUPS = UPCR_MAX_THREADS / UPCR_GROUP,
  /* 1024 leaves, 256, 64, 16 and 4 nodes, the root. */
  UPCR_NODES = UPCR_MAX_THREADS + 256 + 64 + 16 + 4 + 1
};

struct upcr_rendezvous
{
  uint32_t threads;
  uint32_t fan_in_bits;
  /* The leaves first, then level by level. */
  struct upcr_node
  {
    _Alignas (64) _Atomic uint32_t arrived;
    int id[2];    /* of a leaf, by the parity of the phase: the barrier's */
  } nodes[UPCR_NODES];
  struct
  {
    _Alignas (64) _Atomic uint32_t epoch;
  } groups[UPCR_GROUPS];
};

/* The number of nodes one level up. */
static inline uint32_t
upcr_rendezvous_width (const struct upcr_rendezvous *meeting, uint32_t width)
{
  return (width + (1u << meeting->fan_in_bits) - 1) >> meeting->fan_in_bits;
}

/* EPOCH is the first phase: 0 but in tests. */
void upcr_rendezvous_init (struct upcr_rendezvous *meeting, int threads, uint32_t epoch);

/* Does each thread look at each other one's arrival? Then no one is the last. */
static inline bool
upcr_rendezvous_is_flat (const struct upcr_rendezvous *meeting)
{
  return meeting->threads <= 2;
}

/* The phase the calling thread is in: until it arrives, what its line says. */
static inline uint32_t
upcr_rendezvous_epoch (struct upcr_rendezvous *meeting)
{
  return atomic_load_explicit (&meeting->nodes[MYTHREAD].arrived, memory_order_relaxed);
}

/* The rest of an arrival in EPOCH in a tree. */
bool upcr_rendezvous_climb (struct upcr_rendezvous *meeting, uint32_t epoch);

/* Says that the calling thread is there, in phase EPOCH. True to the last one, which
   must open the next phase; it may finish with the old one before.

   Release: what this thread did before is before the opening. seq_cst and a full fence:
   it is also the strict write of upc_notify (B.3.1), which a later read of this thread
   must not overtake; and the waker's half of upcr_park_while. */
static inline bool
upcr_rendezvous_arrive (struct upcr_rendezvous *meeting, uint32_t epoch)
{
  _Atomic uint32_t *mine = &meeting->nodes[MYTHREAD].arrived;

  atomic_exchange_explicit (mine, epoch + 1, memory_order_seq_cst);
  upcr_fence_after_rmw ();
  if (!upcr_rendezvous_is_flat (meeting))
    return upcr_rendezvous_climb (meeting, epoch);
  upcr_unpark_fenced (mine);
  return false;
}

void upcr_rendezvous_open (struct upcr_rendezvous *meeting, uint32_t epoch);

/* What the calling thread waits for. */
static inline _Atomic uint32_t *
upcr_rendezvous_word (struct upcr_rendezvous *meeting)
{
  if (upcr_rendezvous_is_flat (meeting))
    return &meeting->nodes[meeting->threads - 1 - MYTHREAD].arrived;
  return &meeting->groups[MYTHREAD / UPCR_GROUP].epoch;
}

/* Looks where each thread has a CPU, in line: a wait is mostly for as long as a line takes
   from one cache to another. With a pause between them, or they take the line back before
   the other thread has written it. */
enum { UPCR_QUICK_LOOKS = 16 };

static inline bool
upcr_rendezvous_is_over (_Atomic uint32_t *word, uint32_t epoch)
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
void upcr_rendezvous_park (struct upcr_rendezvous *meeting, uint32_t epoch);

/* Waits for the end of phase EPOCH. */
static inline void
upcr_rendezvous_await (struct upcr_rendezvous *meeting, uint32_t epoch)
{
  _Atomic uint32_t *word = upcr_rendezvous_word (meeting);

  if (!upcr_rendezvous_is_over (word, epoch))
    upcr_rendezvous_park (meeting, epoch);
}

#endif
