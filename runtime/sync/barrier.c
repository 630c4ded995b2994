/* upc_notify, upc_wait, upc_barrier, and the barrier of library functions.

   Ids. Two threads compare them. Of more, the first to give an id in a phase makes it
   the consensus of the phase; who gives another one tears it. There is a consensus for even phases and
   one for odd ones: it is read in upc_wait, when a quick thread may have notified
   in the next phase already. The last thread to notify in a phase clears the other
   one: all have notified, so all are through the wait of the phase before, and no
   one is in the phase after.

   A program that gives no ids writes none of this, and reads one line that stays
   in every cache.

   field              written by                      read by      order
   slot.notified      its thread                      reports too  relaxed
   slot.seen          its thread                      reports too  relaxed
   id of its node     its thread, in upc_notify       all of two   by the rendezvous
   slot.place, caller its thread, in upc_notify       who reports  by the rendezvous
   consensus[phase]   the first to give an id;        all          relaxed RMW, by the
                      0 by the last of the next phase              rendezvous
   torn[phase]        who gives another id            all          by the rendezvous

   "By the rendezvous": written before arriving, read after the epoch moved. */

#include "runtime/sync/barrier.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/sync/debug.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/rendezvous.h"
#include "runtime/sync/stuck.h"
#include "runtime/sync/sync.h"

#include <stdio.h>
#include <string.h>

enum { PLACE_BYTES = 768 };

struct upcr_slot upcr_slots[UPCR_MAX_THREADS];

static struct
{
  /* 0, or GIVEN | thread << 32 | id */
  _Alignas (64) _Atomic uint64_t consensus[UPCR_PHASES];
  atomic_bool torn[UPCR_PHASES];
} ids;

#define GIVEN (1ull << 63)

static struct upcr_rendezvous program, library;

void
upcr_barrier_init (int threads)
{
  upcr_rendezvous_init (&program, threads, 0);
  upcr_rendezvous_init (&library, threads, 0);
  for (int t = 0; t < threads; t++)
    memset (&upcr_slots[t], 0, sizeof upcr_slots[t]);
  for (int phase = 0; phase < UPCR_PHASES; phase++)
    {
      atomic_init (&ids.consensus[phase], 0);
      atomic_init (&ids.torn[phase], false);
    }
}

static bool
has_notified (const struct upcr_slot *slot)
{
  return atomic_load_explicit (&slot->notified, memory_order_relaxed);
}

static void
set_notified (struct upcr_slot *slot, bool now)
{
  atomic_store_explicit (&slot->notified, now, memory_order_relaxed);
}

static uint32_t
phase_seen (const struct upcr_slot *slot)
{
  return atomic_load_explicit (&slot->seen, memory_order_relaxed);
}

bool
upcr_has_notified (int thread)
{
  return has_notified (&upcr_slots[thread]);
}

bool
upcr_has_come (int thread, int other)
{
  return has_notified (&upcr_slots[thread])
         && phase_seen (&upcr_slots[thread]) == phase_seen (&upcr_slots[other]);
}

static int
id_of (int thread, int phase)
{
  return program.nodes[thread].id[phase];
}

/* Relaxed throughout: the arrival that follows publishes it. */
static void
give_id (struct upcr_slot *slot, int phase, int id)
{
  uint64_t mine = GIVEN | (uint64_t) MYTHREAD << 32 | (uint32_t) id;
  uint64_t first = atomic_load_explicit (&ids.consensus[phase], memory_order_relaxed);

  slot->place[phase] = upcr_here;
  slot->caller[phase] = upcr_caller;
  if (upcr_rendezvous_is_flat (&program))
    return;
  if (first == 0
      && atomic_compare_exchange_strong_explicit (&ids.consensus[phase], &first, mine,
                                                  memory_order_relaxed, memory_order_relaxed))
    return;
  if ((int) (uint32_t) first != id)
    atomic_store_explicit (&ids.torn[phase], true, memory_order_relaxed);
}

static void
clear_ids (int phase)
{
  UPCR_ASSERT (!atomic_load (&ids.torn[phase]));
  if (atomic_load_explicit (&ids.consensus[phase], memory_order_relaxed) != 0)
    atomic_store_explicit (&ids.consensus[phase], 0, memory_order_relaxed);
}

/* Most programs give the same one always: not written again, the other threads keep their
   copies of the line until the mark changes. */
static void
set_id (struct upcr_node *node, int phase, int id)
{
  if (node->id[phase] != id)
    node->id[phase] = id;
}

/* What precedes an arrival: the phase that the thread is in. */
static uint32_t
begin_phase (struct upcr_slot *slot, int id)
{
  uint32_t seen = upcr_rendezvous_epoch (&program);

  atomic_store_explicit (&slot->seen, seen, memory_order_relaxed);
  set_notified (slot, true);
  set_id (&program.nodes[MYTHREAD], seen % UPCR_PHASES, id);
  if (id != UPCR_NO_ID)
    give_id (slot, seen % UPCR_PHASES, id);
  return seen;
}

static void
arrive (uint32_t seen)
{
  if (upcr_rendezvous_arrive (&program, seen))
    {
      clear_ids (!(seen % UPCR_PHASES));
      upcr_rendezvous_open (&program, seen);
    }
}

/* " at FILE:LINE" in TEXT, " in FUNCTION" behind where only the code tells; nothing where
   neither is known. */
