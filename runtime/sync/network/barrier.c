/* The barriers of all processes: the threads of each meet, then the last of them begins a barrier of the
   processes, and who waits tries whether that is over.

   field        written by                                         read by
   arrived      who arrives: RMW                                   the last one
   most         who arrives, under `ids`                           the last one
   given        who finds that the processes' barrier is over,     who waits, behind `epoch`
                under `trying`
   epoch        the same, with release order                       who waits, with acquire order
   is_begun     the last to arrive, with release order; the same   who waits

   One barrier is under way at a time: no thread is in the next before this one is over for all, and
   library functions have none between upc_notify and upc_wait. */

#include "runtime/sync/primitives/barrier.h"

#include "runtime/net/net.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/mechanism/fence.h"

#include <pthread.h>
#include <unistd.h>

struct upcr_barrier_thread upcr_barrier_threads[UPCR_MAX_THREADS];

/* What processes agree on is the greatest id with the lowest thread that gave it, and the least; SHIFT makes
   room for the thread. None is less than all. */
enum
{
  SHIFT = 16,
  LAST = (1 << SHIFT) - 1
};
#define NO_ID INT64_MIN

static pthread_mutex_t ids = PTHREAD_MUTEX_INITIALIZER, trying = PTHREAD_MUTEX_INITIALIZER;
static struct upcr_net_most most, given;
static _Atomic int arrived;
static _Atomic uint32_t epoch;
static _Atomic bool is_begun;

static struct upcr_net_most
no_ids (void)
{
  return (struct upcr_net_most){ { NO_ID, NO_ID } };
}

void
upcr_barrier_init (int threads)
{
  (void) threads;
  most = no_ids ();
}

static void
join (int id)
{
  int64_t greatest = (int64_t) id * (1 << SHIFT) + (LAST - MYTHREAD);
  int64_t least = -(int64_t) id * (1 << SHIFT) + (LAST - MYTHREAD);

  pthread_mutex_lock (&ids);
  if (greatest > most.value[0])
    most.value[0] = greatest;
  if (least > most.value[1])
    most.value[1] = least;
  pthread_mutex_unlock (&ids);
}

/* The calling thread's accesses so far are done. Returns the epoch that it waits for the end of. */
static uint32_t
arrive (int id)
{
  uint32_t now = atomic_load_explicit (&epoch, memory_order_relaxed);
  struct upcr_net_most all;

  upcr_strict_fence ();
  if (id != UPCR_NO_ID)
    join (id);
  /* Acquire and release: the last one's barrier comes after what all have done. */
  if (atomic_fetch_add_explicit (&arrived, 1, memory_order_acq_rel) + 1 < UPCR_OWN_THREADS)
    return now;
  atomic_store_explicit (&arrived, 0, memory_order_relaxed);
  all = most;
  most = no_ids ();
  upcr_net_barrier_begin (all);
  atomic_store_explicit (&is_begun, true, memory_order_release);
  return now;
}

static void
look (void)
{
  struct upcr_net_most all;

  if (pthread_mutex_trylock (&trying) != 0)
    return;
  if (atomic_load_explicit (&is_begun, memory_order_acquire) && upcr_net_barrier_try (&all))
    {
      given = all;
      atomic_store_explicit (&is_begun, false, memory_order_relaxed);
      atomic_fetch_add_explicit (&epoch, 1, memory_order_release);
    }
  pthread_mutex_unlock (&trying);
}

static bool
is_over (uint32_t then)
{
  return atomic_load_explicit (&epoch, memory_order_acquire) != then;
}

static void
await (uint32_t then)
{
  unsigned looks = 0;

  while (!is_over (then))
    {
      look ();
      if (is_over (then))
        break;
      upcr_net_relax (&looks);
    }
  atomic_thread_fence (memory_order_seq_cst);
}

static int
thread_in (int64_t value)
{
  return LAST - (int) (value & LAST);
}

static int
greatest_id (int64_t value)
{
  return value >> SHIFT;
}

/* All threads find out that the ids differ; the first of the two that are named says so. */
static _Noreturn void
report_difference (struct upcr_net_most all, const char *what)
{
  int a = thread_in (all.value[0]), b = thread_in (all.value[1]);
  int of_a = greatest_id (all.value[0]), of_b = -greatest_id (all.value[1]);
  unsigned looks = 0;

  if (MYTHREAD != (a < b ? a : b))
    for (;;)
      upcr_net_relax (&looks);
  if (a < b)
    upcr_fatal ("%s: the ids differ: thread %d gave %d, thread %d gave %d", what, a, of_a, b, of_b);
  upcr_fatal ("%s: the ids differ: thread %d gave %d, thread %d gave %d", what, b, of_b, a, of_a);
}

/* The rules of UPC 1.3, 6.6.1; see barrier_id.c. */
static void
check_ids (int id, const char *what)
{
  struct upcr_net_most all = given;

  if (all.value[0] == NO_ID)
    return;
  if (greatest_id (all.value[0]) != -greatest_id (all.value[1]))
    report_difference (all, what);
  if (id != UPCR_NO_ID && id != greatest_id (all.value[0]))
    upcr_fatal ("upc_wait: id %d differs from the id %d that thread %d gave to upc_notify", id,
                greatest_id (all.value[0]), thread_in (all.value[0]));
}

static void
set_notified (bool now)
{
  atomic_store_explicit (&upcr_barrier_threads[MYTHREAD].notified, now, memory_order_relaxed);
}

static void
set_epoch (uint32_t then)
{
  atomic_store_explicit (&upcr_barrier_threads[MYTHREAD].epoch, then, memory_order_relaxed);
}

static uint32_t
own_epoch (void)
{
  return atomic_load_explicit (&upcr_barrier_threads[MYTHREAD].epoch, memory_order_relaxed);
}

void
upcr_notify (int id)
{
  if (upcr_has_notified (MYTHREAD))
    upcr_fatal ("upc_notify twice without upc_wait between");
  set_notified (true);
  set_epoch (arrive (id));
}

bool
upcr_barrier_is_over (void)
{
  look ();
  return is_over (own_epoch ());
}

void
upcr_wait (int id)
{
  if (!upcr_has_notified (MYTHREAD))
    upcr_fatal ("upc_wait without upc_notify");
  await (own_epoch ());
  check_ids (id, "upc_wait");
  set_notified (false);
}

void
upcr_barrier (int id)
{
  if (upcr_has_notified (MYTHREAD))
    upcr_fatal ("upc_barrier between upc_notify and upc_wait");
  await (arrive (id));
  check_ids (id, "upc_barrier");
}

void
upcr_collective_barrier (const char *what)
{
  upcr_reject_in_split_phase (what);
  await (arrive (UPCR_NO_ID));
}
