/* Collective functions on values. Each thread passes a value in its private memory, and gets its
   result there. The engine takes addresses of the caller's own memory (LOCAL).

   A result is returned by value, so no call returns before it exists: OUT_NOSYNC means
   OUT_MYSYNC. */

#include "runtime/bupc/bupc.h"

#include "runtime/coll/coll.h"
#include "runtime/sync/sync.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int
flags_of (int flags)
{
  enum
  {
    IN_NOSYNC = GASNET_COLL_IN_NOSYNC,
    INS = GASNET_COLL_IN_NOSYNC | GASNET_COLL_IN_MYSYNC | GASNET_COLL_IN_ALLSYNC,
    OUTS = GASNET_COLL_OUT_NOSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_OUT_ALLSYNC
  };

  if (!(flags & INS))
    flags |= GASNET_COLL_IN_ALLSYNC;
  if (!(flags & OUTS))
    flags |= GASNET_COLL_OUT_ALLSYNC;
  if (flags & GASNET_COLL_OUT_NOSYNC)
    flags ^= GASNET_COLL_OUT_NOSYNC | GASNET_COLL_OUT_MYSYNC;
  return flags | GASNET_COLL_LOCAL;
}

static struct upcr_coll
call_of (const char *what, enum upcr_coll_kind kind, int root, void *dst, const void *src,
         int flags)
{
  upcr_reject_in_split_phase (what);
  if (root < 0 || root >= THREADS)
    upcr_fatal ("%s: invalid root %d; THREADS is %d", what, root, THREADS);
  return (struct upcr_coll){ .what = what,
                             .kind = kind,
                             .flags = flags_of (flags),
                             .team = GASNET_TEAM_ALL,
                             .root = root,
                             .dst = dst,
                             .src = src };
}

static void
move (const char *what, enum upcr_coll_kind kind, int root, void *dst, const void *src,
      size_t bytes, int flags)
{
  struct upcr_coll call = call_of (what, kind, root, dst, src, flags);

  call.bytes = bytes;
  upcr_coll_run (&call);
}

void
upcr_value_broadcast (void *dst, const void *src, int root, size_t bytes, int flags)
{
  move ("bupc_allv_broadcast", UPCR_BROADCAST, root, dst, src, bytes, flags);
}

void
upcr_value_scatter (void *dst, const void *src, int root, size_t bytes, int flags)
{
  move ("bupc_allv_scatter", UPCR_SCATTER, root, dst, src, bytes, flags);
}

static void *
get_room (const char *what, size_t bytes)
{
  void *room = malloc (bytes);

  if (!room)
    upcr_fatal ("%s: no memory for %zu bytes", what, bytes);
  return room;
}

static void
gather_all (const char *what, void *dst, const void *src, size_t bytes, int flags)
{
  void *room = dst ? NULL : get_room (what, bytes * THREADS);

  move (what, UPCR_GATHER_ALL, 0, dst ? dst : room, src, bytes, flags);
  free (room);
}

void
upcr_value_gather_all (void *dst, const void *src, size_t bytes, int flags)
{
  gather_all ("bupc_allv_gather_all", dst, src, bytes, flags);
}

void
upcr_value_gather (void *dst, const void *src, int root, size_t bytes, int flags)
{
  if (root == -1)
    gather_all ("bupc_allv_gather", dst, src, bytes, flags);
  else
    move ("bupc_allv_gather", UPCR_GATHER, root, dst, src, bytes, flags);
}

/* Each thread stores its value, and behind it that it did, where the value for TARGET belongs. Where
   two are for one thread, there is none for another. */
void
upcr_value_permute (void *dst, const void *src, int target, size_t bytes, int flags)
{
  static const char what[] = "bupc_allv_permute";
  size_t record = bytes + 1;
  char *received = get_room (what, 2 * record + sizeof target), *sent = received + record;

  if (target < 0 || target >= THREADS)
    upcr_fatal ("%s: invalid thread %d; THREADS is %d", what, target, THREADS);
  memcpy (sent, src, bytes);
  sent[bytes] = true;
  memcpy (sent + record, &target, sizeof target);
  received[bytes] = false;
  move (what, UPCR_PERMUTE, 0, received, sent, record, flags);
  if (!received[bytes])
    upcr_fatal ("%s: no value is for thread %d", what, MYTHREAD);
  memcpy (dst, received, bytes);
  free (received);
}

static enum upcr_coll_type
type_of (upc_type_t type)
{
  static const unsigned char types[] = {
    [UPC_CHAR] = UPCR_C,     [UPC_UCHAR] = UPCR_UC,  [UPC_SHORT] = UPCR_S, [UPC_USHORT] = UPCR_US,
    [UPC_INT] = UPCR_I,      [UPC_UINT] = UPCR_UI,   [UPC_LONG] = UPCR_L,  [UPC_ULONG] = UPCR_UL,
    [UPC_LLONG] = UPCR_L,    [UPC_ULLONG] = UPCR_UL, [UPC_FLOAT] = UPCR_F, [UPC_DOUBLE] = UPCR_D,
    [UPC_LDOUBLE] = UPCR_LD,
  };

  return types[type];
}

static void
compute (const char *what, enum upcr_coll_kind kind, upc_type_t type, upc_op_t op, void *dst,
         const void *src, int root, int flags)
{
  struct upcr_coll call = call_of (what, kind, root, dst, src, flags);

  call.op = upcr_operator_of (type_of (type), op);
  if (!call.op)
    upcr_fatal ("%s: invalid operation for this type: %#lx", what, op);
  call.count = THREADS;
  call.source = call.destination = (struct upcr_layout){ .block = 1 };
  if (kind == UPCR_SCAN)
    call.flags |= GASNET_COLL_INCLUSIVE_SCAN;
  upcr_coll_run (&call);
}

void
upcr_value_reduce (upc_type_t type, upc_op_t op, void *dst, const void *src, int root, int flags)
{
  compute ("bupc_allv_reduce", root == -1 ? UPCR_REDUCE_ALL : UPCR_REDUCE, type, op, dst, src,
           root == -1 ? 0 : root, flags);
}

void
upcr_value_reduce_all (upc_type_t type, upc_op_t op, void *dst, const void *src, int flags)
{
  compute ("bupc_allv_reduce_all", UPCR_REDUCE_ALL, type, op, dst, src, 0, flags);
}

void
upcr_value_prefix_reduce (upc_type_t type, upc_op_t op, void *dst, const void *src, int flags)
{
  compute ("bupc_allv_prefix_reduce", UPCR_SCAN, type, op, dst, src, 0, flags);
}
