/* Blocks between nodes. Those from one node to another go in one order, which both know: by the thread that gives
   them, then by the one that gets them. Short ones share a message, long ones go from memory to memory. In step d
   each node sends to the one d behind it and receives from the one d before it, so that no node has more to do than
   the others. What all threads of a node get goes there once. Short blocks that all get go in rounds, in which nodes
   pass on what they have got. */

#include "runtime/coll/network/blocks.h"

#include "runtime/coll/network/tile.h"
#include "runtime/sync/sync.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MESSAGE_BYTES = 64 << 10, /* of several blocks */
  MOST_BYTES = 1 << 20,     /* of such messages that are under way at once, or one step's */
  MOST_AHEAD = 32           /* calls by which a thread that only gives is ahead of others */
};

struct threads
{
  int first, end;
};

/* The blocks that go from one node to another: one for each two threads. */
struct part
{
  struct threads from, to;
};

/* Several blocks of a part, number FIRST and the following, on their way. */
struct parcel
{
  struct parcel *next;
  struct part part;
  int first, count;
  bool is_for_us;
  char text[];
};

/* What has been begun. */
struct transfers
{
  upcr_net_open open;
  struct parcel *parcels;
  size_t bytes; /* of these */
};

bool
upcr_is_by_nodes (const struct upcr_coll *call)
{
  switch (call->kind)
    {
    case UPCR_BROADCAST:
    case UPCR_SCATTER:
    case UPCR_GATHER:
    case UPCR_GATHER_ALL:
    case UPCR_EXCHANGE:
      return true;
    default:
      return false;
    }
}

static int
node_count (void)
{
  return upcr_are_all_near () ? 1 : upcr_net_node_count ();
}

void
upcr_meet_in_node (const struct upcr_coll *call)
{
  if (node_count () == 1)
    upcr_collective_barrier (call->what);
  else if (node_count () < THREADS)
    upcr_letters_meet (call->what);
}

/* Where thread FROM has the block for thread TO. */
static const char *
block_of (const struct upcr_coll *call, int from, int to)
{
  bool is_one_of_several = call->kind == UPCR_EXCHANGE || call->kind == UPCR_SCATTER;

  return upcr_at_thread (call->src, from) + (is_one_of_several ? to * call->bytes : 0);
}

/* Where thread TO gets the block of thread FROM. */
static char *
place_of (const struct upcr_coll *call, int from, int to)
{
  bool is_one_of_several = call->kind != UPCR_BROADCAST && call->kind != UPCR_SCATTER;

  return upcr_at_thread (call->dst, to) + (is_one_of_several ? from * call->bytes : 0);
}

static struct threads
threads_of (int node)
{
  return (struct threads){ upcr_first_thread_of (node), upcr_first_thread_of (node + 1) };
}

static struct threads
root_in (const struct upcr_coll *call, struct threads threads)
{
  int root = (int) call->root;

  return (struct threads){ root, root + (root >= threads.first && root < threads.end) };
}

static struct part
part_between (const struct upcr_coll *call, int giver, int getter)
{
  struct part part = { threads_of (giver), threads_of (getter) };

  switch (call->kind)
    {
    case UPCR_SCATTER:
    case UPCR_BROADCAST:
      part.from = root_in (call, part.from);
      break;
    case UPCR_GATHER:
      part.to = root_in (call, part.to);
      break;
    default:
      break;
    }
  if (call->kind == UPCR_GATHER_ALL || call->kind == UPCR_BROADCAST)
    part.to.end = part.to.first + 1;
  return part;
}

static int
count_of (struct part part)
{
  return (part.from.end - part.from.first) * (part.to.end - part.to.first);
}

/* The threads of block number I. */
static void
find_block (struct part part, int i, int *from, int *to)
{
  int width = part.to.end - part.to.first;

  *from = part.from.first + i / width;
  *to = part.to.first + i % width;
}

static struct parcel *
new_parcel (const struct upcr_coll *call, struct part part, int first, int count,
            struct transfers *transfers)
{
  size_t bytes = count * call->bytes;
  struct parcel *p = malloc (sizeof *p + bytes);

  if (!p)
    upcr_fatal ("%s: no memory for %zu bytes between nodes", call->what, bytes);
  p->next = transfers->parcels;
  p->part = part;
  p->first = first;
  p->count = count;
  transfers->parcels = p;
  transfers->bytes += bytes;
  return p;
}

