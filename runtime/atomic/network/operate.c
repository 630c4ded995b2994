/* Atomic operations on memory of any process. The process that has the target does the operation, and
   the thread that asked waits for the old value. A strict operation orders that thread's accesses, so
   the fences are here: everything that it stored before is visible before the operation is requested. */

#include "runtime/atomic/network/operate.h"

#include "runtime/host/host.h"
#include "runtime/net/net.h"
#include "runtime/sync/sync.h"

#include <string.h>

enum
{
  MOST_BYTES = 16 /* of an object */
};

struct question
{
  void *target;
  upc_type_t type;
  unsigned number;
  bool has_operand1, has_operand2;
  _Alignas(16) char operand1[MOST_BYTES], operand2[MOST_BYTES];
};

_Static_assert(sizeof (struct question) <= UPCR_NET_ARGUMENT_BYTES, "a question fits");

/* Those that are there: what was joined ends behind the last one. */
static void
copy_operands (struct question *q, const struct question *from)
{
  size_t bytes = upcr_atomic_type_of (q->type)->bytes;

  if (q->has_operand1)
    memcpy (q->operand1, (const char *) from + offsetof (struct question, operand1), bytes);
  if (q->has_operand2)
    memcpy (q->operand2, (const char *) from + offsetof (struct question, operand2), bytes);
}

static void
serve (struct upcr_net_caller caller, const void *arguments)
{
  struct question q;
  char old[MOST_BYTES] = { 0 };

  memcpy (&q, arguments, offsetof (struct question, operand1));
  copy_operands (&q, arguments);
  atomic_thread_fence (memory_order_seq_cst);
  upcr_atomic_type_of (q.type)->relaxed[q.number](q.target, old, q.has_operand1 ? q.operand1 : NULL,
                                                  q.has_operand2 ? q.operand2 : NULL);
  atomic_thread_fence (memory_order_seq_cst);
  upcr_net_reply (caller, old, sizeof old);
}

void
upcr_serve_atomics (void)
{
  upcr_net_serve (UPCR_NET_ATOMIC, serve);
}

/* Without a result nobody waits: the next fence does. */
static void
join (const struct question *q, const struct upcr_atomic_type *type)
{
  size_t bytes = q->has_operand2   ? sizeof *q
                 : q->has_operand1 ? offsetof (struct question, operand1) + type->bytes
                                   : offsetof (struct question, operand1);

  upcr_net_join_call (MYTHREAD, upcr_process_at (q->target, type->bytes), UPCR_NET_ATOMIC, q, bytes,
                      upcr_own_stores ());
}

static void
ask (const struct upcr_atomic_type *type, unsigned number, upcr_pts target, void *fetch,
     const void *operand1, const void *operand2, bool is_strict)
{
  struct question q = { .target = upcr_pts_address (target),
                        .type = type->type,
                        .number = number,
                        .has_operand1 = operand1,
                        .has_operand2 = operand2 };
  char old[MOST_BYTES];
  upcr_net_open open = 0;

  if (operand1)
    memcpy (q.operand1, operand1, type->bytes);
  if (operand2)
    memcpy (q.operand2, operand2, type->bytes);
  if (!fetch && !is_strict)
    {
      join (&q, type);
      return;
    }
  upcr_net_push (MYTHREAD);
  upcr_net_call (upcr_process_at (q.target, type->bytes), UPCR_NET_ATOMIC, &q, sizeof q, old,
                 &open);
  upcr_net_await (&open);
  if (fetch)
    memcpy (fetch, old, type->bytes);
}

void
upcr_operate_relaxed (const struct upcr_atomic_type *type, unsigned number, upcr_pts target,
                      void *fetch, const void *operand1, const void *operand2)
{
  if (upcr_is_near (upcr_pts_address (target)))
    type->relaxed[number](upcr_pts_address (target), fetch, operand1, operand2);
  else
    ask (type, number, target, fetch, operand1, operand2, false);
}

void
upcr_operate_strict (const struct upcr_atomic_type *type, unsigned number, upcr_pts target,
                     void *fetch, const void *operand1, const void *operand2)
{
  upcr_strict_fence ();
  if (upcr_is_near (upcr_pts_address (target)))
    type->strict[number](upcr_pts_address (target), fetch, operand1, operand2);
  else
    ask (type, number, target, fetch, operand1, operand2, true);
}
