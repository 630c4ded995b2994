/* upc_lock_t where threads of several processes take it. The process that has the lock's memory does what
   any thread asks, under one mutex, and replies to who waits when it is that thread's turn: first come,
   first served.

   word              LIVE, free; LIVE | MYTHREAD + 1 of the holder; FREED; anything else: not a lock
   head, tail        who waits, first and last, as MYTHREAD + 1; 0: nobody
   waiters[t]        the call of thread t, which waits for one lock at a time, and who is behind it

   All of it is read and written under `turn`, but for a word that is looked at whether it is a lock's.

   upc_lock and upc_unlock are strict accesses: a thread's stores are there before it asks, and the reply
   comes after the release that it waits for. */

#include "runtime/sync/primitives/lock.h"

#include "runtime/net/net.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/mechanism/fence.h"

#include <pthread.h>

enum request
{
  ACQUIRE,
  TRY,
  RELEASE,
  DESTROY
};

enum answer
{
  DONE,
  IS_HELD, /* of TRY alone no error */
  NOT_A_LOCK,
  WAS_FREED,
  HOLDS_IT,
  NO_HOLDER,
  OTHER_HOLDER,
  HAS_WAITER
};

struct question
{
  struct upcr_lock *lock;
  enum request request;
  int thread;
  bool is_checked; /* UPC_CHECK=1 */
};

struct reply
{
  enum answer answer;
  int thread; /* that holds the lock, or waits for it */
};

#define KIND 0xffff0000u
#define OWNER 0x00000fffu
#define FREED 0xf2ee0000u

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static struct
{
  struct upcr_net_caller caller;
  uint32_t next;
} waiters[UPCR_MAX_THREADS];

static uint32_t
load (const _Atomic uint32_t *word)
{
  return atomic_load_explicit (word, memory_order_relaxed);
}

static void
store (_Atomic uint32_t *word, uint32_t value)
{
  atomic_store_explicit (word, value, memory_order_relaxed);
}

void
upcr_lock_init (struct upcr_lock *lock, struct upcr_lock_origin origin)
{
  store (&lock->tail, 0);
  store (&lock->head, 0);
  lock->origin = origin;
  atomic_store_explicit (&lock->word, UPCR_LOCK_LIVE, memory_order_release);
}

static void
queue_up (struct upcr_lock *lock, int thread, struct upcr_net_caller caller)
{
  uint32_t last = load (&lock->tail);

  waiters[thread].caller = caller;
  waiters[thread].next = 0;
  if (last)
    waiters[last - 1].next = thread + 1;
  else
    store (&lock->head, thread + 1);
  store (&lock->tail, thread + 1);
}

static void
answer (struct upcr_net_caller caller, enum answer answer, int thread)
{
  upcr_net_reply (caller, &(struct reply){ answer, thread }, sizeof (struct reply));
}

static void
hand_over (struct upcr_lock *lock)
{
  uint32_t next = load (&lock->head);

  if (!next)
    {
      store (&lock->word, UPCR_LOCK_LIVE);
      return;
    }
  store (&lock->head, waiters[next - 1].next);
  if (!waiters[next - 1].next)
    store (&lock->tail, 0);
  store (&lock->word, UPCR_LOCK_LIVE | next);
  answer (waiters[next - 1].caller, DONE, 0);
}

static void
take (const struct question *q, uint32_t owner, struct upcr_net_caller caller)
{
  if (owner == (uint32_t) q->thread + 1)
    answer (caller, HOLDS_IT, q->thread);
  else if (owner && q->request == TRY)
    answer (caller, IS_HELD, owner - 1);
  else if (owner)
    queue_up (q->lock, q->thread, caller);
  else
    {
      store (&q->lock->word, UPCR_LOCK_LIVE | (q->thread + 1));
      answer (caller, DONE, 0);
    }
}

static void
release (const struct question *q, uint32_t owner, struct upcr_net_caller caller)
{
  if (owner != (uint32_t) q->thread + 1)
    {
      answer (caller, owner ? OTHER_HOLDER : NO_HOLDER, (int) owner - 1);
      return;
    }
  hand_over (q->lock);
  answer (caller, DONE, 0);
}

static void
destroy (const struct question *q, uint32_t owner, struct upcr_net_caller caller)
{
  uint32_t waiter = load (&q->lock->head);

  if (q->is_checked && owner)
    answer (caller, OTHER_HOLDER, (int) owner - 1);
  else if (waiter)
    answer (caller, HAS_WAITER, (int) waiter - 1);
  else
    {
      store (&q->lock->word, FREED);
      answer (caller, DONE, 0);
    }
}

static void
serve (struct upcr_net_caller caller, const void *arguments)
{
  const struct question *q = arguments;
  uint32_t word;

  pthread_mutex_lock (&turn);
  word = load (&q->lock->word);
  if ((word & KIND) != UPCR_LOCK_LIVE)
    answer (caller, (word & KIND) == FREED ? WAS_FREED : NOT_A_LOCK, 0);
  else if (q->request == RELEASE)
    release (q, word & OWNER, caller);
  else if (q->request == DESTROY)
    destroy (q, word & OWNER, caller);
  else
    take (q, word & OWNER, caller);
  pthread_mutex_unlock (&turn);
}

void
upcr_serve_locks (void)
{
  upcr_net_serve (UPCR_NET_LOCK, serve);
}

static _Noreturn void
refuse (struct reply reply, const char *what)
{
  switch (reply.answer)
    {
    case WAS_FREED:
      upcr_fatal ("%s: the lock was freed", what);
    case HOLDS_IT:
      upcr_fatal ("%s: this thread already holds the lock", what);
    case NO_HOLDER:
      upcr_fatal ("%s: no thread holds the lock", what);
    case OTHER_HOLDER:
      upcr_fatal ("%s: thread %d holds the lock", what, reply.thread);
    case HAS_WAITER:
      upcr_fatal ("%s: thread %d waits for the lock", what, reply.thread);
    default:
      upcr_fatal ("%s: not a lock", what);
    }
}

static enum answer
ask (struct upcr_lock *lock, enum request request, const char *what)
{
  struct question question = { lock, request, MYTHREAD, upcr_options.check };
  struct reply reply;
  upcr_net_open open = 0;
  int process = upcr_is_own (lock) ? upcr_net_place ().rank : upcr_process_at (lock, sizeof *lock);

  upcr_strict_fence ();
  upcr_net_call (process, UPCR_NET_LOCK, &question, sizeof question, &reply, &open);
  upcr_net_await (&open);
  if (reply.answer > IS_HELD)
    refuse (reply, what);
  return reply.answer;
}

void
upcr_lock_acquire (struct upcr_lock *lock)
{
  ask (lock, ACQUIRE, "upc_lock");
}

bool
upcr_lock_try (struct upcr_lock *lock)
{
  unsigned looks = 0;

  if (ask (lock, TRY, "upc_lock_attempt") == DONE)
    return true;
  upcr_net_relax (&looks);
  return false;
}

void
upcr_lock_release (struct upcr_lock *lock)
{
  ask (lock, RELEASE, "upc_unlock");
}

void
upcr_lock_destroy (struct upcr_lock *lock, const char *what)
{
  ask (lock, DESTROY, what);
}
