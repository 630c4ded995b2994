/* upc_lock_t: a word that says everything, and a queue beside it.

   The word is also what its waiter sleeps on:

     LIVE                            free
     LIVE | owner                    held; nobody sleeps on the word
     LIVE | SLEEPER | owner          held; the head of the queue sleeps on the word
     LIVE | PROMISED [| …] | owner   held; when freed it is the head's, no other's
     LIVE | PROMISED                 free, for the head of the queue alone
     FREED                           destroyed
     anything else                   not a lock

   where owner is MYTHREAD + 1. LIVE and FREED fill the upper half, so that the one
   compare-and-swap that takes a free lock also tells a lock from other memory: the
   quick paths check nothing, and every misuse ends in a slow one.

   Who finds the lock held queues up (Mellor-Crummey and Scott's queue, one node a
   thread), and waits in its own node until it is the head. Only the head competes
   for the word, with those that just come by. That keeps a lock quick when there
   are more threads than CPUs: nobody waits for the next in line to get a CPU. So
   that the head does not starve it sets PROMISED after PASSED_OVER failed turns.

   field      written by                          read by             order
   word       owner, head, who comes by: RMW      all                 acquire, release
   tail       who queues up and leaves: RMW       upcr_lock_destroy   seq_cst
   node.next  its thread; the thread behind       its thread          release, acquire
   node.turn  its thread; the thread before       its thread          release, acquire */

#include "runtime/start/start.h"
#include "runtime/sync/debug.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/park.h"
#include "runtime/sync/poll.h"
#include "runtime/sync/stuck.h"
#include "runtime/sync/sync.h"

enum
{
  OWNER = 0x00000fff,
  SLEEPER = 0x00004000,
  PROMISED = 0x00008000,
  PASSED_OVER = 4
};

#define KIND 0xffff0000u
#define LIVE 0x10ca0000u
#define FREED 0xf2ee0000u

struct upcr_lock
{
  _Alignas (UPCR_LOCK_BYTES) _Atomic uint32_t word;
  /* The last in the queue, as MYTHREAD + 1; 0: nobody waits. */
  _Atomic uint32_t tail;
};

_Static_assert (sizeof (struct upcr_lock) == UPCR_LOCK_BYTES, "a lock fills its cache line");
_Static_assert (UPCR_MAX_THREADS < OWNER, "an owner fits beside the flags");

/* A thread waits for one lock at a time, so it needs one node. */
static struct node
{
  _Alignas (64) _Atomic uint32_t turn;
  _Atomic uint32_t next;
} nodes[UPCR_MAX_THREADS];

static uint32_t
me (void)
{
  return MYTHREAD + 1;
}

/* Acquire: what the owner before did is seen. seq_cst and a full fence, because
   on success it is the strict read of upc_lock (B.3.1) too. */
static bool
take (struct upcr_lock *lock, uint32_t *word, uint32_t wanted)
{
  bool taken = atomic_compare_exchange_strong_explicit (&lock->word, word, wanted,
                                                        memory_order_seq_cst, memory_order_acquire);

  upcr_fence_with_rmw ();
  return taken;
}

/* Ends the run unless WORD is a lock's. */
static void
check_live (uint32_t word, const char *what)
{
  if ((word & KIND) == FREED)
    upcr_fatal ("%s: the lock was freed", what);
  if ((word & KIND) != LIVE)
    upcr_fatal ("%s: not a lock", what);
}

static void
check_taker (uint32_t word, const char *what)
{
  check_live (word, what);
  if ((word & OWNER) == me ())
    upcr_fatal ("%s: this thread holds the lock already", what);
}

/* Waits until the calling thread is the head of the queue. */
static void
queue_up (struct upcr_lock *lock)
{
  struct node *node = &nodes[MYTHREAD];
  uint32_t before;

  atomic_store_explicit (&node->turn, 0, memory_order_relaxed);
  atomic_store_explicit (&node->next, 0, memory_order_relaxed);
  /* seq_cst: pairs with upcr_lock_destroy, which marks the word, then looks here;
     this thread marks this, then looks at the word. Its release half gives the
     node's new state to whoever queues up behind. */
  before = atomic_exchange_explicit (&lock->tail, me (), memory_order_seq_cst);
  upcr_fence_with_rmw ();
  if (before == 0)
    return;
  UPCR_ASSERT (before <= UPCR_MAX_THREADS && before != me ());
  UPCR_WINDOW ();
  atomic_store_explicit (&nodes[before - 1].next, me (), memory_order_release);
  upcr_unpark_all (&nodes[before - 1].next);
  upcr_park_while (&node->turn, 0);
}

/* Makes the next thread the head. Between its arrival at the tail and its link
   here another thread may be stopped for long: that wait parks too. */
static void
leave_queue (struct upcr_lock *lock)
{
  struct node *node = &nodes[MYTHREAD];
  uint32_t self = me ();
  uint32_t next;

  if (atomic_load_explicit (&node->next, memory_order_relaxed) == 0
      && atomic_compare_exchange_strong_explicit (&lock->tail, &self, 0, memory_order_seq_cst,
                                                  memory_order_relaxed))
    return;
  UPCR_WINDOW ();
  upcr_park_while (&node->next, 0);
  next = atomic_load_explicit (&node->next, memory_order_relaxed);
  atomic_store_explicit (&nodes[next - 1].turn, 1, memory_order_release);
  upcr_unpark_all (&nodes[next - 1].turn);
}

