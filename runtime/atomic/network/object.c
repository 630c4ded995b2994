/* Shared _Atomic objects (include/upct/atomic_object.h). The process that has an object does what is not an access to
   a word in near memory: to words with the instructions that others use, who have them near; to all else under a lock,
   also for its own threads. That lock is for objects of all sizes that no instruction accesses at once, so the
   processes of its node ask, too. */

#include "runtime/atomic/atomic.h"

#include "runtime/host/host.h"
#include "runtime/net/net.h"
#include "runtime/sync/sync.h"

#include <upct/network.h>

#include <pthread.h>
#include <string.h>

struct question
{
  void *object;
  uint32_t bytes;
  uint32_t operation;
  char operands[2 * __UPC_OBJECT_BYTES]; /* DESIRED, then EXPECTED */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Only sums are of words alone: upc2c compares the others. */
static void
operate_locked (int operation, void *object, size_t bytes, void *old, const void *desired,
                const void *expected)
{
  pthread_mutex_lock (&lock);
  if (operation != __UPC_OBJECT_store)
    memcpy (old, object, bytes);
  if (operation == __UPC_OBJECT_store
      || (operation == __UPC_OBJECT_cswap && memcmp (object, expected, bytes) == 0))
    memcpy (object, desired, bytes);
  pthread_mutex_unlock (&lock);
}

static void
serve (struct upcr_net_caller caller, const void *arguments)
{
  const struct question *q = arguments;
  const char *desired = q->operands, *expected = q->operands + q->bytes;
  char old[__UPC_OBJECT_BYTES];

  if (__upc_is_word (q->object, q->bytes))
    __upc_operate_word (q->operation, q->object, q->bytes, old, desired, expected);
  else
    operate_locked (q->operation, q->object, q->bytes, old, desired, expected);
  upcr_net_reply (caller, old, q->operation == __UPC_OBJECT_store ? 0 : q->bytes);
}

void
upcr_object_at (int operation, void *object, size_t bytes, void *old, const void *desired,
                const void *expected)
{
  struct question q;
  char nothing, *end = q.operands;
  upcr_net_open open = 0;

  q.object = object;
  q.bytes = bytes;
  q.operation = operation;
  if (desired)
    end = mempcpy (end, desired, bytes);
  if (expected)
    end = mempcpy (end, expected, bytes);
  upcr_net_call (upcr_process_at (object, bytes), UPCR_NET_OBJECT, &q, end - (char *) &q,
                 old ? old : &nothing, &open);
  upcr_net_await (&open);
}

void
upcr_serve_objects (void)
{
  upcr_net_serve (UPCR_NET_OBJECT, serve);
}
