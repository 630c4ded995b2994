/* Long blocks between nodes. The blocks from one node to another go in one order, which both know: by the thread that
   gives them, then by the one that gets them. In step d each node sends to the one d behind it and receives from the one d
   before it, so that no node has more to do than the others. What all threads of a node get goes there once. */

#include "runtime/coll/network/long.h"

#include "runtime/coll/network/nodes.h"
#include "runtime/coll/network/tile.h"

#include <string.h>

enum
{
  MOST_STEPS = 8 /* that are under way at once */
};

struct threads
{
  int first, end;
};

static struct threads
threads_of (int node)
{
  return (struct threads){ upcr_first_thread_of (node), upcr_first_thread_of (node + 1) };
}

bool
upcr_is_long (const struct upcr_coll *call)
{
  return (call->kind == UPCR_GATHER_ALL || call->kind == UPCR_EXCHANGE) && !upcr_are_all_near ()
         && upcr_net_is_long (call->bytes);
}

/* Where thread TO gets the block of thread FROM. */
static char *
place_of (const struct upcr_coll *call, int from, int to)
{
  return upcr_at_thread (call->dst, to) + from * call->bytes;
}

/* Where thread FROM has the block for thread TO. */
static const char *
block_of (const struct upcr_coll *call, int from, int to)
{
  return upcr_at_thread (call->src, from) + (call->kind == UPCR_EXCHANGE ? to * call->bytes : 0);
}

/* The threads that blocks for NODE are sent to. */
static struct threads
receivers_of (const struct upcr_coll *call, int node)
{
  struct threads its = threads_of (node);

  return call->kind == UPCR_EXCHANGE ? its : (struct threads){ its.first, its.first + 1 };
}

static void
send (const struct upcr_coll *call, int own, int node, upcr_net_open *open)
{
  struct threads mine = threads_of (own), its = receivers_of (call, node);

  for (int from = mine.first; from < mine.end; from++)
    for (int to = its.first; to < its.end; to++)
      upcr_net_send (upcr_net_first_of_node (node), block_of (call, from, to), call->bytes, open);
}

static void
receive (const struct upcr_coll *call, int own, int node, upcr_net_open *open)
{
  struct threads mine = receivers_of (call, own), its = threads_of (node);

  for (int from = its.first; from < its.end; from++)
    for (int to = mine.first; to < mine.end; to++)
      upcr_net_receive (upcr_net_first_of_node (node), place_of (call, from, to), call->bytes,
                        open);
}

static void
copy_near (const struct upcr_coll *call)
{
  for (int i = 0; i < upcr_near_threads; i++)
    {
      int from = upcr_near_first + (MYTHREAD - upcr_near_first + i) % upcr_near_threads;

      memcpy (place_of (call, from, MYTHREAD), block_of (call, from, MYTHREAD), call->bytes);
    }
}

/* What the first thread of the node has received. */
static void
copy_received (const struct upcr_coll *call)
{
  size_t before = upcr_near_first * call->bytes, behind = before + upcr_near_threads * call->bytes;
  const char *from = upcr_at_thread (call->dst, upcr_near_first);

  memcpy (call->dst, from, before);
  memcpy ((char *) call->dst + behind, from + behind, THREADS * call->bytes - behind);
}

static void
move_far (const struct upcr_coll *call, upcr_net_open *open)
{
  int own = upcr_own_node (), nodes = upcr_net_node_count ();

  for (int step = 1; step < nodes; step++)
    {
      receive (call, own, (own - step + nodes) % nodes, open);
      send (call, own, (own + step) % nodes, open);
      if (step % MOST_STEPS == 0)
        upcr_net_await (open);
    }
}

void
upcr_move_long (const struct upcr_coll *call)
{
  upcr_net_open open = 0;

  if (upcr_is_first_of_node ())
    move_far (call, &open);
  copy_near (call);
  upcr_net_await (&open);
  if (call->kind == UPCR_EXCHANGE || upcr_net_node_count () == THREADS)
    return;
  upcr_collective_barrier (call->what);
  if (!upcr_is_first_of_node ())
    copy_received (call);
}
