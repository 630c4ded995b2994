/* upc_lock_t: a word that says everything, and a queue beside it.

   The word is also what its waiter sleeps on:

     LIVE                           free
     LIVE | owner                   held; nobody sleeps on the word
     LIVE | SLEEPER | owner         held; the head of the queue sleeps on the word
     LIVE | HANDOFF [| …] | owner   held; when released it is handed to the head directly
     LIVE | HANDOFF                 free, for the head of the queue alone
     FREED                          destroyed
     anything else                  not a lock

   where owner is MYTHREAD + 1. LIVE and FREED fill the upper half, so that the one
   compare-and-swap that takes a free lock also tells a lock from other memory: the
   quick paths check nothing, and every misuse ends in a slow one.

   A thread that finds the lock held queues up (Mellor-Crummey and Scott's queue, one node a
   thread), and waits in its own node until it is the head. Only the head competes
   for the word, with those that just come by. That keeps a lock quick in an oversubscribed
   run: nobody waits for the next in line to get a CPU.

   The barging quantum. A lock that goes back and forth costs a transfer of its line and of all
   that it guards each time. So the head looks rarely at first, and lets the threads that
   run acquire the lock again and again. After a quantum of some tens of microseconds it sets
   HANDOFF: the lock is its own when next released. Within a quantum the lock costs what it
   costs without contention; over many of them each thread has its share.

   In an oversubscribed run a head may be able to run and yet have no CPU until the next tick
   of the clock, behind the very thread that has the lock. There the owner ends the quantum
   itself, after QUANTUM_ACQUISITIONS or QUANTUM_NS: it sets HANDOFF, wakes the head when it
   releases the lock, and queues up when it wants it again. Beside other programs the head may
   get a CPU late even so, and no one uses the lock meanwhile: then quanta last for twice as
   long as that took.

   Else HANDOFF is set by a head that runs, and is not set while it sleeps, so
   that nobody waits for a thread that has no CPU; but after MOST_SLEEPS in vain it is.
   A thread that comes by and finds the lock free, but to be handed to a head that does
   not take it, takes it after some looks; HANDOFF stays set.

   Freed locks. Once another thread can take the lock, nothing here reads or writes it: a
   thread that releases it has read who the head is before, and wakes by address; one that is
   woken does not look at it again before it has acquired it or found out that it was freed,
   which is the program's error. What outlives a lock, the nodes, belongs to threads. So its
   memory may be reused as soon as the program may free it, with no grace period: there is no
   reader that one would wait for.

   field         written by                          read by              order
   word          owner, head, who comes by: RMW      all                  acquire, release
   tail          who queues up, the head: RMW        all                  release, fences
   node.next     its thread; the thread behind       its thread           by the fence before it
   node.is_head  its thread; the thread before       its thread           relaxed: passes on
                                                                          nothing but the turn
   node.hints    who ends a quantum: RMW             its thread           relaxed: a hint
   head          who naps as it                      who ends a quantum   relaxed: a hint
   acquisitions  the owner                           owner, head          relaxed: a hint
   …_ns          the owner                           the owner            by word
   origin        nobody once it is a lock            messages             constant */

#include "runtime/sync/primitives/lock.h"

#include "runtime/host/host.h"
#include "runtime/sync/mechanism/debug.h"
#include "runtime/sync/mechanism/fence.h"
#include "runtime/sync/mechanism/kernel.h"
#include "runtime/sync/mechanism/sleep.h"
#include "runtime/sync/policy/park.h"
#include "runtime/sync/policy/poll.h"
#include "runtime/sync/policy/progress.h"
#include "runtime/sync/policy/wait_policy.h"
#include "runtime/sync/primitives/lock_text.h"

enum
{
  SLEEPER = 0x00004000,
  HANDOFF = 0x00008000,
  MOST_SLEEPS = 4,
  /* Looks of who finds a free lock that is to be handed to another thread. */
  OVERDUE = 200,
  /* How often the head must see the lock free, and how the time between its looks grows: a look
     is followed by pauses, or by a yield in an oversubscribed run. */
  FREE_LOOKS = 3,
  SPACING_IN_USE = 4,
  MOST_PAUSES = 128,
  QUANTUM_NS = 100000,
  LONGEST_QUANTUM_NS = 10000000,
  QUANTUM_ACQUISITIONS = 4096
};

