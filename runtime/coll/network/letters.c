/* Short collective functions by letters. If there are several nodes, a function has two exchanges of
   letters. In the first, the first thread of a node learns what the others have; in the second, it tells
   them the result. */

#include "runtime/coll/network/letters.h"

#include "runtime/coll/network/tile.h"
#include "runtime/coll/operator.h"
#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#include <string.h>

bool
upcr_is_by_letters (const struct upcr_coll *call)
{
  switch (call->kind)
    {
    case UPCR_BROADCAST:
      return call->bytes <= UPCR_LETTER_BYTES;
    case UPCR_GATHER_ALL:
      return (upcr_are_all_near () ? call->bytes : call->bytes * THREADS) <= UPCR_LETTER_BYTES;
    case UPCR_GATHER:
      return upcr_are_all_near () && call->bytes <= UPCR_LETTER_BYTES;
    case UPCR_SCATTER:
    case UPCR_EXCHANGE:
      return upcr_are_all_near () && call->bytes * THREADS <= UPCR_LETTER_BYTES;
    case UPCR_REDUCE:
    case UPCR_REDUCE_ALL:
      return call->op->is_commutative;
    default:
      return false;
    }
}

/* Copies the BYTES of each thread of COUNT nodes from FIRST on, which go round, between TEXT, that has them one behind
   the other, and ALL, that has those of all threads. Returns how many bytes they are. */
static size_t
copy_of_nodes (int first, int count, char *all, char *text, size_t bytes, bool is_to_text)
{
  size_t done = 0;

  for (int i = 0; i < count; i++)
    {
      int node = (first + i) % upcr_net_node_count (), thread = upcr_first_thread_of (node);
      size_t some = (upcr_first_thread_of (node + 1) - thread) * bytes;

      memcpy (is_to_text ? text + done : all + thread * bytes,
              is_to_text ? all + thread * bytes : text + done, some);
      done += some;
    }
  return done;
}

/* Between the first threads of nodes, each of which has its own threads' BYTES in ALL: in each round what it has goes
   to one node, and as much comes from another one. */
static void
exchange_all (uint32_t number, char *all, size_t bytes)
{
  int nodes = upcr_net_node_count (), own = upcr_own_node ();
  char text[UPCR_POST_BYTES];

  for (int round = 0; 1 << round < nodes; round++)
    {
      int apart = 1 << round, count = nodes - apart < apart ? nodes - apart : apart;
      size_t length = copy_of_nodes (own, count, all, text, bytes, true);

      upcr_post_send ((own - apart + nodes) % nodes, number, UPCR_POST_ROUND + round, text, length);
      copy_of_nodes ((own + apart) % nodes, count, all,
                     (char *) upcr_post_await (number, UPCR_POST_ROUND + round), bytes, false);
    }
}

/* From OFFSET in each thread's letter. */
static void
gather_near (uint32_t number, char *all, size_t offset, size_t bytes)
{
  for (int t = upcr_near_first; t < upcr_near_first + upcr_near_threads; t++)
    memcpy (all + t * bytes, (const char *) upcr_letter_of (t, number) + offset, bytes);
}

/* Within the only node: each thread that has something leaves all of it, and each that gets something takes its own. */
static void
move_near (const struct upcr_coll *call)
{
  uint32_t number = upcr_letters_begin (call->what);
  bool is_root = call->root == (uint32_t) MYTHREAD;
  size_t bytes = call->bytes, own = MYTHREAD * bytes;

  if (call->kind == UPCR_GATHER || call->kind == UPCR_GATHER_ALL)
    upcr_letter_leave (number, call->src, bytes);
  else if (call->kind == UPCR_EXCHANGE || is_root)
    upcr_letter_leave (number, call->src, THREADS * bytes);
  if (call->kind == UPCR_SCATTER)
    memcpy (call->dst, (const char *) upcr_letter_of ((int) call->root, number) + own, bytes);
  else if (call->kind != UPCR_GATHER || is_root)
    gather_near (number, call->dst, call->kind == UPCR_EXCHANGE ? own : 0, bytes);
  upcr_letters_end (number);
}