/* From where they lie if this node gives them, to where they belong if it gets them. */
static void
copy_blocks (const struct upcr_coll *call, struct parcel *p)
{
  int from, to;

  for (int i = 0; i < p->count; i++)
    {
      char *text = p->text + i * call->bytes;

      find_block (p->part, p->first + i, &from, &to);
      if (p->is_for_us)
        memcpy (place_of (call, from, to), text, call->bytes);
      else
        memcpy (text, block_of (call, from, to), call->bytes);
    }
}

/* The blocks of PART, from its number FIRST on, that share a message. */
static int
blocks_of_message (const struct upcr_coll *call, struct part part, int first)
{
  size_t most = MESSAGE_BYTES / call->bytes;
  int left = count_of (part) - first;

  if (most < 1)
    return 1;
  return most < (size_t) left ? (int) most : left;
}

/* Where COUNT blocks are that go in one message: one alone where it lies, or belongs. */
static char *
text_of_message (const struct upcr_coll *call, struct part part, int first, int count,
                 bool is_for_us, struct transfers *transfers)
{
  struct parcel *p;
  int from, to;

  if (count == 1)
    {
      find_block (part, first, &from, &to);
      return is_for_us ? place_of (call, from, to) : (char *) block_of (call, from, to);
    }
  p = new_parcel (call, part, first, count, transfers);
  p->is_for_us = is_for_us;
  if (!is_for_us)
    copy_blocks (call, p);
  return p->text;
}

static void
send_part (const struct upcr_coll *call, struct part part, int node, struct transfers *transfers)
{
  for (int i = 0, some; i < count_of (part); i += some)
    {
      some = blocks_of_message (call, part, i);
      upcr_net_send (upcr_net_first_of_node (node),
                     text_of_message (call, part, i, some, false, transfers), some * call->bytes,
                     &transfers->open);
    }
}

static void
receive_part (const struct upcr_coll *call, struct part part, int node, struct transfers *transfers)
{
  for (int i = 0, some; i < count_of (part); i += some)
    {
      some = blocks_of_message (call, part, i);
      upcr_net_receive (upcr_net_first_of_node (node),
                        text_of_message (call, part, i, some, true, transfers), some * call->bytes,
                        &transfers->open);
    }
}

static void
finish (const struct upcr_coll *call, struct transfers *transfers)
{
  uint32_t open;

  while ((open = atomic_load_explicit (&transfers->open, memory_order_acquire)) != 0)
    upcr_await_change (&transfers->open, open);
  for (struct parcel *p; (p = transfers->parcels);)
    {
      if (p->is_for_us)
        copy_blocks (call, p);
      transfers->parcels = p->next;
      free (p);
    }
  transfers->bytes = 0;
}

/* All that this node gives to others, and gets. */
static void
move_parts (const struct upcr_coll *call, struct transfers *transfers)
{
  int own = upcr_own_node (), nodes = node_count ();

  for (int step = 1; step < nodes; step++)
    {
      int before = (own - step + nodes) % nodes, behind = (own + step) % nodes;

      receive_part (call, part_between (call, before, own), before, transfers);
      send_part (call, part_between (call, own, behind), behind, transfers);
      if (transfers->bytes >= MOST_BYTES)
        finish (call, transfers);
    }
}

/* In which each node would send a message of a few bytes to each. */
static bool
is_in_rounds (const struct upcr_coll *call)
{
  return call->kind == UPCR_GATHER_ALL && THREADS * call->bytes <= MESSAGE_BYTES;
}

/* The blocks of COUNT nodes from FIRST on, which go round: to NODE, or from it, to where they belong. */
static void
move_nodes (const struct upcr_coll *call, int first, int count, int node, bool is_for_us,
            struct transfers *transfers)
{
  int nodes = node_count (), process = upcr_net_first_of_node (node);

  for (int some; count > 0; count -= some, first = 0)
    {
      int thread = upcr_first_thread_of (first);
      char *text = (char *) call->dst + thread * call->bytes;
      size_t bytes;

      some = nodes - first < count ? nodes - first : count;
      bytes = (upcr_first_thread_of (first + some) - thread) * call->bytes;
      if (is_for_us)
        upcr_net_receive (process, text, bytes, &transfers->open);
      else
        upcr_net_send (process, text, bytes, &transfers->open);
    }
}