#define KIND 0xffff0000u
#define LIVE UPCR_LOCK_LIVE
#define OWNER UPCR_LOCK_OWNER
#define FREED 0xf2ee0000u

_Static_assert(sizeof (struct upcr_lock) == UPCR_LOCK_BYTES, "a lock fills its cache line");
_Static_assert(UPCR_MAX_THREADS < OWNER, "an owner fits beside the flags");

/* A thread waits for one lock at a time, so it needs one node. */
static struct node
{
  _Alignas(64) _Atomic uint32_t is_head;
  _Atomic uint32_t next;
  _Atomic uint32_t hints;
} nodes[UPCR_MAX_THREADS];

static uint32_t
me (void)
{
  return MYTHREAD + 1;
}

static bool
is_free (uint32_t word)
{
  return (word & OWNER) == 0;
}

/* Ends the run unless WORD is a lock's. */
static void
check_live (const struct upcr_lock *lock, uint32_t word, const char *what)
{
  if ((word & KIND) == FREED)
    upcr_refuse_freed_lock (lock, what);
  if ((word & KIND) != LIVE)
    upcr_refuse_other_object (lock, what);
}

static void
check_taker (const struct upcr_lock *lock, uint32_t word, const char *what)
{
  check_live (lock, word, what);
  if ((word & OWNER) == me ())
    upcr_refuse_lock (lock, what, "this thread already holds");
}

/* Waits until the calling thread is the head of the queue. */
static void
queue_up (struct upcr_lock *lock)
{
  struct node *node = &nodes[MYTHREAD];
  uint32_t before;

  atomic_store_explicit (&node->is_head, 0, memory_order_relaxed);
  atomic_store_explicit (&node->next, 0, memory_order_relaxed);
  /* The fence pairs with upcr_lock_destroy, which marks the word, then looks here;
     this thread marks this, then looks at the word. Release gives the node's new state
     to whoever queues up behind, to whom the fence is acquire. */
  before = atomic_exchange_explicit (&lock->tail, me (), memory_order_release);
  upcr_fence_after_rmw ();
  if (before == 0)
    return;
  UPCR_ASSERT (before <= UPCR_MAX_THREADS && before != me ());
  UPCR_RACE_POINT ();
  atomic_store_explicit (&nodes[before - 1].next, me (), memory_order_relaxed);
  upcr_unpark_all (&nodes[before - 1].next);
  upcr_park_in_queue (&node->is_head, 0);
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
      && atomic_compare_exchange_strong_explicit (&lock->tail, &self, 0, memory_order_relaxed,
                                                  memory_order_relaxed))
    return;
  UPCR_RACE_POINT ();
  upcr_park_while (&node->next, 0);
  next = atomic_load_explicit (&node->next, memory_order_relaxed);
  atomic_store_explicit (&nodes[next - 1].is_head, 1, memory_order_relaxed);
  upcr_unpark_all (&nodes[next - 1].is_head);
}

/* Between two looks at the lock. */
static void
pass_time (unsigned looks)
{
  upcr_relax (looks < 7 ? 1u << looks : MOST_PAUSES);
}

/* Was the lock acquired since *COUNT was read? Brings it up to date. */
static bool
was_used (struct upcr_lock *lock, uint32_t *count)
{
  uint32_t before = *count;

  *count = atomic_load_explicit (&lock->acquisitions, memory_order_relaxed);
  return *count != before;
}

/* Spins until the lock is free, for MOST looks; returns its word, free or not. The first look
   comes soon: the lock may be held for a moment only. A free lock has to be seen FREE
   times in a row, without uses in between, or it is between two of them by a thread that
   barges: where there were uses before, that thread has time for the next one. */
static uint32_t
look_for (struct upcr_lock *lock, unsigned most, unsigned spacing, unsigned free)
{
  uint32_t count = atomic_load_explicit (&lock->acquisitions, memory_order_relaxed);
  unsigned seen_free = 0, free_spacing = 0;

  for (unsigned looks = 0;; looks++)
    {
      uint32_t word = atomic_load_explicit (&lock->word, memory_order_relaxed);
      bool is_free_now = is_free (word);

      check_live (lock, word, "upc_lock");
      if (is_free_now && was_used (lock, &count))
        {
          free_spacing = SPACING_IN_USE;
          seen_free = 0;
        }
      seen_free = is_free_now ? seen_free + 1 : 0;
      if (seen_free >= free || looks >= most)
        return word;
      upcr_make_progress ();
      if (seen_free)
        pass_time (free_spacing);
      else
        pass_time (looks < spacing ? looks : spacing);
    }
}

