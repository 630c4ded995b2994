/* Nodes, as what all threads do sees them: which threads they have. */

#ifndef UPCR_SYNC_NODES_H
#define UPCR_SYNC_NODES_H

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/network/near.h"

static inline int
upcr_own_node (void)
{
  return upcr_are_all_near () ? 0 : upcr_net_node_of (upcr_net_place ().rank);
}

static inline int
upcr_node_of_thread (int thread)
{
  return upcr_are_all_near () ? 0 : upcr_net_node_of (upcr_process_of (thread));
}

static inline bool
upcr_is_first_of_node (void)
{
  return MYTHREAD == upcr_near_first;
}

/* The binomial tree of NODES nodes, by their ranks: a node's parent is before it by the lowest bit of its rank, its children
   are behind it by all lower bits. Of rank 0 all bits count. */
static inline int
upcr_bit_to_parent (int rank, int nodes)
{
  int bit = 1;

  while (bit < nodes && !(rank & bit))
    bit <<= 1;
  return bit;
}

/* The first thread of NODE; of the one behind the last: THREADS. */
static inline int
upcr_first_thread_of (int node)
{
  if (node == upcr_net_node_count ())
    return THREADS;
  return upcr_net_range (THREADS, upcr_net_place ().size, upcr_net_first_of_node (node)).first;
}

#endif
