/* Waiting awake: pauses, then yields.

   Spinning is the quickest while the thread waited for runs on a CPU of its own;
   with more threads than CPUs it only burns the slice that thread needs (crowd.c). */

#include "runtime/sync/awake.h"

#include "runtime/host/host.h"
#include "runtime/sync/crowd.h"
#include "runtime/sync/load.h"
#include "runtime/sync/park.h"
#include "runtime/sync/seats.h"
#include "runtime/sync/sync.h"

/* How many pauses this thread believes in: one that waits for a thread that is always
   late soon hardly spins; a wait that pays restores it. */
enum { FEWEST_SPINS = 250, PAUSES_BEFORE_LOOK = 4, PAUSES_A_LOOK = 512 };
static __thread unsigned spins_learned = FEWEST_SPINS * 2;

static bool
spins_always (void)
{
  return upcr_options.wait == UPCR_WAIT_SPIN;
}

/* False when that was no good, or would not be: it is time to sleep. */
static bool
yield_to_others (void)
{
  uint64_t start_ns = upcr_now_ns ();

  if (spins_always ())
    {
      upcr_kernel.yield ();
      return true;
    }
  if (!upcr_load_before_yield (start_ns))
    return false;
  upcr_kernel.yield ();
  return upcr_load_after_yield (start_ns, upcr_now_ns ());
}

static void
learn (bool was_over)
{
  unsigned most = __atomic_load_n (&upcr_patience.spins, __ATOMIC_RELAXED);

  if (was_over && spins_learned < most)
    spins_learned *= 2;
  else if (!was_over && spins_learned > FEWEST_SPINS)
    spins_learned /= 2;
}

/* Looked at now and then: does the thread waited for need this CPU, which this one cannot
   leave either? */
static bool
is_hopeless (unsigned pauses)
{
  return pauses % PAUSES_A_LOOK == PAUSES_BEFORE_LOOK && upcr_shares_cpu () && !upcr_move_away ();
}

/* Gives it the CPU: the two stay able to run, so that a CPU that falls idle takes one of
   them. False when it has had it often enough in this wait. */
static bool
give_cpu (unsigned *turn, unsigned spins)
{
  *turn += PAUSES_A_LOOK - 1;
  return yield_to_others () && *turn < spins;
}

/* A pause or a yield. False when patience is at its end, or where a pause would keep the
   CPU from a thread that needs it. */
static bool
stay_awake (unsigned *turn, bool *has_yielded)
{
  unsigned now = (*turn)++;
  unsigned spins = __atomic_load_n (&upcr_patience.spins, __ATOMIC_RELAXED);
  unsigned yields = __atomic_load_n (&upcr_patience.yields, __ATOMIC_RELAXED);

  if (upcr_progress && upcr_make_progress ())
    {
      *turn = 0;
      return true;
    }
  if (now < spins)
    {
      if (!spins_always () && now >= spins_learned)
        return false;
      if (!spins_always () && is_hopeless (now))
        return give_cpu (turn, spins);
      upcr_pause ();
      return true;
    }
  if (now - spins >= yields)
    return false;
  *has_yielded = true;
  return yield_to_others ();
}

bool
upcr_wait_awake (_Atomic uint32_t *word, uint32_t seen)
{
  bool has_yielded = false;
  unsigned turn = 0;

  do
    if (atomic_load_explicit (word, memory_order_acquire) != seen)
      {
        if (has_yielded)
          upcr_sit_after_yields ();
        learn (true);
        return true;
      }
  while (stay_awake (&turn, &has_yielded));
  upcr_sit_before_sleep ();
  learn (false);
  return false;
}
