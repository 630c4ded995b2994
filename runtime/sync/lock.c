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
   are more threads than CPUs: nobody waits for the next in line to get a CPU.

   Turns. A lock that goes back and forth costs a transfer of its line and of all that
   it guards each time. So the head looks rarely at first, and lets the threads that
   run take the lock again and again. After a turn of some tens of microseconds it sets
   PROMISED: the lock is its own when next freed. Within a turn the lock costs what it
   costs without contention; over many turns each thread has its share.

   Where CPUs are short a head may be able to run and yet have none until the next tick
   of the clock, behind the very thread whose turn it is. There the owner ends the turn
   itself, after TURN_TAKES or TURN_NS: it promises the lock, wakes the head when it
   releases it, and queues up when it wants it again. Beside other programs the head may
   get a CPU late even so, and no one uses the lock meanwhile: then turns last for twice as
   long as that took.

   Where they are not, a promise is made by a head that runs, and it sleeps without one, so
   that nobody waits for a thread that has no CPU; but after PASSED_OVER sleeps in vain it
   sleeps with one. Who comes by and finds the lock free, but promised to a thread that does
   not take it, takes it after some looks; the promise stands.

   Freed locks. Once another thread can take the lock, nothing here reads or writes it: who
   releases it has read who the head is before, and wakes by address; who is woken does not
   look at it again before it has acquired it or found out that it was freed, which is the
   program's error. What outlives a lock, the nodes, belongs to threads. So its memory may
   be reused as soon as the program may free it, with no grace period: there is no reader
   that one would wait for.

   field      written by                          read by             order
   word       owner, head, who comes by: RMW      all                 acquire, release
 X   node.next  its thread; the thread behind       its thread          release, acquire
   node.turn  its thread; the thread before       its thread          release, acquire
   node.calls who ends a turn: RMW                its thread          relaxed: a hint
   head       who naps as it                      who ends a turn     relaxed: a hint
   takes      the owner                           owner, head         relaxed: a hint
   …_ns       the owner                           the owner           by word */

#include "runtime/host/host.h"
#include "runtime/sync/debug.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/lock.h"
#include "runtime/sync/park.h"
#include "runtime/sync/poll.h"
#include "runtime/sync/stuck.h"
#include "runtime/sync/sync.h"

enum
{
  OWNER = 0x00000fff,
  SLEEPER = 0x00004000,
  PROMISED = 0x00008000,
  PASSED_OVER = 4,
  /* Looks of who finds a free lock promised. */
  OVERDUE = 200,
  /* Looks of the head before it promises itself the lock, and before it sleeps then. A
     look is followed by pauses, up to MOST_PAUSES, or by a yield where CPUs are short. */
  LOOKS_A_TURN = 24,
  FREE_LOOKS = 3,
  SPACING_IN_USE = 4,
  LOOKS_PROMISED = 500,
  YIELDS_PROMISED = 16,
  MOST_PAUSES = 128,
  /* With UPC_WAIT=spin: so often all of these before the wait goes on marked (kernel.c). */
  LONG_SPINS = 1000,
  TURN_NS = 100000,
  LONGEST_TURN_NS = 10000000,
  TURN_TAKES = 4096
};

#define KIND 0xffff0000u
#define LIVE UPCR_LOCK_LIVE
#define FREED 0xf2ee0000u

_Static_assert (sizeof (struct upcr_lock) == UPCR_LOCK_BYTES, "a lock fills its cache line");
_Static_assert (UPCR_MAX_THREADS < OWNER, "an owner fits beside the flags");

/* A thread waits for one lock at a time, so it needs one node. */
static struct node
{
  _Alignas (64) _Atomic uint32_t turn;
  _Atomic uint32_t next;
  _Atomic uint32_t calls;
} nodes[UPCR_MAX_THREADS];

