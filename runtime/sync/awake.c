/* Waiting awake: pauses, then yields.

   Spinning is the quickest while the thread waited for runs on a CPU of its own;
   with more threads than CPUs it only burns the slice that thread needs (crowd.c). */

#include "runtime/sync/awake.h"

#include "runtime/start/start.h"
#include "runtime/sync/crowd.h"
#include "runtime/sync/park.h"
#include "runtime/sync/seats.h"
#include "runtime/sync/sync.h"

/* How many pauses this thread believes in: one that waits for a thread that is always
   late soon hardly spins; a wait that pays restores it. */
enum { FEWEST_SPINS = 250, PAUSES_BEFORE_LOOK = 4, PAUSES_A_LOOK = 512 };
static __thread unsigned spins_learned = FEWEST_SPINS * 2;

/* The last yield of a wait; START 0: it has not yielded. */
struct yield
{
  uint64_t start_ns, end_ns;
};

static void
timed_yield (struct yield *last)
{
  last->start_ns = upcr_now_ns ();
  upcr_kernel.yield ();
  last->end_ns = upcr_now_ns ();
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
give_cpu (unsigned *turn, unsigned spins, struct yield *last)
{
  if (upcr_crowd_avoids_yields ())
    return false;
  *turn += PAUSES_A_LOOK - 1;
  timed_yield (last);
  return *turn < spins;
}

static bool
spins_always (void)
{
  return upcr_options.wait == UPCR_WAIT_SPIN;
}

/* A pause or a yield. False when patience is at its end, or where a pause would keep the
   CPU from a thread that needs it. */
static bool
stay_awake (unsigned *turn, struct yield *last)
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
        return give_cpu (turn, spins, last);
      upcr_pause ();
      return true;
    }
  if (now - spins >= yields || (!spins_always () && upcr_crowd_avoids_yields ()))
    return false;
  timed_yield (last);
  return true;
}

/* Only the yield at whose end the wait is over may have lost time: before, the thread
   waited for was busy itself. */
bool
upcr_wait_awake (_Atomic uint32_t *word, uint32_t seen)
{
  struct yield last = { 0 };
  unsigned turn = 0;

  do
    if (atomic_load_explicit (word, memory_order_acquire) != seen)
      {
        if (last.start_ns)
          {
            upcr_crowd_note_yield (last.start_ns, last.end_ns);
            upcr_sit_after_yields ();
          }
        learn (true);
        return true;
      }
  while (stay_awake (&turn, &last));
  upcr_sit_before_sleep ();
  learn (false);
  return false;
}
