/* Spin loops of the program: loops around strict reads, upc_poll, upc_fence and
   upc_lock_attempt.

   In an oversubscribed run such a loop yields the CPU to the threads that it waits for.
   Otherwise a loop costs what the program says and nothing more: the functions here are not
   called.

   A read is idle if it reads the same value as the last time at the same place in the code, be
   it the same flag or the next of many. Of fences and failed attempts the runtime sees less, but
   enough: they are always idle. SHORT_LOOP idle iterations are a spin loop.

   That is too few if the thread that is waited for is running on another CPU just then. Its
   answer takes as long as cache lines take, tens of iterations, and to yield would part the two.
   So now and then a thread allows LONG_LOOP iterations, for as long as that pays: until it is in
   vain MOST_FAILURES times in a row.

   Loops around upc_poll may do work between two calls, and most calls find nothing to wait for.
   So one call in POLLS_BEFORE_YIELD yields, or pauses. Measured with four threads on two CPUs
   that answer one another: an answer takes 8 microseconds if every call yields, 12 if one in 8
   does, 17 if one in 32 does.

   A program that reads through a large array of equal values gives away as many slices as it has
   neighbours, and then runs alone for the rest. */

#include "runtime/sync/policy/poll.h"

#include "runtime/sync/mechanism/kernel.h"
#include "runtime/sync/policy/progress.h"
#include "runtime/sync/policy/wait_policy.h"

enum
{
  SHORT_LOOP = 12,
  FENCES_BEFORE_YIELD = 64,
  POLLS_BEFORE_YIELD = 8,
  SITES = 8
};
enum
{
  LONG_LOOP = 128,
  MOST_FAILURES = 3,
  YIELDS_A_TRIAL = 64
};

/* What was read last, by place in the code. */
static __thread struct
{
  uintptr_t site;
  uint64_t value;
} sites[SITES];
static __thread unsigned idle, fences, polls;
static __thread unsigned idle_budget = SHORT_LOOP, failures, yields;

static void
learn_in_vain (void)
{
  if (idle_budget == SHORT_LOOP && ++yields % YIELDS_A_TRIAL == 0)
    idle_budget = LONG_LOOP;
  else if (idle_budget == LONG_LOOP && ++failures == MOST_FAILURES)
    {
      idle_budget = SHORT_LOOP;
      failures = 0;
    }
}

static void
count_idle_iteration (void)
{
  if (++idle < idle_budget)
    return;
  idle = idle_budget == LONG_LOOP ? 0 : SHORT_LOOP / 2;
  learn_in_vain ();
  upcr_make_progress ();
  upcr_kernel.yield ();
}

static void
end_idle_iterations (void)
{
  if (idle > SHORT_LOOP)
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
      count_idle_iteration ();
      return;
    }
  if (sites[i].site == site)
    end_idle_iterations ();
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
  count_idle_iteration ();
}

void
upcr_poll (void)
{
  upcr_make_progress ();
  if (++polls % POLLS_BEFORE_YIELD == 0)
    upcr_relax (1);
}