static uint32_t
me (void)
{
  return MYTHREAD + 1;
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
  upcr_fence_after_rmw ();
  if (before == 0)
    return;
  UPCR_ASSERT (before <= UPCR_MAX_THREADS && before != me ());
  UPCR_WINDOW ();
  atomic_store_explicit (&nodes[before - 1].next, me (), memory_order_release);
  upcr_unpark_all (&nodes[before - 1].next);
  /* A yield would give a whole slice to a thread that takes the lock again and again. */
  if (upcr_is_oversubscribed ())
    upcr_park_asleep (&node->turn, 0);
  else
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

/* Between two looks of the head. */
static void
pass_time (unsigned looks)
{
  unsigned pauses = looks < 7 ? 1u << looks : MOST_PAUSES;

  if (upcr_is_oversubscribed ())
    upcr_kernel.yield ();
  else
    while (pauses-- > 0)
      upcr_pause ();
}

/* Was the lock taken since *TAKES was read? Brings it up to date. */
static bool
was_used (struct upcr_lock *lock, uint32_t *takes)
{
  uint32_t before = *takes;

  *takes = atomic_load_explicit (&lock->takes, memory_order_relaxed);
  return *takes != before;
}

/* Waits awake for the lock to be free; returns its word, free or not. The first look
   comes soon: the lock may be held for a moment only. A free lock has to be seen FREE
   times in a row, without uses in between, or it is between two of them by a thread that
   has a turn: where there were uses before, that thread has time for the next one. */
static uint32_t
look_for (struct upcr_lock *lock, unsigned most, unsigned spacing, unsigned free)
{
  uint32_t takes = atomic_load_explicit (&lock->takes, memory_order_relaxed);
  unsigned seen_free = 0, free_spacing = 0;

  for (unsigned looks = 0;; looks++)
    {
      uint32_t word = atomic_load_explicit (&lock->word, memory_order_acquire);
      bool is_free = (word & OWNER) == 0;

      check_live (word, "upc_lock");
      if (is_free && was_used (lock, &takes))
        {
          free_spacing = SPACING_IN_USE;
          seen_free = 0;
        }
      seen_free = is_free ? seen_free + 1 : 0;
      if (seen_free >= free || looks >= most)
        return word;
      if (upcr_progress)
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
begin_turn (struct upcr_lock *lock)
{
  atomic_store_explicit (&lock->takes, 0, memory_order_relaxed);
  lock->turn_ns = upcr_now_ns ();
  lock->least_ns = lock->promised_ns ? smaller (2 * (lock->turn_ns - lock->promised_ns), LONGEST_TURN_NS) : 0;
  lock->promised_ns = 0;
}

/* Sleeps until the owner ends the turn, or for as long as one takes. What ends the sleep
   is no more than a hint, so that it may come late or never. */
static void
await_end_of_turn (struct upcr_lock *lock)
{
  struct node *node = &nodes[MYTHREAD];
  uint32_t calls = atomic_load_explicit (&node->calls, memory_order_relaxed);

  atomic_store_explicit (&lock->head, me (), memory_order_relaxed);
  upcr_kernel.nap (&node->calls, calls, TURN_NS);
}

/* What is to be seen when patience ends: a turn without a promise, then a while with
   one. SLEEPS in vain have gone before. */
static uint32_t
wait_awake (struct upcr_lock *lock, unsigned sleeps)
{
  bool is_crowded = upcr_is_oversubscribed ();
  uint32_t word;

  word = look_for (lock, is_crowded || sleeps ? 0 : LOOKS_A_TURN, MOST_PAUSES, FREE_LOOKS);
  if ((word & OWNER) == 0 || (is_crowded && sleeps == 0 && upcr_options.wait != UPCR_WAIT_SPIN))
    return word;
  if (is_crowded && upcr_options.wait != UPCR_WAIT_SPIN)
    {
      await_end_of_turn (lock);
      word = look_for (lock, 0, 0, 1);
    }
  if ((word & OWNER) == 0 || !set_word (lock, word, word | PROMISED))
    return word;
  return look_for (lock, is_crowded ? YIELDS_PROMISED : LOOKS_PROMISED, 0, 1);
}

static void
sleep_on (struct upcr_lock *lock, uint32_t word, unsigned *sleeps)
{
  uint32_t asleep = (word & ~PROMISED) | SLEEPER | (*sleeps >= PASSED_OVER ? PROMISED : 0);

  UPCR_WINDOW ();
  if (!set_word (lock, word, asleep))
    return;
  upcr_sleep (&lock->word, asleep);
  ++*sleeps;
}

/* PROMISED has done its work when the head takes the lock. */
static void
acquire_as_head (struct upcr_lock *lock)
{
  unsigned sleeps = 0, spins = 0;
  uint32_t word;

  for (;;)
    {
      if (upcr_options.wait == UPCR_WAIT_SLEEP)
        word = look_for (lock, 0, 0, 1);
      else
        word = wait_awake (lock, sleeps);
      if ((word & OWNER) == 0)
        {
          if (upcr_lock_take (lock, &word, LIVE | me ()))
            {
              begin_turn (lock);
              return;
            }
          sleeps++;
        }
      else if (upcr_options.wait != UPCR_WAIT_SPIN || ++spins > LONG_SPINS)
        sleep_on (lock, word, &sleeps);
    }
}

/* A lock that is free and promised, for too long: see above. */
static bool
take_overdue (struct upcr_lock *lock, uint32_t word)
{
  if (upcr_is_oversubscribed ())
    return false;
  for (int looks = 0; word == (LIVE | PROMISED); looks++)
    {
      if (looks == OVERDUE)
        return upcr_lock_take (lock, &word, LIVE | PROMISED | me ());
      pass_time (0);
      word = atomic_load_explicit (&lock->word, memory_order_relaxed);
    }
  return false;
}

void
upcr_lock_acquire_slowly (struct upcr_lock *lock, uint32_t word)
{
  check_taker (word, "upc_lock");
  if (take_overdue (lock, word))
    return;
  upcr_set_wait_reason ("upc_lock", lock);
  queue_up (lock);
  acquire_as_head (lock);
  leave_queue (lock);
}

void
upcr_lock_init (struct upcr_lock *lock)
{
  atomic_init (&lock->tail, 0);
  atomic_init (&lock->head, 0);
  atomic_init (&lock->takes, 0);
  lock->turn_ns = lock->promised_ns = lock->least_ns = 0;
  atomic_init (&lock->word, LIVE);
}

void
upcr_lock_acquire (struct upcr_lock *lock)
{
  upcr_lock_acquire_inline (lock);
}

/* A lock that is free but promised counts as held: its new owner is decided. */
bool
upcr_lock_try (struct upcr_lock *lock)
{
  uint32_t word = LIVE;

  if (upcr_lock_take (lock, &word, LIVE | me ()))
    return true;
  check_taker (word, "upc_lock_attempt");
  if (upcr_is_oversubscribed ())
    upcr_idle_attempt ();
  return false;
}

static bool
has_had_turn (const struct upcr_lock *lock, uint32_t takes)
{
  uint64_t so_far_ns = upcr_now_ns () - lock->turn_ns;

  return so_far_ns >= lock->least_ns && (takes >= TURN_TAKES || so_far_ns > TURN_NS);
}

/* By the owner. All who are behind the tail wait, so that there is a head to promise it
   to, or one on its way. */
void
upcr_lock_look_at_turn (struct upcr_lock *lock)
{
  uint32_t takes = atomic_load_explicit (&lock->takes, memory_order_relaxed);

  if (takes >= TURN_TAKES)
    atomic_store_explicit (&lock->takes, 0, memory_order_relaxed);
  if (upcr_is_oversubscribed () && atomic_load_explicit (&lock->tail, memory_order_relaxed) != 0
      && has_had_turn (lock, takes))
    atomic_fetch_or_explicit (&lock->word, PROMISED, memory_order_relaxed);
}

/* The thread may have got the lock already, and be elsewhere. */
static void
call (uint32_t head)
{
  _Atomic uint32_t *calls = &nodes[head - 1].calls;

  atomic_fetch_add_explicit (calls, 1, memory_order_relaxed);
  upcr_wake (calls, 1);
}

/* By the owner, whose turn may be over. Whom to call, or 0. */
static uint32_t
end_turn (struct upcr_lock *lock, uint32_t word)
{
  if (!(word & PROMISED) || !upcr_is_oversubscribed ())
    return 0;
  lock->promised_ns = upcr_now_ns ();
  return atomic_load_explicit (&lock->head, memory_order_relaxed);
}

void
upcr_lock_release_slowly (struct upcr_lock *lock, uint32_t word)
{
  uint32_t head;

  check_live (word, "upc_unlock");
  if ((word & OWNER) == 0)
    upcr_fatal ("upc_unlock: no thread holds the lock");
  if ((word & OWNER) != me ())
    upcr_fatal ("upc_unlock: thread %d holds the lock", (int) (word & OWNER) - 1);
  head = end_turn (lock, word);
  word = atomic_fetch_and_explicit (&lock->word, KIND | PROMISED, memory_order_seq_cst);
  upcr_fence_after_rmw ();
  UPCR_WINDOW ();
  if (word & SLEEPER)
    upcr_wake (&lock->word, 1);
  else if (head)
    call (head);
}

void
upcr_lock_release (struct upcr_lock *lock)
{
  upcr_lock_release_inline (lock);
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
  if (upcr_options.check && (word & OWNER) != 0)
    upcr_fatal ("%s: the lock is held by thread %d", what, (int) (word & OWNER) - 1);
  check_no_waiter (lock, what);
  /* Of two threads that free the lock one gets the live word. */
  word = atomic_exchange_explicit (&lock->word, FREED, memory_order_seq_cst);
  upcr_fence_after_rmw ();
  check_live (word, what);
  check_no_waiter (lock, what);
}
