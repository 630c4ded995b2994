/* upc_lock_t where threads of several processes take it. Threads that share the lock's memory take and release
   it there, by one atomic operation where nobody else wants it; for others the process that has the memory does
   so, as they ask, and whoever hands the lock over to one of them replies. First come, first served.

   word                       LIVE, free; LIVE | MYTHREAD + 1 of the holder; beside either BUSY, while one thread
                              changes what it likes, and WANTED, while there is a queue; FREED; anything else: not
                              a lock
   head, tail                 who waits, first and last, as MYTHREAD + 1; 0: nobody
   upcr_near->waiters[t]      thread t, which waits for one lock at a time: who is behind it, how it is told, the
                              epoch of its turns

   All but the word and `turn` is read and written by who has made the word BUSY, in acquire order, until it
   stores the next one, in release order. Only that thread changes a word that is BUSY.

   upc_lock and upc_unlock are strict accesses: a thread's stores are there before it asks, and its turn comes
   after the release that it waits for. */

#include "runtime/sync/primitives/lock.h"

#include "runtime/arch/arch.h"
#include "runtime/net/net.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/mechanism/fence.h"
#include "runtime/sync/mechanism/sleep.h"
#include "runtime/sync/network/distance.h"
#include "runtime/sync/network/near.h"
#include "runtime/sync/primitives/lock_text.h"

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
  QUEUED,
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
#define BUSY 0x00008000u
#define WANTED 0x00004000u
#define OWNER UPCR_LOCK_OWNER
#define FREED 0xf2ee0000u

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
  origin.what = upcr_distance_of (origin.what);
  origin.place = upcr_distance_of (origin.place);
  store (&lock->tail, 0);
  store (&lock->head, 0);
  lock->origin = origin;
  atomic_store_explicit (&lock->word, UPCR_LOCK_LIVE, memory_order_release);
}

/* Makes the word BUSY; returns what it was. What is no lock stays as it is. */
static uint32_t
begin (struct upcr_lock *lock)
{
  uint32_t word = load (&lock->word);
  unsigned looks = 0;

  for (;;)
    if ((word & KIND) != UPCR_LOCK_LIVE)
      return word;
    else if (word & BUSY)
      {
        upcr_net_relax (&looks);
        word = load (&lock->word);
      }
    else if (atomic_compare_exchange_weak_explicit (&lock->word, &word, word | BUSY,
                                                    memory_order_acquire, memory_order_relaxed))
      return word;
}

/* OWNER is MYTHREAD + 1 of who has the lock now, or 0. */
static void
end (struct upcr_lock *lock, uint32_t owner)
{
  uint32_t word = UPCR_LOCK_LIVE | owner | (load (&lock->head) ? WANTED : 0);

  atomic_store_explicit (&lock->word, word, memory_order_release);
}

static void
queue_up (struct upcr_lock *lock, int thread, const struct upcr_net_caller *far)
{
  struct upcr_near_waiter *waiter = &upcr_near->waiters[thread];
  uint32_t last = load (&lock->tail);

  waiter->next = 0;
  waiter->is_far = far;
  if (far)
    waiter->caller = *far;
  if (last)
    upcr_near->waiters[last - 1].next = thread + 1;
  else
    store (&lock->head, thread + 1);
  store (&lock->tail, thread + 1);
}

static void
answer (struct upcr_net_caller caller, struct reply reply)
{
  upcr_net_reply (caller, &reply, sizeof reply);
}

static void
tell (struct upcr_near_waiter *waiter)
{
  if (waiter->is_far)
    answer (waiter->caller, (struct reply){ DONE, 0 });
  else
    upcr_near_set (&waiter->turn, load (&waiter->turn.value) + 1);
}

/* To who waits first, if anybody does. */
static void
hand_over (struct upcr_lock *lock)
{
  uint32_t next = load (&lock->head);

  if (next)
    {
      store (&lock->head, upcr_near->waiters[next - 1].next);
      if (!load (&lock->head))
        store (&lock->tail, 0);
    }
  end (lock, next);
  if (next)
    tell (&upcr_near->waiters[next - 1]);
}

static struct reply
done (struct upcr_lock *lock, enum answer answer, uint32_t owner)
{
  end (lock, owner);
  return (struct reply){ answer, (int) owner - 1 };
}

/* FAR: how a thread that shares no memory with this process is told of its turn. */
static struct reply
take (const struct question *q, uint32_t owner, const struct upcr_net_caller *far)
{
  if (owner == (uint32_t) q->thread + 1)
    return done (q->lock, HOLDS_IT, owner);
  if (owner && q->request == TRY)
    return done (q->lock, IS_HELD, owner);
  if (!owner)
    return done (q->lock, DONE, q->thread + 1);
  queue_up (q->lock, q->thread, far);
  return done (q->lock, QUEUED, owner);
}

static struct reply
release (const struct question *q, uint32_t owner)
{
  if (owner != (uint32_t) q->thread + 1)
    return done (q->lock, owner ? OTHER_HOLDER : NO_HOLDER, owner);
  hand_over (q->lock);
  return (struct reply){ DONE, 0 };
}

