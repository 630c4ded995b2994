/* The meeting of all threads: the tree. */

#include "runtime/sync/rendezvous.h"

#include "runtime/sync/debug.h"

void
upcr_rendezvous_init (struct upcr_rendezvous *meeting, int threads, uint32_t epoch)
{
  int nodes = 0;

  meeting->threads = threads;
  for (int width = threads; width > 1; width = (width + UPCR_FAN_IN - 1) / UPCR_FAN_IN)
    nodes += width;
  for (int i = 0; i <= nodes; i++)
    atomic_init (&meeting->nodes[i].arrived, epoch);
  for (int i = 0; i * UPCR_FAN_IN < threads; i++)
    atomic_init (&meeting->groups[i].epoch, epoch);
}

/* Have all of the group of node I, one of WIDTH, arrived in EPOCH? Looks at the next one
   first: threads often run in turn, and then the first look says no.

   seq_cst: of the marks of a group one is the last in the order of all seq_cst
   operations; who set it sees the others here. */
static bool
is_complete (struct upcr_node *level, uint32_t width, uint32_t i, uint32_t epoch)
{
  uint32_t first = i - i % UPCR_FAN_IN;
  uint32_t size = width - first < UPCR_FAN_IN ? width - first : UPCR_FAN_IN;

  for (uint32_t next = 1; next < size; next++)
    if (atomic_load_explicit (&level[first + (i - first + next) % size].arrived,
                              memory_order_seq_cst) == epoch)
      return false;
  return true;
}

/* Several threads may see a group complete; the first to mark the parent goes on. A slow
   one finds it marked: no phase ends before that thread itself is in the next one, so
   the mark is of this phase or, where the phase has ended already, of the next. */
bool
upcr_rendezvous_climb (struct upcr_rendezvous *meeting, uint32_t epoch)
{
  struct upcr_node *level = meeting->nodes;
  uint32_t i = MYTHREAD;

  for (uint32_t width = meeting->threads; width > 1; width = (width + UPCR_FAN_IN - 1) / UPCR_FAN_IN)
    {
      uint32_t unmarked = epoch;

      UPCR_WINDOW ();
      if (!is_complete (level, width, i, epoch))
        return false;
      level += width;
      i /= UPCR_FAN_IN;
      if (!atomic_compare_exchange_strong_explicit (&level[i].arrived, &unmarked, epoch + 1,
                                                    memory_order_seq_cst, memory_order_relaxed))
        return false;
    }
  return true;
}

/* Release: all arrivals are before it, by the marks that the last thread has seen. One
   fence for all groups: it pairs with upcr_park_while. */
void
upcr_rendezvous_open (struct upcr_rendezvous *meeting, uint32_t epoch)
{
  uint32_t groups = (meeting->threads + UPCR_FAN_IN - 1) / UPCR_FAN_IN;

  for (uint32_t g = 0; g < groups; g++)
    {
      UPCR_WINDOW ();
      atomic_store_explicit (&meeting->groups[g].epoch, epoch + 1, memory_order_release);
    }
  upcr_hardware_fence ();
  for (uint32_t g = 0; g < groups; g++)
    upcr_unpark_fenced (&meeting->groups[g].epoch);
}
