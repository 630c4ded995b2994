/* Collective functions on values if other processes have threads. The values go through the threads'
   mailboxes, as many bytes at a time as fit there. Whatever the flags, each such step begins and ends with
   all threads. */

#include "runtime/coll/coll.h"

static void run (const struct upcr_coll *call);
#define upcr_coll_run run
#include "runtime/bupc/value.c"
#undef upcr_coll_run

enum
{
  BOX_BYTES = UPCR_MAILBOX_BYTES / 2
};

/* The half of the mailbox that barriers do not have (runtime/sync/network/barrier.c). */
static char *
box (int thread)
{
  return upcr_mailbox (thread) + BOX_BYTES;
}

/* What a stretch of a call is about: BYTES from OFFSET on of each value. */
struct stretch
{
  const struct upcr_coll *call;
  size_t offset, bytes;
};

typedef void step (const struct stretch *stretch);

/* SEND stores to mailboxes, which RECEIVE then loads from. */
static void
by_stretches (const struct upcr_coll *call, size_t bytes, step *send, step *receive)
{
  struct stretch stretch = { .call = call };

  for (; stretch.offset < bytes; stretch.offset += stretch.bytes)
    {
      size_t left = bytes - stretch.offset;

      stretch.bytes = left < BOX_BYTES ? left : BOX_BYTES;
      upcr_collective_barrier (call->what);
      send (&stretch);
      upcr_collective_barrier (call->what);
      receive (&stretch);
    }
  upcr_collective_barrier (call->what);
}

static bool
is_root (const struct stretch *stretch)
{
  return stretch->call->root == (uint32_t) MYTHREAD;
}

static void
send_own (const struct stretch *s)
{
  upcr_store (box (MYTHREAD), (const char *) s->call->src + s->offset, s->bytes);
}

static void
send_to_all (const struct stretch *s)
{
  for (int t = 0; t < THREADS && is_root (s); t++)
    upcr_store (box (t), (const char *) s->call->src + t * s->call->bytes + s->offset, s->bytes);
}

static void
receive_own (const struct stretch *s)
{
  upcr_load ((char *) s->call->dst + s->offset, box (MYTHREAD), s->bytes);
}

static void
receive_of_root (const struct stretch *s)
{
  upcr_load ((char *) s->call->dst + s->offset, box (s->call->root), s->bytes);
}

static void
receive_of_all (const struct stretch *s)
{
  for (int t = 0; t < THREADS; t++)
    upcr_load ((char *) s->call->dst + t * s->call->bytes + s->offset, box (t), s->bytes);
}

static void
receive_of_all_at_root (const struct stretch *s)
{
  if (is_root (s))
    receive_of_all (s);
}

/* Nobody may store there: then the record says so by its last byte. */
static void
send_to_target (const struct stretch *s)
{
  const char *src = s->call->src;
  int target;

  memcpy (&target, src + s->call->bytes, sizeof target);
  memset (box (MYTHREAD), 0, s->bytes);
  upcr_collective_barrier (s->call->what);
  upcr_store (box (target), src + s->offset, s->bytes);
}

/* The root computes, of the values of all threads: one value, or one of each thread. */
static void
by_root (const struct upcr_coll *call)
{
  bool is_scan = call->kind == UPCR_SCAN;
  size_t bytes = call->op->bytes;
  struct upcr_coll gather = *call;
  char *values = get_room (call->what, bytes * THREADS);
  char *result = get_room (call->what, bytes * THREADS);

  gather.bytes = bytes;
  gather.dst = values;
  by_stretches (&gather, bytes, send_own, receive_of_all_at_root);
  if (call->root == (uint32_t) MYTHREAD && is_scan)
    call->op->scan (call->op, result, values, THREADS, NULL);
  else if (call->root == (uint32_t) MYTHREAD)
    call->op->fold (call->op, result, NULL, values, THREADS);
  gather.dst = call->dst;
  gather.src = result;
  if (is_scan)
    by_stretches (&gather, bytes, send_to_all, receive_own);
  else if (call->kind == UPCR_REDUCE_ALL)
    by_stretches (&gather, bytes, send_own, receive_of_root);
  else if (call->root == (uint32_t) MYTHREAD)
    memcpy (call->dst, result, bytes);
  free (result);
  free (values);
}

static void
run (const struct upcr_coll *call)
{
  switch (call->kind)
    {
    case UPCR_BROADCAST:
      by_stretches (call, call->bytes, send_own, receive_of_root);
      break;
    case UPCR_SCATTER:
      by_stretches (call, call->bytes, send_to_all, receive_own);
      break;
    case UPCR_GATHER:
      by_stretches (call, call->bytes, send_own, receive_of_all_at_root);
      break;
    case UPCR_GATHER_ALL:
      by_stretches (call, call->bytes, send_own, receive_of_all);
      break;
    case UPCR_PERMUTE:
      by_stretches (call, call->bytes, send_to_target, receive_own);
      break;
    default:
      by_root (call);
    }
}