/* One step of the head against WORD, the lock as last seen: takes it, or sleeps on
   it. True when taken. */
static bool
compete (struct upcr_lock *lock, uint32_t word, unsigned *failed)
{
  uint32_t waiting;

  if ((word & OWNER) == 0)
    {
      /* PROMISED has done its work. */
      if (take (lock, &word, LIVE | me ()))
        return true;
      ++*failed;
      return false;
    }
  UPCR_WINDOW ();
  waiting = word | SLEEPER | (*failed >= PASSED_OVER ? PROMISED : 0);
  /* Relaxed: this says only that a thread sleeps; the sleep looks again. */
  if (word == waiting
      || atomic_compare_exchange_strong_explicit (&lock->word, &word, waiting,
                                                  memory_order_relaxed, memory_order_relaxed))
    {
      upcr_sleep (&lock->word, waiting);
      ++*failed;
    }
  return false;
}

/* The lock's word once it is free, or when patience ends. */
static uint32_t
look (struct upcr_lock *lock)
{
  unsigned turn = 0;
  uint32_t word;

  do
    {
      word = atomic_load_explicit (&lock->word, memory_order_acquire);
      check_live (word, "upc_lock");
    }
  while ((word & OWNER) != 0 && upcr_stay_awake (&turn));
  return word;
}

static void
acquire_as_head (struct upcr_lock *lock)
{
  unsigned failed = 0;

  while (!compete (lock, look (lock), &failed))
    continue;
}

static void
acquire_slowly (struct upcr_lock *lock, uint32_t word)
{
  check_taker (word, "upc_lock");
  upcr_waits_in ("upc_lock", lock);
  queue_up (lock);
  acquire_as_head (lock);
  leave_queue (lock);
}

void
upcr_lock_init (struct upcr_lock *lock)
{
  atomic_init (&lock->tail, 0);
  atomic_init (&lock->word, LIVE);
}

void
upcr_lock_acquire (struct upcr_lock *lock)
{
  uint32_t word = LIVE;

  if (!take (lock, &word, LIVE | me ()))
    acquire_slowly (lock, word);
}

/* A lock that is free but promised counts as held: its new owner is decided. */
bool
upcr_lock_try (struct upcr_lock *lock)
{
  uint32_t word = LIVE;

  if (take (lock, &word, LIVE | me ()))
    return true;
  check_taker (word, "upc_lock_attempt");
  if (upcr_is_crowded ())
    upcr_idle_attempt ();
  return false;
}

static void
release_slowly (struct upcr_lock *lock, uint32_t word)
{
  check_live (word, "upc_unlock");
  if ((word & OWNER) == 0)
    upcr_fatal ("upc_unlock: no thread holds the lock");
  if ((word & OWNER) != me ())
    upcr_fatal ("upc_unlock: thread %d holds the lock", (int) (word & OWNER) - 1);
  word = atomic_fetch_and_explicit (&lock->word, KIND | PROMISED, memory_order_seq_cst);
  upcr_fence_with_rmw ();
  UPCR_WINDOW ();
  if (word & SLEEPER)
    upcr_wake (&lock->word, 1);
}

/* Release: the next owner sees what this one did. seq_cst and a full fence: it is
   also the strict write of upc_unlock (B.3.1). From the success on the lock may be
   another's, and its memory gone: only its address is used, to wake. */
void
upcr_lock_release (struct upcr_lock *lock)
{
  uint32_t word = LIVE | me ();

  if (atomic_compare_exchange_strong_explicit (&lock->word, &word, LIVE, memory_order_seq_cst,
                                               memory_order_relaxed))
    upcr_fence_with_rmw ();
  else
    release_slowly (lock, word);
}

int
upcr_lock_holder (const struct upcr_lock *lock)
{
  return (int) (atomic_load_explicit (&lock->word, memory_order_relaxed) & OWNER) - 1;
}

static void
check_no_waiter (struct upcr_lock *lock, const char *what)
{
  uint32_t waiter = atomic_load_explicit (&lock->tail, memory_order_seq_cst);

  if (waiter != 0)
    upcr_fatal ("%s: thread %d waits for the lock", what, (int) waiter - 1);
}

/* Looks for waiters twice: before the word says that the lock is freed, or a waiter
   might be the one to report that; and after, for one that came meanwhile. */
void
upcr_lock_destroy (struct upcr_lock *lock, const char *what)
{
  uint32_t word = atomic_load_explicit (&lock->word, memory_order_relaxed);

  check_live (word, what);
  if (upcr_check && (word & OWNER) != 0)
    upcr_fatal ("%s: the lock is held by thread %d", what, (int) (word & OWNER) - 1);
  check_no_waiter (lock, what);
  /* Of two threads that free the lock one gets the live word. */
  word = atomic_exchange_explicit (&lock->word, FREED, memory_order_seq_cst);
  upcr_fence_with_rmw ();
  check_live (word, what);
  check_no_waiter (lock, what);
}