/* The node's own blocks are there. What it has doubles in each round. */
static void
gather_in_rounds (const struct upcr_coll *call, struct transfers *transfers)
{
  int nodes = node_count (), own = upcr_own_node ();

  for (int apart = 1; apart < nodes; apart *= 2)
    {
      int count = nodes - apart < apart ? nodes - apart : apart, behind = (own + apart) % nodes;

      move_nodes (call, behind, count, behind, true, transfers);
      move_nodes (call, own, count, (own - apart + nodes) % nodes, false, transfers);
      finish (call, transfers);
    }
}

/* From the root's node to all others by a tree, as letters go; in each the first thread gets it. */
static void
carry_down (const struct upcr_coll *call, struct transfers *transfers)
{
  int nodes = node_count (), root = upcr_node_of_thread ((int) call->root);
  int rank = (upcr_own_node () - root + nodes) % nodes, bit = upcr_bit_to_parent (rank, nodes);
  const char *text = rank == 0 ? block_of (call, (int) call->root, 0) : call->dst;

  if (rank != 0)
    {
      upcr_net_receive (upcr_net_first_of_node ((rank - bit + root) % nodes), call->dst,
                        call->bytes, &transfers->open);
      finish (call, transfers);
    }
  while ((bit >>= 1) > 0)
    if (rank + bit < nodes)
      upcr_net_send (upcr_net_first_of_node ((rank + bit + root) % nodes), text, call->bytes,
                     &transfers->open);
}

static void
copy_block (const struct upcr_coll *call, int from, int to)
{
  memcpy (place_of (call, from, to), block_of (call, from, to), call->bytes);
}

/* What threads of the node have for the calling one; or, if that is all for one thread, what this one has. */
static void
copy_near (const struct upcr_coll *call)
{
  struct part part = part_between (call, upcr_own_node (), upcr_own_node ());
  int count = part.from.end - part.from.first;

  if (call->kind == UPCR_GATHER && part.to.end > part.to.first)
    copy_block (call, MYTHREAD, part.to.first);
  if (call->kind == UPCR_GATHER)
    return;
  /* Not all from one thread at once. */
  for (int i = 0; i < count; i++)
    copy_block (call, part.from.first + (MYTHREAD + i) % count, MYTHREAD);
}

/* What the node's first thread has got for all of them. */
static void
copy_received (const struct upcr_coll *call)
{
  const char *first = upcr_at_thread (call->dst, upcr_near_first);
  size_t before = upcr_near_first * call->bytes, behind = before + upcr_near_threads * call->bytes;

  if (call->kind == UPCR_GATHER_ALL)
    {
      memcpy (call->dst, first, before);
      memcpy ((char *) call->dst + behind, first + behind, THREADS * call->bytes - behind);
    }
  else if (upcr_node_of_thread ((int) call->root) != upcr_own_node ())
    memcpy (call->dst, first, call->bytes);
}

/* MPI keeps what came too early for its receiver, in memory that has no end. */
static void
limit_lead (const struct upcr_coll *call)
{
  static struct
  {
    _Alignas(64) unsigned calls;
  } own[UPCR_MAX_THREADS];
  bool is_both_ways = call->kind == UPCR_GATHER_ALL || call->kind == UPCR_EXCHANGE;

  if (!is_both_ways && ++own[MYTHREAD].calls % MOST_AHEAD == 0)
    upcr_collective_barrier (call->what);
}

void
upcr_move_by_nodes (const struct upcr_coll *call)
{
  struct transfers transfers = { 0 };
  bool is_first = upcr_is_first_of_node ();

  if (call->bytes == 0)
    return;
  limit_lead (call);
  upcr_set_wait_reason (call->what, NULL);
  if (is_first && call->kind == UPCR_BROADCAST)
    carry_down (call, &transfers);
  else if (is_first && !is_in_rounds (call))
    move_parts (call, &transfers);
  copy_near (call);
  if (is_first && is_in_rounds (call))
    gather_in_rounds (call, &transfers);
  finish (call, &transfers);
  if (node_count () == 1 || (call->kind != UPCR_GATHER_ALL && call->kind != UPCR_BROADCAST))
    return;
  upcr_meet_in_node (call);
  if (!is_first)
    copy_received (call);
}