static void
gather_all (const struct upcr_coll *call)
{
  uint32_t number = upcr_letters_begin (call->what);
  char all[UPCR_LETTER_BYTES];
  size_t bytes = call->bytes;

  upcr_letter_leave (number, call->src, bytes);
  if (upcr_is_first_of_node ())
    {
      gather_near (number, all, 0, bytes);
      exchange_all (number, all, bytes);
    }
  upcr_letters_end (number);
  number = upcr_letters_begin (call->what);
  if (upcr_is_first_of_node ())
    upcr_letter_leave (number, all, THREADS * bytes);
  memcpy (call->dst, upcr_letter_of (upcr_near_first, number), THREADS * bytes);
  upcr_letters_end (number);
}

void
upcr_move_by_letters (const struct upcr_coll *call)
{
  if (call->kind == UPCR_BROADCAST)
    upcr_letter_to_all (call->what, (int) call->root, call->src, call->dst, call->bytes);
  else if (upcr_are_all_near ())
    move_near (call);
  else
    gather_all (call);
}

/* What lies with the calling thread is one piece: its blocks are next to each other. */
void
upcr_fold_own (const struct upcr_coll *call, struct upcr_partial *partial)
{
  size_t first = upcr_elements_before (call->source, MYTHREAD, 0);
  size_t end = upcr_elements_before (call->source, MYTHREAD, call->count);

  upcr_fold_on (call->op, partial->value, &partial->is_there,
                (const char *) call->src + first * call->op->bytes, end - first);
}

static void
add (const struct upcr_coll *call, struct upcr_partial *result, const void *text)
{
  const struct upcr_partial *its = text;

  if (its->is_there)
    upcr_fold_on (call->op, result->value, &result->is_there, its->value, 1);
}

static void
add_near (const struct upcr_coll *call, uint32_t number, struct upcr_partial *result)
{
  for (int t = upcr_near_first; t < upcr_near_first + upcr_near_threads; t++)
    add (call, result, upcr_letter_of (t, number));
}

/* To the first thread of node ROOT, by a binomial tree. */
static void
carry_up (const struct upcr_coll *call, uint32_t number, int root, struct upcr_partial *result)
{
  int nodes = upcr_net_node_count (), rank = (upcr_own_node () - root + nodes) % nodes, round = 0;

  for (; 1 << round < nodes && !(rank & 1 << round); round++)
    if (rank + (1 << round) < nodes)
      add (call, result, upcr_post_await (number, UPCR_POST_ROUND + round));
  if (rank != 0)
    upcr_post_send ((rank - (1 << round) + root) % nodes, number, UPCR_POST_ROUND + round, result,
                    sizeof *result);
}

static void
store_result (const struct upcr_coll *call, const struct upcr_partial *result)
{
  if (result->is_there)
    memcpy (call->dst, result->value, call->op->bytes);
}

static bool
wants_result (const struct upcr_coll *call)
{
  return call->kind == UPCR_REDUCE_ALL || call->root == (uint32_t) MYTHREAD;
}

/* The result is in NODE's first thread, or in that of all nodes. */
static void
hand_out (const struct upcr_coll *call, int node, struct upcr_partial *result)
{
  uint32_t number = upcr_letters_begin (call->what);

  if (upcr_is_first_of_node () && call->kind == UPCR_REDUCE_ALL)
    memcpy (result, upcr_letter_down (number, node, result, sizeof *result), sizeof *result);
  if (upcr_is_first_of_node ())
    upcr_letter_leave (number, result, sizeof *result);
  if (wants_result (call))
    store_result (call, upcr_letter_of (upcr_near_first, number));
  upcr_letters_end (number);
}

void
upcr_reduce_by_letters (const struct upcr_coll *call)
{
  uint32_t number = upcr_letters_begin (call->what);
  struct upcr_partial mine = { 0 }, result = { 0 };
  int node = call->kind == UPCR_REDUCE_ALL ? 0 : upcr_node_of_thread (call->root);

  upcr_fold_own (call, &mine);
  upcr_letter_leave (number, &mine, sizeof mine);
  if (upcr_are_all_near () ? wants_result (call) : upcr_is_first_of_node ())
    add_near (call, number, &result);
  if (!upcr_are_all_near () && upcr_is_first_of_node ())
    carry_up (call, number, node, &result);
  upcr_letters_end (number);
  if (upcr_are_all_near ())
    store_result (call, &result);
  else
    hand_out (call, node, &result);
}