/* Relaxed: a flag says only what its setter is going to do, and who does it looks
   again. */
static bool
set_word (struct upcr_lock *lock, uint32_t word, uint32_t wanted)
{
  return word == wanted
         || atomic_compare_exchange_strong_explicit (&lock->word, &word, wanted,
                                                     memory_order_relaxed, memory_order_relaxed);
}

static uint64_t
smaller (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static void
begin_quantum (struct upcr_lock *lock)
{
  atomic_store_explicit (&lock->acquisitions, 0, memory_order_relaxed);
  lock->begin_ns = upcr_kernel.now_ns ();
  lock->least_ns = 0;
  if (lock->handoff_ns)
    lock->least_ns = smaller (2 * (lock->begin_ns - lock->handoff_ns), LONGEST_QUANTUM_NS);
  lock->handoff_ns = 0;
}

/* Sleeps until the owner ends the quantum, or for as long as one takes. What ends the sleep
   is no more than a hint, so that it may come late or never. */
static void
await_end_of_quantum (struct upcr_lock *lock)
{
  static const struct timespec quantum = { .tv_nsec = QUANTUM_NS };
  struct node *node = &nodes[MYTHREAD];
  uint32_t hints = atomic_load_explicit (&node->hints, memory_order_relaxed);

  atomic_store_explicit (&lock->head, me (), memory_order_relaxed);
  upcr_kernel.futex_wait (&node->hints, hints, &quantum);
}

/* Competes for the lock, as the wait policy says: for a quantum, then for a while with
   HANDOFF. SLEEPS in vain have gone before. Returns the word as last seen. */
static uint32_t
compete (struct upcr_lock *lock, unsigned sleeps)
{
  const struct upcr_wait_policy *policy = upcr_wait_policy ();
  uint32_t word = look_for (lock, sleeps ? 0 : policy->head_looks, MOST_PAUSES, FREE_LOOKS);

  if (is_free (word) || policy->handoff_looks == 0 || (policy->head_naps && sleeps == 0))
    return word;
  if (policy->head_naps)
    {
      await_end_of_quantum (lock);
      word = look_for (lock, 0, 0, 1);
    }
  if (is_free (word) || !set_word (lock, word, word | HANDOFF))
    return word;
  return look_for (lock, policy->handoff_looks, 0, 1);
}

static void
sleep_on (struct upcr_lock *lock, uint32_t word, unsigned *sleeps)
{
  uint32_t asleep = (word & ~HANDOFF) | SLEEPER | (*sleeps >= MOST_SLEEPS ? HANDOFF : 0);

  UPCR_RACE_POINT ();
  if (!set_word (lock, word, asleep))
    return;
  upcr_sleep (&lock->word, asleep);
  ++*sleeps;
}

/* HANDOFF has done its work when the head takes the lock. */
static void
acquire_as_head (struct upcr_lock *lock)
{
  unsigned sleeps = 0, rounds = 0;

  for (;;)
    {
      uint32_t word = compete (lock, sleeps);

      if (!is_free (word))
        {
          if (++rounds > upcr_wait_policy ()->head_rounds)
            sleep_on (lock, word, &sleeps);
        }
      else if (upcr_lock_take (lock, &word, LIVE | me ()))
        {
          begin_quantum (lock);
          return;
        }
      else
        sleeps++;
    }
}

/* A lock that is free, but to be handed to the head, for too long: see above. */
static bool
take_overdue (struct upcr_lock *lock, uint32_t word)
{
  if (upcr_is_oversubscribed ())
    return false;
  for (int looks = 0; word == (LIVE | HANDOFF); looks++)
    {
      if (looks == OVERDUE)
        return upcr_lock_take (lock, &word, LIVE | HANDOFF | me ());
      pass_time (0);
      word = atomic_load_explicit (&lock->word, memory_order_relaxed);
    }
  return false;
}

void
upcr_lock_acquire_slowly (struct upcr_lock *lock, uint32_t word)
{
  check_taker (lock, word, "upc_lock");
  if (take_overdue (lock, word))
    return;
  upcr_set_wait_reason ("upc_lock", lock);
  queue_up (lock);
  acquire_as_head (lock);
  leave_queue (lock);
}

void
upcr_lock_init (struct upcr_lock *lock, struct upcr_lock_origin origin)
{
  atomic_init (&lock->tail, 0);
  atomic_init (&lock->head, 0);
  atomic_init (&lock->acquisitions, 0);
  lock->begin_ns = lock->handoff_ns = lock->least_ns = 0;
  lock->origin = origin;
  atomic_init (&lock->word, LIVE);
}

/* A lock that is free, but to be handed to the head, counts as held: its new owner is decided. */
bool
upcr_lock_try (struct upcr_lock *lock)
{
  uint32_t word = LIVE;

  if (upcr_lock_take (lock, &word, LIVE | me ()))
    return true;
  check_taker (lock, word, "upc_lock_attempt");
  upcr_count_attempt (lock);
  if (upcr_is_oversubscribed ())
    upcr_idle_attempt ();
  return false;
}

static bool
has_had_quantum (const struct upcr_lock *lock, uint32_t count)
{
  uint64_t so_far_ns = upcr_kernel.now_ns () - lock->begin_ns;

  return so_far_ns >= lock->least_ns && (count >= QUANTUM_ACQUISITIONS || so_far_ns > QUANTUM_NS);
}

/* By the owner. All who are behind the tail wait, so that there is a head to hand the lock
   to, or one on its way. */
void
upcr_lock_check_quantum (struct upcr_lock *lock)
{
  uint32_t count = atomic_load_explicit (&lock->acquisitions, memory_order_relaxed);

  if (count >= QUANTUM_ACQUISITIONS)
    atomic_store_explicit (&lock->acquisitions, 0, memory_order_relaxed);
  if (upcr_is_oversubscribed () && atomic_load_explicit (&lock->tail, memory_order_relaxed) != 0
      && has_had_quantum (lock, count))
    atomic_fetch_or_explicit (&lock->word, HANDOFF, memory_order_relaxed);
}

/* The thread may have got the lock already, and be elsewhere. */
static void
hint_to (uint32_t head)
{
  _Atomic uint32_t *hints = &nodes[head - 1].hints;

  atomic_fetch_add_explicit (hints, 1, memory_order_relaxed);
  upcr_wake (hints, 1);
}

/* By the owner, whose quantum may be over. The head to wake, or 0. */
static uint32_t
end_quantum (struct upcr_lock *lock, uint32_t word)
{
  if (!(word & HANDOFF) || !upcr_is_oversubscribed ())
    return 0;
  lock->handoff_ns = upcr_kernel.now_ns ();
  return atomic_load_explicit (&lock->head, memory_order_relaxed);
}

/* The fence of upcr_lock_release is behind. */
void
upcr_lock_release_slowly (struct upcr_lock *lock, uint32_t word)
{
  uint32_t head;

  check_live (lock, word, "upc_unlock");
  if (is_free (word))
    upcr_refuse_lock (lock, "upc_unlock", "no thread holds");
  if ((word & OWNER) != me ())
    upcr_refuse_lock (lock, "upc_unlock", "thread %d holds", (int) (word & OWNER) - 1);
  head = end_quantum (lock, word);
  word = atomic_fetch_and_explicit (&lock->word, KIND | HANDOFF, memory_order_release);
  UPCR_RACE_POINT ();
  if (word & SLEEPER)
    upcr_wake (&lock->word, 1);
  else if (head)
    hint_to (head);
}

static void
check_no_waiter (struct upcr_lock *lock, const char *what)
{
  uint32_t waiter = atomic_load_explicit (&lock->tail, memory_order_relaxed);

  if (waiter != 0)
    upcr_refuse_lock (lock, what, "thread %d waits for", (int) waiter - 1);
}

/* Looks for waiters twice: before the word says that the lock is freed, or a waiter
   might be the one to report that; and after, for one that came meanwhile: the fence is as
   the one in queue_up. */
void
upcr_lock_destroy (struct upcr_lock *lock, const char *what)
{
  uint32_t word = atomic_load_explicit (&lock->word, memory_order_relaxed);

  check_live (lock, word, what);
  if (upcr_refuses_suspicious () && !is_free (word))
    upcr_refuse_lock (lock, what, "thread %d holds", (int) (word & OWNER) - 1);
  check_no_waiter (lock, what);
  /* Of two threads that free the lock one gets the live word. */
  word = atomic_exchange_explicit (&lock->word, FREED, memory_order_relaxed);
  upcr_fence_after_rmw ();
  check_live (lock, word, what);
  check_no_waiter (lock, what);
}
