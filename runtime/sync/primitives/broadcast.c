/* Broadcast from thread 0, which writes its request and its result. After the barrier the others
   compare the request with theirs and take the result. There are two copies, used alternately:
   when thread 0 writes one again, every thread has passed the barrier of the call in between,
   and so has read it. */

#include "runtime/sync/primitives/broadcast.h"

#include "runtime/host/host.h"
#include "runtime/sync/primitives/barrier.h"

#include <string.h>

/* Written by thread 0 before, read by all after a collective barrier. */
static struct upcr_broadcast sent[2];

/* How often each UPC thread has been here. */
static struct
{
  _Alignas(64) unsigned calls;
} counts[UPCR_MAX_THREADS];

const struct upcr_broadcast *
upcr_broadcast_from_0 (const struct upcr_broadcast *mine)
{
  struct upcr_broadcast *first = &sent[counts[MYTHREAD].calls++ & 1];

  if (MYTHREAD == 0)
    *first = *mine;
  upcr_collective_barrier (mine->what);
  if (strcmp (first->what, mine->what) != 0)
    upcr_fatal ("%s, but thread 0 calls %s", mine->what, first->what);
  return first;
}