static struct reply
destroy (const struct question *q, uint32_t owner)
{
  uint32_t waiter = load (&q->lock->head);

  if (q->is_checked && owner)
    return done (q->lock, OTHER_HOLDER, owner);
  if (waiter)
    {
      end (q->lock, owner);
      return (struct reply){ HAS_WAITER, (int) waiter - 1 };
    }
  atomic_store_explicit (&q->lock->word, FREED, memory_order_release);
  return (struct reply){ DONE, 0 };
}

static struct reply
execute (const struct question *q, const struct upcr_net_caller *far)
{
  uint32_t word = begin (q->lock);

  if ((word & KIND) != UPCR_LOCK_LIVE)
    return (struct reply){ (word & KIND) == FREED ? WAS_FREED : NOT_A_LOCK, 0 };
  if (q->request == RELEASE)
    return release (q, word & OWNER);
  if (q->request == DESTROY)
    return destroy (q, word & OWNER);
  return take (q, word & OWNER, far);
}

static void
serve (struct upcr_net_caller caller, const void *arguments)
{
  struct reply reply = execute (arguments, &caller);

  if (reply.answer != QUEUED)
    answer (caller, reply);
}

void
upcr_serve_locks (void)
{
  upcr_net_serve (UPCR_NET_LOCK, serve);
}

static _Noreturn void
refuse (const struct upcr_lock *lock, struct reply reply, const char *what)
{
  switch (reply.answer)
    {
    case WAS_FREED:
      upcr_refuse_freed_lock (lock, what);
    case NOT_A_LOCK:
      upcr_refuse_other_object (lock, what);
    case HOLDS_IT:
      upcr_refuse_lock (lock, what, "this thread already holds");
    case NO_HOLDER:
      upcr_refuse_lock (lock, what, "no thread holds");
    case OTHER_HOLDER:
      upcr_refuse_lock (lock, what, "thread %d holds", reply.thread);
    default:
      upcr_refuse_lock (lock, what, "thread %d waits for", reply.thread);
    }
}

static struct reply
ask_far (const struct question *question)
{
  struct reply reply;
  upcr_net_open open = 0;

  upcr_net_call (upcr_process_at (question->lock, sizeof *question->lock), UPCR_NET_LOCK, question,
                 sizeof *question, &reply, &open);
  /* Its turn comes as the reply. */
  if (question->request == ACQUIRE)
    upcr_await_change (&open, 1);
  else
    upcr_net_await (&open);
  return reply;
}

static struct reply
ask_near (const struct question *question)
{
  struct upcr_near_word *turn = &upcr_near->waiters[MYTHREAD].turn;
  uint32_t seen = load (&turn->value);
  struct reply reply = execute (question, NULL);

  if (reply.answer == QUEUED)
    upcr_near_await (turn, seen);
  return reply;
}

static enum answer
ask (struct upcr_lock *lock, enum request request, const char *what)
{
  struct question question = { lock, request, MYTHREAD, upcr_options.check };
  struct reply reply;

  upcr_strict_fence ();
  upcr_set_wait_reason (what, lock);
  reply = upcr_is_near (lock) ? ask_near (&question) : ask_far (&question);
  atomic_thread_fence (memory_order_seq_cst);
  if (reply.answer > IS_HELD)
    refuse (lock, reply, what);
  return reply.answer;
}

/* What an operation does where the lock is near and nobody else is at it. */
static bool
exchange (struct upcr_lock *lock, uint32_t from, uint32_t to)
{
  bool is_done;

  if (!upcr_is_near (lock))
    return false;
  upcr_flush ();
  /* Acquire for one that takes, release for one that releases; the strict access that both are. */
  is_done = atomic_compare_exchange_strong_explicit (&lock->word, &from, to, memory_order_acq_rel,
                                                     memory_order_relaxed);
  upcr_fence_after_rmw ();
  return is_done;
}

static bool
take_free (struct upcr_lock *lock)
{
  return exchange (lock, UPCR_LOCK_LIVE, UPCR_LOCK_LIVE | (MYTHREAD + 1));
}

void
upcr_lock_acquire (struct upcr_lock *lock)
{
  if (!take_free (lock))
    ask (lock, ACQUIRE, "upc_lock");
}

bool
upcr_lock_try (struct upcr_lock *lock)
{
  unsigned looks = 0;

  if (take_free (lock) || ask (lock, TRY, "upc_lock_attempt") == DONE)
    return true;
  upcr_count_attempt (lock);
  upcr_net_relax (&looks);
  return false;
}

void
upcr_lock_release (struct upcr_lock *lock)
{
  if (!exchange (lock, UPCR_LOCK_LIVE | (MYTHREAD + 1), UPCR_LOCK_LIVE))
    ask (lock, RELEASE, "upc_unlock");
}

void
upcr_lock_destroy (struct upcr_lock *lock, const char *what)
{
  ask (lock, DESTROY, what);
}
