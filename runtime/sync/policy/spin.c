/* The spin phase of a wait: pauses, then yields.

   Spinning is fastest while the thread that is waited for runs on another CPU. If it does not,
   spinning only uses up the slice that this thread needs. */

#include "runtime/sync/policy/spin.h"

#include "runtime/arch/arch.h"
#include "runtime/host/host.h"
#include "runtime/sync/mechanism/placement.h"
#include "runtime/sync/policy/preemption.h"
#include "runtime/sync/policy/progress.h"
#include "runtime/sync/policy/wait_policy.h"

/* How much of the budget this thread spends: one that waits for a thread that is always late
   soon hardly spins; a wait that pays restores it. */
enum
{
  FEWEST_SPINS = 250,
  PAUSES_BEFORE_LOOK = 4,
  PAUSES_A_LOOK = 512
};
static __thread unsigned learned_spins = FEWEST_SPINS * 2;

/* Waits that ended behind yields, since the last sleep: where there are many of them, the
   thread looks for a CPU with fewer threads, soon and then now and then. */
enum
{
  QUICK_WAITS_A_LOOK = 64,
  SOON = 2
};
static struct
{
  _Alignas(64) unsigned waits;
} quick[UPCR_MAX_THREADS];

/* False when that was no good, or would not be: it is time to sleep. */
static bool
yield_to_others (const struct upcr_wait_policy *policy)
{
  uint64_t start_ns;

  if (!policy->adapts)
    {
      upcr_kernel.yield ();
      return true;
    }
  start_ns = upcr_kernel.now_ns ();
  if (!upcr_may_yield (start_ns))
    return false;
  upcr_kernel.yield ();
  return upcr_was_yield_useful (start_ns, upcr_kernel.now_ns ());
}

static void
learn (bool was_over)
{
  if (was_over && learned_spins < upcr_wait_policy ()->spins)
    learned_spins *= 2;
  else if (!was_over && learned_spins > FEWEST_SPINS)
    learned_spins /= 2;
}

/* Asked now and then: does the thread waited for need this CPU, which this one cannot
   leave either? */
static bool
blocks_other (unsigned pauses)
{
  return pauses % PAUSES_A_LOOK == PAUSES_BEFORE_LOOK && upcr_shares_cpu ()
         && !upcr_move_to_free_cpu ();
}

/* A pause. False when the budget is used up, as far as this thread spends it. A thread that
   blocks another gives it the CPU: both stay able to run, so that a CPU that falls idle
   takes one of them. That counts as many pauses. */
static bool
spin_once (const struct upcr_wait_policy *policy, unsigned *spent)
{
  if (policy->adapts && *spent >= learned_spins)
    return false;
  if (policy->adapts && blocks_other (*spent))
    {
      *spent += PAUSES_A_LOOK;
      return yield_to_others (policy) && *spent < policy->spins;
    }
  upcr_pause ();
  ++*spent;
  return true;
}

/* A pause or a yield. False when the budget is used up, or where to spin on would keep the
   CPU from a thread that needs it. */
static bool
spin_on (unsigned *spent, bool *has_yielded)
{
  const struct upcr_wait_policy *policy = upcr_wait_policy ();

  if (upcr_make_progress ())
    {
      *spent = 0;
      return true;
    }
  if (*spent < policy->spins)
    return spin_once (policy, spent);
  if ((*spent)++ - policy->spins >= policy->yields)
    return false;
  *has_yielded = true;
  return yield_to_others (policy);
}

static void
count_quick_wait (void)
{
  if (upcr_is_upc_thread () && ++quick[MYTHREAD].waits % QUICK_WAITS_A_LOOK == SOON
      && upcr_is_oversubscribed ())
    upcr_balance_load ();
}

bool
upcr_spin_while (_Atomic uint32_t *word, uint32_t seen)
{
  bool has_yielded = false;
  unsigned spent = 0;

  do
    if (atomic_load_explicit (word, memory_order_acquire) != seen)
      {
        if (has_yielded)
          count_quick_wait ();
        learn (true);
        return true;
      }
  while (spin_on (&spent, &has_yielded));
  if (upcr_is_upc_thread ())
    quick[MYTHREAD].waits = 0;
  learn (false);
  return false;
}
