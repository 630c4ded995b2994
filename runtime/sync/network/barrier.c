/* The barriers of all processes. Threads of processes that share memory synchronise in that memory. If
   there are several such groups, the first process of each group then synchronises with the others; a
   thread that waits there, or its progress thread, looks whether that is complete. The groups use
   dissemination: in round k each one tells the one 2^k after it what it knows. That covers the ids of
   twice as many groups as before. The maximum is not affected by counting some of them twice.

   Threads arrive at a barrier of the program, or at one of a library function. If some of them are at
   either, the barrier never ends, as if these were two barriers; the deadlock detector reports that.

   field of upcr_near->barrier   written by                            read by
   arrived                       who arrives: RMW, of either kind      the last one
   kinds                         the last one                          the first process, behind `beyond`
   most                          who arrives: RMW                      the last one; the first process
   beyond                        the last one; the first process       the first process, with acquire order
   given                         who finds that all is over            who waits, behind `epoch`
   epoch                         the same, with release order          who waits, with acquire order

   Only one barrier is in progress at a time: no thread is in the next one before this one is over for all,
   and library functions have none between upc_notify and upc_wait. */

#include "runtime/sync/primitives/barrier.h"

#include "runtime/arch/arch.h"
#include "runtime/net/net.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/mechanism/fence.h"
#include "runtime/sync/mechanism/sleep.h"
#include "runtime/sync/network/distance.h"
#include "runtime/sync/network/near.h"
#include "runtime/sync/network/post.h"
#include "runtime/sync/primitives/place.h"

#include <pthread.h>
#include <unistd.h>

struct upcr_barrier_thread upcr_barrier_threads[UPCR_MAX_THREADS];

/* What threads agree on is the greatest id with the lowest thread that gave it, and the least; SHIFT makes
   room for the thread. None is less than all. */
enum
{
  SHIFT = 16,
  LAST = (1 << SHIFT) - 1
};
#define NO_ID INT64_MIN

/* Kinds, as `arrived` counts their threads; each has half of it. */
enum kind
{
  PROGRAM = 1,
  LIBRARY = 1 << 16
};

static uint32_t
kinds_of (uint32_t arrived)
{
  return (arrived % LIBRARY ? PROGRAM : 0) | (arrived >= LIBRARY ? LIBRARY : 0);
}

/* What is to be done beyond the memory that this process shares. */
enum beyond
{
  NOTHING,
  TO_BEGIN,
  BEGUN
};

static UPCR_PER_PROCESS pthread_mutex_t trying = PTHREAD_MUTEX_INITIALIZER;

/* Of the meeting that has BEGUN, under `trying`. */
static UPCR_PER_PROCESS struct
{
  uint32_t number;
  int round;
  struct known
  {
    struct upcr_net_most most;
    uint32_t kinds;
  } known;
} meeting;

static void
set_ids (_Atomic int64_t *ids, struct upcr_net_most to)
{
  for (int i = 0; i < 2; i++)
    if (atomic_load_explicit (&ids[i], memory_order_relaxed) != to.value[i])
      atomic_store_explicit (&ids[i], to.value[i], memory_order_relaxed);
}

static struct upcr_net_most
ids_of (const _Atomic int64_t *ids)
{
  return (struct upcr_net_most){ { atomic_load_explicit (&ids[0], memory_order_relaxed),
                                   atomic_load_explicit (&ids[1], memory_order_relaxed) } };
}

static struct upcr_net_most
take_most (struct upcr_near_barrier *b)
{
  struct upcr_net_most all = ids_of (b->most);

  set_ids (b->most, (struct upcr_net_most){ { NO_ID, NO_ID } });
  return all;
}

static void
end (struct upcr_near_barrier *b, struct upcr_net_most all)
{
  uint32_t now = atomic_load_explicit (&b->epoch.value, memory_order_relaxed);

  set_ids (b->given, all);
  upcr_near_set (&b->epoch, now + 1);
}

static int
rounds_of_all (void)
{
  int rounds = 0;

  while (1 << rounds < upcr_net_node_count ())
    rounds++;
  return rounds;
}

static void
tell_next (void)
{
  int node = upcr_net_node_of (upcr_net_place ().rank);

  upcr_post_send ((node + (1 << meeting.round)) % upcr_net_node_count (), meeting.number,
                  UPCR_POST_BARRIER + meeting.round, &meeting.known, sizeof meeting.known);
}

static void
begin_meeting (struct known mine)
{
  meeting.number++;
  meeting.round = 0;
  meeting.known = mine;
  tell_next ();
}

static bool
is_meeting_over (void)
{
  while (upcr_post_has_come (meeting.number, UPCR_POST_BARRIER + meeting.round))
    {
      const struct known *its = upcr_post_text (meeting.number, UPCR_POST_BARRIER + meeting.round);

      meeting.known.kinds |= its->kinds;
      for (int i = 0; i < 2; i++)
        if (its->most.value[i] > meeting.known.most.value[i])
          meeting.known.most.value[i] = its->most.value[i];
      if (++meeting.round == rounds_of_all ())
        return true;
      tell_next ();
    }
  return false;
}

