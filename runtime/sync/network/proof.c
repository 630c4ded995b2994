/* The proof of a deadlock of threads in several processes. Process 0 asks all twice, and the second time when all have
   answered the first.

   1. Both times each thread has ended, or does nothing but look at a word that is what it was, and deliver messages; and
      none has gone on in between. So at a moment between the two, all were so.
   2. Both times as many tells are begun and done in all processes, and as many are begun as done. So at that moment
      none was under way, and nothing was left to be done by who delivers them (barrier.c).
   3. Who waits for a lock is told of its turn by a reply, or takes a lock that is free when its request comes, and
      those are not counted. In between each such lock has a holder, which is another thread: that has to
      release it, and calls that release have a reply that is waited for, so none is under way.

   The first thread to go on would need another one to do something first. All other messages are waited for by who
   sends them, in waits that are not recorded (runtime/net). */

#include "runtime/sync/diagnosis/proof.h"

#include "runtime/sync/network/survey.h"

static bool
is_same (const struct upcr_stillness *a, const struct upcr_stillness *b)
{
  return a->sleeps == b->sleeps && a->tells_begun == b->tells_begun
         && a->tells_done == b->tells_done;
}

static bool
locks_are_held (void)
{
  struct upcr_survey *survey = upcr_survey_begin ();
  bool are_held = true;

  if (!survey)
    return false;
  upcr_survey_states (survey);
  for (int t = 0; t < THREADS; t++)
    {
      const struct upcr_thread_state *state = &survey->states[t];

      are_held &= !state->lock || (state->holder >= 0 && state->holder != t);
    }
  upcr_survey_end (survey);
  return are_held;
}

struct upcr_proof
upcr_prove_deadlock (void)
{
  struct upcr_stillness first, second;

  if (!upcr_survey_stillness (&first) || first.tells_begun != first.tells_done || !locks_are_held ()
      || !upcr_survey_stillness (&second) || !is_same (&first, &second))
    return (struct upcr_proof){ 0 };
  return (struct upcr_proof){ second.sleeps, second.may_be_signalled };
}
