/* The report of what the threads do: a line for each thread, where threads with the same line
   are joined; and the cycle of a deadlock. */

#include "runtime/sync/diagnosis/report.h"

#include "runtime/host/host.h"
#include "runtime/sync/diagnosis/survey.h"
#include "runtime/sync/diagnosis/text.h"

#include <string.h>

enum
{
  MOST_IN_CIRCLE = 8
};

/* "threads 0, 3-5": those in SET. */
static void
add_threads (struct upcr_text *text, const bool *set)
{
  int count = 0;
  bool is_first = true;

  for (int t = 0; t < THREADS; t++)
    count += set[t];
  upcr_text_add (text, count == 1 ? "thread " : "threads ");
  for (int t = 0; t < THREADS; t++)
    if (set[t])
      {
        int last = t;
        while (last + 1 < THREADS && set[last + 1])
          last++;
        upcr_text_add (text, "%s%d", is_first ? "" : ", ", t);
        if (last > t)
          upcr_text_add (text, last == t + 1 ? ", %d" : "-%d", last);
        is_first = false;
        t = last;
      }
}

/* The line that thread FIRST has and the others that are not IS_PRINTED with the same. */
static void
print_joined (const struct upcr_survey *survey, bool *is_printed, int first)
{
  char bytes[4 * UPCR_SURVEY_LINE_BYTES];
  struct upcr_text text = { bytes, sizeof bytes - 1, 0 };
  bool same[UPCR_MAX_THREADS] = { false };

  for (int t = first; t < THREADS; t++)
    if (!is_printed[t] && strcmp (survey->lines[t], survey->lines[first]) == 0)
      same[t] = is_printed[t] = true;
  upcr_text_add (&text, "  ");
  add_threads (&text, same);
  upcr_text_add (&text, ": %s", survey->lines[first]);
  upcr_text_print (&text);
}

static void
print_lines (const struct upcr_survey *survey)
{
  bool is_printed[UPCR_MAX_THREADS] = { false };

  for (int t = 0; t < THREADS; t++)
    if (!is_printed[t] && *survey->lines[t])
      print_joined (survey, is_printed, t);
}

static bool
waits_in_barrier (const struct upcr_thread_state *state)
{
  return state->waits && state->has_notified && !state->lock;
}

/* Has it arrived at the barrier that OTHER has notified in? */
static bool
has_arrived (const struct upcr_thread_state *state, const struct upcr_thread_state *other)
{
  return state->has_notified && state->epoch == other->epoch;
}

/* Who is not at the barrier that threads wait in. */
static void
print_barrier (const struct upcr_thread_state *states)
{
  char bytes[2 * UPCR_SURVEY_LINE_BYTES];
  struct upcr_text text = { bytes, sizeof bytes - 1, 0 };
  bool missing[UPCR_MAX_THREADS];
  int waiting = 0, there = 0;

  while (waiting < THREADS && !waits_in_barrier (&states[waiting]))
    waiting++;
  if (waiting == THREADS)
    return;
  for (int t = 0; t < THREADS; t++)
    {
      missing[t] = !has_arrived (&states[t], &states[waiting]);
      there += !missing[t];
    }
  upcr_text_add (&text, "  the barrier: %d of %d threads have come", there, THREADS);
  if (there < THREADS)
    {
      upcr_text_add (&text, ", not ");
      add_threads (&text, missing);
    }
  upcr_text_print (&text);
}

void
upcr_report_threads (void)
{
  struct upcr_survey *survey = upcr_survey_begin ();

  if (!survey)
    return;
  if (upcr_survey_lines (survey))
    {
      print_lines (survey);
      upcr_survey_states (survey);
      print_barrier (survey->states);
      upcr_survey_print_places ();
    }
  upcr_survey_end (survey);
}

void
upcr_report_what_threads_do (void)
{
  upcr_survey_watch ();
  upcr_print_message ("note", "what the threads do:");
  upcr_report_threads ();
}

static bool
is_elsewhere (const struct upcr_thread_state *state, const char *what)
{
  return state->has_ended || strcmp (state->what, what) != 0;
}

/* The thread that THREAD waits for, all being in a deadlock: who holds its lock, or the lowest
   one that is not where it is; -1: none is found. */
static int
waits_for (const struct upcr_thread_state *states, int thread)
{
  const struct upcr_thread_state *state = &states[thread];

  if (state->lock)
    return state->holder;
  for (int t = 0; t < THREADS; t++)
    if (state->has_notified ? !has_arrived (&states[t], state)
                            : is_elsewhere (&states[t], state->what))
      return t;
  return -1;
}

/* Follows who waits for whom from THREAD. Returns the first of a circle, or where it
   began when the way ends. */
static int
begin_of_circle (const struct upcr_thread_state *states, int thread)
{
  bool passed[UPCR_MAX_THREADS] = { false };
  int begin = thread;

  while (thread >= 0 && !states[thread].has_ended && !passed[thread])
    {
      passed[thread] = true;
      thread = waits_for (states, thread);
    }
  return thread >= 0 && passed[thread] ? thread : begin;
}

static int
first_waiting (const struct upcr_thread_state *states)
{
  int t = 0;

  while (t < THREADS - 1 && states[t].has_ended)
    t++;
  return t;
}

static void
explain (const struct upcr_thread_state *states, struct upcr_text *text)
{
  int begin = begin_of_circle (states, first_waiting (states)), thread = begin;

  for (int i = 0; i < MOST_IN_CIRCLE; i++)
    {
      int next = waits_for (states, thread);
      upcr_text_add (text, i == 0 ? "thread %d waits in %s" : ", thread %d in %s", thread,
                     states[thread].what);
      if (next < 0)
        return;
      upcr_text_add (text, " for thread %d", next);
      if (states[next].has_ended)
        {
          upcr_text_add (text, ", which has ended");
          return;
        }
      thread = next;
      if (thread == begin)
        return;
    }
  upcr_text_add (text, ", and so on");
}

void
upcr_explain_deadlock (char *line, size_t bytes)
{
  struct upcr_survey *survey = upcr_survey_begin ();
  struct upcr_text text = { line, bytes, 0 };

  upcr_text_add (&text, "deadlock");
  if (!survey)
    return;
  upcr_survey_states (survey);
  upcr_text_add (&text, ": ");
  explain (survey->states, &text);
  upcr_survey_end (survey);
}