/* The first process's part in the meeting of those that share no memory. */
static void
look_beyond (void)
{
  struct upcr_near_barrier *b = &upcr_near->barrier;
  uint32_t state = atomic_load_explicit (&b->beyond, memory_order_acquire);

  if (state == NOTHING || pthread_mutex_trylock (&trying) != 0)
    return;
  state = atomic_load_explicit (&b->beyond, memory_order_acquire);
  if (state == TO_BEGIN)
    {
      begin_meeting ((struct known){ take_most (b), b->kinds });
      atomic_store_explicit (&b->beyond, BEGUN, memory_order_relaxed);
    }
  else if (state == BEGUN && is_meeting_over ())
    {
      atomic_store_explicit (&b->beyond, NOTHING, memory_order_relaxed);
      if (meeting.known.kinds != (PROGRAM | LIBRARY))
        end (b, meeting.known.most);
    }
  pthread_mutex_unlock (&trying);
}

bool
upcr_barrier_goes_on (void)
{
  uint32_t state = atomic_load_explicit (&upcr_near->barrier.beyond, memory_order_acquire);
  struct upcr_net_place place = upcr_net_place ();
  bool has_come;

  if (state != BEGUN || place.rank != place.first_near)
    return state == TO_BEGIN;
  if (pthread_mutex_trylock (&trying) != 0)
    return true;
  has_come = upcr_post_has_come (meeting.number, UPCR_POST_BARRIER + meeting.round);
  pthread_mutex_unlock (&trying);
  return has_come;
}

void
upcr_barrier_init (int threads)
{
  struct upcr_net_place place = upcr_net_place ();

  (void) threads;
  if (place.rank != place.first_near)
    return;
  set_ids (upcr_near->barrier.most, (struct upcr_net_most){ { NO_ID, NO_ID } });
  set_ids (upcr_near->barrier.given, (struct upcr_net_most){ { NO_ID, NO_ID } });
  if (!upcr_are_all_near ())
    upcr_net_hook_progress (look_beyond);
}

static void
raise (_Atomic int64_t *most, int64_t value)
{
  int64_t seen = atomic_load_explicit (most, memory_order_relaxed);

  while (seen < value
         && !atomic_compare_exchange_weak_explicit (most, &seen, value, memory_order_relaxed,
                                                    memory_order_relaxed))
    ;
}

static void
join (struct upcr_near_barrier *b, struct upcr_net_most mine)
{
  for (int i = 0; i < 2; i++)
    raise (&b->most[i], mine.value[i]);
}

/* What the thread gives of ID. */
static struct upcr_net_most
ids_for (int id)
{
  if (id == UPCR_NO_ID)
    return (struct upcr_net_most){ { NO_ID, NO_ID } };
  return (struct upcr_net_most){ { (int64_t) id * (1 << SHIFT) + (LAST - MYTHREAD),
                                   -(int64_t) id * (1 << SHIFT) + (LAST - MYTHREAD) } };
}

/* The last thread of those that share memory. */
static void
go_on (struct upcr_near_barrier *b, uint32_t kinds)
{
  struct upcr_net_place place = upcr_net_place ();

  atomic_store_explicit (&b->arrived, 0, memory_order_relaxed);
  if (upcr_are_all_near ())
    {
      if (kinds != (PROGRAM | LIBRARY))
        end (b, take_most (b));
      return;
    }
  b->kinds = kinds;
  atomic_store_explicit (&b->beyond, TO_BEGIN, memory_order_release);
  if (place.rank == place.first_near)
    look_beyond ();
}

/* Where THREAD gave its id in an epoch, in its mailbox, as a distance. There are two, as a thread may notify before
   another one has looked. */
static const void **
place_of (int thread, uint32_t epoch)
{
  return (const void **) (upcr_mailbox (thread) + UPCR_MAILBOX_PLACES) + (epoch & 1);
}

/* The calling thread's accesses so far are done. Returns the epoch that it waits for the end of. */
static uint32_t
arrive (struct upcr_net_most mine, enum kind kind)
{
  struct upcr_near_barrier *b = &upcr_near->barrier;
  uint32_t now = atomic_load_explicit (&b->epoch.value, memory_order_relaxed), arrived;

  upcr_flush ();
  if (mine.value[0] != NO_ID)
    {
      *place_of (MYTHREAD, now) = upcr_distance_of (upcr_caller);
      join (b, mine);
    }
  /* Acquire and release: the last one goes on after what all have done. The strict access that a notification
     is comes between the stores of before and the loads of after. */
  arrived = atomic_fetch_add_explicit (&b->arrived, kind, memory_order_acq_rel) + kind;
  upcr_fence_after_rmw ();
  if (arrived / LIBRARY + arrived % LIBRARY == (uint32_t) upcr_near_threads)
    go_on (b, kinds_of (arrived));
  return now;
}

static bool
is_over (uint32_t then)
{
  return atomic_load_explicit (&upcr_near->barrier.epoch.value, memory_order_acquire) != then;
}

