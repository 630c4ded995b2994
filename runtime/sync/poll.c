/* Waits that a program makes itself: loops around strict reads, upc_poll, upc_fence and
   upc_lock_attempt.

   Where threads exceed CPUs such a loop gives the CPU to the threads that it waits for.
   Where they do not, a loop costs what the program says and nothing more: what is here
   is called only while __upc_oversubscribed.

   A read is idle when it reads what the same place in the code read the last time, be
   it the same flag or the next of many. What the runtime sees of fences and failed
   attempts is less, and enough: they are always idle. IDLE_BEFORE_YIELD idle turns are a
   loop.

   That is too few where the thread waited for runs on another CPU just then: its answer
   takes as long as cache lines take, tens of turns, and to yield would part the two. So
   now and then a thread has LONG_PATIENCE, for as long as that pays: until it is in vain
   MOST_FAILURES times in a row.

   A program that reads through a large array of equal values gives away as many
   slices as it has neighbours, and finds itself alone for the rest. */

#include "runtime/sync/crowd.h"
#include "runtime/sync/park.h"
#include "runtime/sync/poll.h"
#include "runtime/sync/sync.h"

enum { IDLE_BEFORE_YIELD = 12, FENCES_BEFORE_YIELD = 64, SITES = 8 };
enum { LONG_PATIENCE = 128, MOST_FAILURES = 3, YIELDS_A_TRIAL = 64 };

/* What was read last, by place in the code. */
static __thread struct
{
  uintptr_t site;
  uint64_t value;
} sites[SITES];
static __thread unsigned idle, fences;
static __thread unsigned patience = IDLE_BEFORE_YIELD, failures, yields;

static void
yield (void)
{
  if (upcr_progress)
    upcr_make_progress ();
  upcr_kernel.yield ();
}

static void
learn_in_vain (void)
{
  if (patience == IDLE_BEFORE_YIELD && ++yields % YIELDS_A_TRIAL == 0)
    patience = LONG_PATIENCE;
  else if (patience == LONG_PATIENCE && ++failures == MOST_FAILURES)
    {
      patience = IDLE_BEFORE_YIELD;
      failures = 0;
    }
}

static void
count_idle_turn (void)
{
  if (++idle < patience)
    return;
  idle = patience == LONG_PATIENCE ? 0 : IDLE_BEFORE_YIELD / 2;
  learn_in_vain ();
  yield ();
}

static void
end_idle_turns (void)
{
  if (idle > IDLE_BEFORE_YIELD)
    failures = 0;
  idle = 0;
}

void
upcr_strict_read_at (const void *caller, uint64_t value)
{
  uintptr_t site = (uintptr_t) caller;
  unsigned i = (site ^ site >> 4) % SITES;

  if (sites[i].site == site && sites[i].value == value)
    {
      count_idle_turn ();
      return;
    }
  if (sites[i].site == site)
    end_idle_turns ();
  sites[i].site = site;
  sites[i].value = value;
}

void
__upc_strict_read (unsigned long value)
{
  upcr_strict_read_at (__builtin_return_address (0), value);
}

void
upcr_idle_fence (void)
{
  if (++fences % FENCES_BEFORE_YIELD == 0)
    upcr_kernel.yield ();
}

void
upcr_idle_attempt (void)
{
  count_idle_turn ();
}

void
upcr_poll (void)
{
  if (upcr_progress)
    upcr_make_progress ();
  if (__atomic_load_n (&__upc_oversubscribed, __ATOMIC_RELAXED))
    upcr_kernel.yield ();
  else
    upcr_pause ();
}
