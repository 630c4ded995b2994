/* Parking.

   field                    written by             read by     order
   upcr_sleepers[i].count   a thread that parks    the waker   see park */

#include "runtime/sync/policy/park.h"

#include "runtime/arch/arch.h"
#include "runtime/sync/mechanism/fence.h"
#include "runtime/sync/policy/progress.h"
#include "runtime/sync/policy/spin.h"
#include "runtime/sync/policy/wait_policy.h"

#include <errno.h>

enum
{
  SPINS_A_LOOK = 256
};

struct upcr_sleepers upcr_sleepers[UPCR_SLEEPER_COUNTS];

/* What UPC_WAIT=spin has for a sleep. To the deadlock detector it is one, as the thread does
   nothing else until the word changes: that is enough to need no wake-up either. */
static int
spin_as_if_asleep (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit)
{
  uint64_t end_ns = limit ? upcr_kernel.now_ns () + limit->tv_sec * 1000000000ull + limit->tv_nsec
                          : UINT64_MAX;

  for (unsigned spins = 1; atomic_load_explicit (word, memory_order_acquire) == seen; spins++)
    {
      upcr_relax (1);
      if (spins % SPINS_A_LOOK != 0)
        continue;
      upcr_recount_cpus ();
      if (limit && upcr_kernel.now_ns () >= end_ns)
        return ETIMEDOUT;
    }
  return 0;
}

void
upcr_sleep (_Atomic uint32_t *word, uint32_t seen)
{
  if (!upcr_make_progress ())
    upcr_sleep_by (upcr_wait_policy ()->sleeps ? upcr_kernel.futex_wait : spin_as_if_asleep, word,
                   seen);
}

/* The waker stores to *WORD, fences, reads the counter. This thread counts
   itself, fences, then reads *WORD (the kernel does, under its own lock). So one of the
   two sees the other's write: the waker wakes, or this thread does not sleep. It is the fences
   that do it: the count itself is relaxed. */
static void
park (_Atomic uint32_t *word, uint32_t seen)
{
  _Atomic uint32_t *count = upcr_sleepers_on (word);

  upcr_recount_cpus ();
  atomic_fetch_add_explicit (count, 1, memory_order_relaxed);
  upcr_fence_after_rmw ();
  UPCR_RACE_POINT ();
  while (atomic_load_explicit (word, memory_order_acquire) == seen)
    upcr_sleep (word, seen);
  /* Relaxed: a waker that still sees the old count makes one call too many. */
  atomic_fetch_sub_explicit (count, 1, memory_order_relaxed);
}

void
upcr_park_while (_Atomic uint32_t *word, uint32_t seen)
{
  if (!upcr_spin_while (word, seen))
    park (word, seen);
}

/* LAST may still be changing to SEEN: this thread found the last change in NEAR. */
void
upcr_park_apart (_Atomic uint32_t *near, _Atomic uint32_t *last, uint32_t seen)
{
  if (upcr_spin_while (near, seen))
    return;
  while (atomic_load_explicit (near, memory_order_acquire) == seen)
    if (atomic_load_explicit (last, memory_order_relaxed) == seen)
      park (last, seen);
    else
      upcr_kernel.yield ();
}

void
upcr_park_in_queue (_Atomic uint32_t *word, uint32_t seen)
{
  if (upcr_wait_policy ()->queue_spins)
    upcr_park_while (word, seen);
  else if (atomic_load_explicit (word, memory_order_acquire) == seen)
    park (word, seen);
}

void
upcr_unpark_all (_Atomic uint32_t *word)
{
  upcr_hardware_fence ();
  upcr_unpark_fenced (word);
}