/* WHAT waits, for reports. */
static void
await (uint32_t then, const char *what)
{
  upcr_set_wait_reason (what, NULL);
  upcr_near_await (&upcr_near->barrier.epoch, then);
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

static _Noreturn void
await_end (void)
{
  unsigned looks = 0;

  for (;;)
    upcr_net_relax (&looks);
}

static const char *
place_text (char text[UPCR_PLACE_BYTES], int thread, uint32_t epoch)
{
  const void *place;

  upcr_load (&place, place_of (thread, epoch), sizeof place);
  return upcr_place_text (text, &(struct upcr_location){ 0 }, upcr_at_distance (place));
}

/* Places are found by one thread at a time: the one that ends the run, or with the lock, which has no end where the run
   ends. */
static pthread_mutex_t reporting = PTHREAD_MUTEX_INITIALIZER;

static void
begin_report (void)
{
  if (upcr_options.mismatch_warns)
    pthread_mutex_lock (&reporting);
  else
    upcr_end_once ();
}

/* All threads find out that the ids differ; the first of the two that are named says so. */
static void
report_difference (struct upcr_net_most all, uint32_t epoch, const char *what)
{
  int threads[] = { thread_in (all.value[0]), thread_in (all.value[1]) };
  int ids[] = { greatest_id (all.value[0]), -greatest_id (all.value[1]) };
  int first = threads[0] > threads[1];
  char text[2][UPCR_PLACE_BYTES];

  if (MYTHREAD != threads[first] && upcr_options.mismatch_warns)
    return;
  if (MYTHREAD != threads[first])
    await_end ();
  begin_report ();
  upcr_complain (upcr_options.mismatch_warns,
                 "%s: the ids differ: thread %d gave %d%s, thread %d gave %d%s", what,
                 threads[first], ids[first], place_text (text[0], threads[first], epoch),
                 threads[!first], ids[!first], place_text (text[1], threads[!first], epoch));
  pthread_mutex_unlock (&reporting);
}

static void
report_other_id (struct upcr_net_most all, uint32_t epoch, int id)
{
  int giver = thread_in (all.value[0]);
  char text[UPCR_PLACE_BYTES];

  begin_report ();
  upcr_complain (upcr_options.mismatch_warns,
                 "upc_wait: id %d differs from the id %d that thread %d gave to upc_notify%s", id,
                 greatest_id (all.value[0]), giver, place_text (text, giver, epoch));
  pthread_mutex_unlock (&reporting);
}

/* The rules of UPC 1.3, 6.6.1; see barrier_id.c. */
static void
check_ids (int id, uint32_t epoch, const char *what)
{
  struct upcr_net_most all = ids_of (upcr_near->barrier.given);

  if (all.value[0] == NO_ID)
    return;
  if (greatest_id (all.value[0]) != -greatest_id (all.value[1]))
    report_difference (all, epoch, what);
  else if (id != UPCR_NO_ID && id != greatest_id (all.value[0]))
    report_other_id (all, epoch, id);
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

/* Arrives at a barrier of the program. */
static void
begin_phase (int id)
{
  set_epoch (atomic_load_explicit (&upcr_near->barrier.epoch.value, memory_order_relaxed));
  set_notified (true);
  arrive (ids_for (id), PROGRAM);
}

/* Waits for its end. */
static void
end_phase (int id, const char *what)
{
  await (own_epoch (), what);
  check_ids (id, own_epoch (), what);
  set_notified (false);
}

void
upcr_notify (int id)
{
  if (upcr_has_notified (MYTHREAD))
    upcr_fatal ("upc_notify twice without upc_wait between");
  begin_phase (id);
}

bool
upcr_report_notifications (void)
{
  bool is_any = upcr_has_notified (MYTHREAD);

  if (is_any)
    upcr_print_error ("upc_notify without upc_wait at the end");
  return is_any;
}

bool
upcr_barrier_is_over (void)
{
  upcr_net_progress ();
  return is_over (own_epoch ());
}

void
upcr_wait (int id)
{
  if (!upcr_has_notified (MYTHREAD))
    upcr_fatal ("upc_wait without upc_notify");
  end_phase (id, "upc_wait");
  /* A strict access, too: what the thread stored since its notification comes before what it loads now. */
  upcr_hardware_fence ();
}

void
upcr_barrier (int id)
{
  if (upcr_has_notified (MYTHREAD))
    upcr_fatal ("upc_barrier between upc_notify and upc_wait");
  begin_phase (id);
  end_phase (id, "upc_barrier");
}

void
upcr_collective_barrier (const char *what)
{
  upcr_reject_in_split_phase (what);
  await (arrive (ids_for (UPCR_NO_ID), LIBRARY), what);
}

/* No thread is in the next barrier before this one has read what was given. */
struct upcr_net_most
upcr_collective_most (struct upcr_net_most mine, const char *what)
{
  upcr_reject_in_split_phase (what);
  await (arrive (mine, LIBRARY), what);
  return ids_of (upcr_near->barrier.given);
}