static const char *
place_text (char text[PLACE_BYTES], int thread, int phase)
{
  const struct upcr_slot *slot = &upcr_slots[thread];
  const char *caller = slot->caller[phase];
  struct upcr_symbol where = { .address = caller ? caller - 1 : NULL };
  size_t used = 0;

  text[0] = '\0';
  if (slot->place[phase].file)
    snprintf (text, PLACE_BYTES, " at %s:%d", slot->place[phase].file, slot->place[phase].line);
  else if (slot->caller[phase])
    {
      upcr_symbolize (&where, 1);
      if (where.line)
        used = snprintf (text, PLACE_BYTES, " at %s:%d", where.file, where.line);
      if (where.function[0] && used < PLACE_BYTES)
        snprintf (text + used, PLACE_BYTES - used, " in %s", where.function);
    }
  return text;
}

static int
next_thread_with_id (int thread, int phase)
{
  while (id_of (thread, phase) == UPCR_NO_ID)
    thread++;
  return thread;
}

/* The two lowest threads that show it, so that every thread says the same. No
   slot changes now: who would notify again has to report this first. */
static _Noreturn void
report_torn (int phase, const char *what)
{
  char place_a[PLACE_BYTES], place_b[PLACE_BYTES];
  int a = next_thread_with_id (0, phase);
  int b = next_thread_with_id (a + 1, phase);

  /* Places are found by one thread at a time. */
  upcr_end_once ();
  while (id_of (b, phase) == id_of (a, phase))
    b = next_thread_with_id (b + 1, phase);
  upcr_fatal ("%s: the ids differ: thread %d gave %d%s, thread %d gave %d%s", what,
              a, id_of (a, phase), place_text (place_a, a, phase),
              b, id_of (b, phase), place_text (place_b, b, phase));
}

static _Noreturn void
report_other_id (int phase, int id, uint64_t consensus)
{
  char place[PLACE_BYTES];
  int giver = (consensus & ~GIVEN) >> 32;

  upcr_end_once ();
  upcr_fatal ("upc_wait: id %d differs from the id %d that thread %d gave to upc_notify%s", id,
              (int) (uint32_t) consensus, giver, place_text (place, giver, phase));
}

/* Where no one is the last there is no one to clear a consensus either: each thread
   finds it in the lines that it has read anyway. */
static uint64_t
flat_consensus (int phase, bool *is_torn)
{
  uint64_t consensus = 0;

  *is_torn = false;
  for (int t = THREADS - 1; t >= 0; t--)
    if (id_of (t, phase) != UPCR_NO_ID)
      {
        *is_torn = consensus != 0 && (int) (uint32_t) consensus != id_of (t, phase);
        consensus = GIVEN | (uint64_t) t << 32 | (uint32_t) id_of (t, phase);
      }
  return consensus;
}

static uint64_t
consensus_of (int phase, bool *is_torn)
{
  if (upcr_rendezvous_is_flat (&program))
    return flat_consensus (phase, is_torn);
  *is_torn = atomic_load_explicit (&ids.torn[phase], memory_order_relaxed);
  return atomic_load_explicit (&ids.consensus[phase], memory_order_relaxed);
}

/* The rules of UPC 1.3, 6.6.1: the ids given to upc_notify are equal, the one
   given to upc_wait is equal to them; without one given to upc_notify, no error. */
static void
check_ids_in_full (int phase, int id, const char *what)
{
  bool is_torn;
  uint64_t consensus = consensus_of (phase, &is_torn);

  if (consensus == 0)
    return;
  if (is_torn)
    report_torn (phase, what);
  if (id != UPCR_NO_ID && id != (int) (uint32_t) consensus)
    report_other_id (phase, id, consensus);
}

/* Of two threads that gave the same, or none, nothing else is to be asked. */
static void
check_ids (int phase, int id, const char *what)
{
  if (!upcr_rendezvous_is_flat (&program) || id_of (MYTHREAD, phase) != id
      || id_of (THREADS - 1 - MYTHREAD, phase) != id)
    check_ids_in_full (phase, id, what);
}

void
upcr_notify (int id)
{
  struct upcr_slot *slot = &upcr_slots[MYTHREAD];

  if (has_notified (slot))
    upcr_fatal ("upc_notify twice without upc_wait between");
  /* The strict write of upc_notify is the arrival in it. */
  arrive (begin_phase (slot, id));
}

void
upcr_wait (int id)
{
  struct upcr_slot *slot = &upcr_slots[MYTHREAD];
  uint32_t seen;

  if (!has_notified (slot))
    upcr_fatal ("upc_wait without upc_notify");
  seen = phase_seen (slot);
  upcr_set_wait_reason ("upc_wait", NULL);
  upcr_rendezvous_await (&program, seen);
  check_ids (seen % UPCR_PHASES, id, "upc_wait");
  set_notified (slot, false);
  /* The strict read of upc_wait (B.3.1). Acquiring the epoch is not enough: a
     relaxed write done since upc_notify may sit in the store buffer, and a read
     after upc_wait must not overtake it. */
  upcr_hardware_fence ();
}

/* Without a fence after the wait: nothing of the program lies between it and the
   strict write of the arrival, so no access can be on its wrong side. */
void
upcr_barrier (int id)
{
  struct upcr_slot *slot = &upcr_slots[MYTHREAD];
  uint32_t seen;

  if (has_notified (slot))
    upcr_fatal ("upc_barrier between upc_notify and upc_wait");
  seen = begin_phase (slot, id);
  upcr_set_wait_reason ("upc_barrier", NULL);
  arrive (seen);
  upcr_rendezvous_await (&program, seen);
  check_ids (seen % UPCR_PHASES, id, "upc_barrier");
  set_notified (slot, false);
}

void
upcr_collective_barrier (const char *what)
{
  uint32_t seen;

  upcr_reject_in_split_phase (what);
  seen = upcr_rendezvous_epoch (&library);
  if (upcr_rendezvous_arrive (&library, seen))
    upcr_rendezvous_open (&library, seen);
  else
    {
      upcr_set_wait_reason (what, NULL);
      upcr_rendezvous_await (&library, seen);
    }
}
