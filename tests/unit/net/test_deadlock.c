/* The proof of a deadlock of several processes: what each of its questions is told decides. */

#include "runtime/net/net.h"
#include "runtime/sync/network/survey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What the processes answer in turns, and what the threads' states are in between. */
static struct upcr_stillness answers[2];
static bool are_still[2];
static struct upcr_thread_state states[3];
static int questions;

static bool
answer_stillness (struct upcr_stillness *all)
{
  int turn = questions++;

  assert_true (turn < 2);
  *all = answers[turn];
  return are_still[turn];
}

static void
answer_states (struct upcr_survey *asked)
{
  memcpy (asked->states, states, sizeof states);
}

static struct upcr_survey the_survey;

static struct upcr_survey *
begin_survey (void)
{
  return &the_survey;
}

static void
end_survey (struct upcr_survey *ended)
{
  assert_ptr_equal (ended, &the_survey);
}

#define upcr_survey_stillness answer_stillness
#define upcr_survey_states answer_states
#define upcr_survey_begin begin_survey
#define upcr_survey_end end_survey
#define upcr_prove_deadlock prove
#include "runtime/sync/network/proof.c"

/* Thread 0 waits for a lock that thread 1 holds, thread 1 in a barrier; thread 2 has ended. */
static int
set_up (void **state)
{
  static char lock[64];

  (void) state;
  THREADS = 3;
  questions = 0;
  answers[0] = answers[1]
      = (struct upcr_stillness){ .sleeps = 8, .tells_begun = 5, .tells_done = 5 };
  are_still[0] = are_still[1] = true;
  states[0] = (struct upcr_thread_state){ .waits = true,
                                          .lock = (const struct upcr_lock *) lock,
                                          .holder = 1 };
  states[1] = (struct upcr_thread_state){ .waits = true, .has_notified = true, .holder = -1 };
  states[2] = (struct upcr_thread_state){ .has_ended = true, .holder = -1 };
  return 0;
}

static void
nobody_goes_on (void **state)
{
  (void) state;
  answers[0].may_be_signalled = answers[1].may_be_signalled = true;
  struct upcr_proof proof = prove ();

  assert_int_equal (proof.sleeps, 8);
  assert_true (proof.may_be_signalled);
  assert_int_equal (questions, 2);
}

static void
somebody_goes_on_at_first (void **state)
{
  (void) state;
  are_still[0] = false;
  assert_int_equal (prove ().sleeps, 0);
  assert_int_equal (questions, 1);
}

static void
somebody_goes_on_then (void **state)
{
  (void) state;
  are_still[1] = false;
  assert_int_equal (prove ().sleeps, 0);
}

static void
a_thread_has_waited_twice (void **state)
{
  (void) state;
  answers[1].sleeps += 2;
  assert_int_equal (prove ().sleeps, 0);
}

static void
a_tell_is_under_way (void **state)
{
  (void) state;
  answers[0].tells_begun = answers[1].tells_begun = 6;
  assert_int_equal (prove ().sleeps, 0);
}

static void
a_tell_was_under_way (void **state)
{
  (void) state;
  answers[1].tells_begun = answers[1].tells_done = 6;
  assert_int_equal (prove ().sleeps, 0);
}

static void
a_lock_is_free_before_the_request_comes (void **state)
{
  (void) state;
  states[0].holder = -1;
  assert_int_equal (prove ().sleeps, 0);
}

static void
a_turn_is_under_way (void **state)
{
  (void) state;
  states[0].holder = 0;
  assert_int_equal (prove ().sleeps, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (nobody_goes_on, set_up),
    cmocka_unit_test_setup (somebody_goes_on_at_first, set_up),
    cmocka_unit_test_setup (somebody_goes_on_then, set_up),
    cmocka_unit_test_setup (a_thread_has_waited_twice, set_up),
    cmocka_unit_test_setup (a_tell_is_under_way, set_up),
    cmocka_unit_test_setup (a_tell_was_under_way, set_up),
    cmocka_unit_test_setup (a_lock_is_free_before_the_request_comes, set_up),
    cmocka_unit_test_setup (a_turn_is_under_way, set_up),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
