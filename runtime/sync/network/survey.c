/* Surveys of several processes. Each process fills in a survey of its own threads, and answers with its
   address; process 0 fetches it. Process 0 asks one thing at a time. Any thread that receives the question
   answers it at once if it is about states; the progress thread does what takes longer. A process that
   does not answer, as it is stopped, is left out until it has answered.

   opens[p]       the question that process p has to answer: 1, else 0
   answers[p]     valid where opens[p] is 0, in acquire order
   late           what the progress thread is to answer, NOTHING else; with `asker`, behind it in release order */

#include "runtime/sync/network/survey.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/net/net.h"
#include "runtime/start/start.h"
#include "runtime/sync/diagnosis/describe.h"
#include "runtime/sync/diagnosis/polling.h"
#include "runtime/sync/diagnosis/signals.h"
#include "runtime/sync/diagnosis/text.h"
#include "runtime/sync/mechanism/sleep.h"
#include "runtime/sync/network/distance.h"
#include "runtime/sync/network/near.h"

#include <string.h>
#include <unistd.h>

enum question
{
  NOTHING,
  STATES,
  WATCH, /* which threads poll */
  LINES,
  REPORT /* to process 0 */
};

struct answer
{
  const struct upcr_survey *survey; /* NULL: there is no memory */
  struct upcr_stillness here;
  bool is_still;
  int pid;
  char host[64];
};

_Static_assert(sizeof (struct answer) <= UPCR_NET_ARGUMENT_BYTES, "it is a reply");

/* So long a process may take to answer. */
#define MOST_ANSWER_NS 10000000000ull

static upcr_net_open opens[UPCR_MAX_THREADS];
static struct answer answers[UPCR_MAX_THREADS];

/* This process's own; NULL: there is no memory. */
static struct upcr_survey *own;

static _Atomic int late;
static struct upcr_net_caller asker;

atomic_bool upcr_survey_is_wanted;

/* Words that have not changed, of threads that do nothing but look at them. */
static bool
is_still (uint64_t *sleeps)
{
  *sleeps = 0;
  if (atomic_load_explicit (&upcr_any_has_threads, memory_order_relaxed) || upcr_barrier_goes_on ())
    return false;
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    if (!upcr_thread_has_ended (t))
      {
        uint32_t count = atomic_load_explicit (&upcr_wait_records[t].sleeps, memory_order_acquire);

        if (!(count & 1) || !upcr_sleeps_on (t))
          return false;
        *sleeps += count;
      }
  return true;
}

static void
fill_in_states (void)
{
  upcr_own_states (own->states);
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    own->states[t].what = upcr_distance_of (own->states[t].what);
}

static void
fill_in (enum question question)
{
  if (question == WATCH)
    upcr_polling_watch ();
  else if (own && question == STATES)
    fill_in_states ();
  else if (own && question == LINES)
    upcr_own_lines (own->lines);
}

static struct answer
answer_here (enum question question)
{
  struct answer answer = { .pid = getpid () };
  struct upcr_net_tells tells;

  fill_in (question);
  answer.survey = own;
  /* The sleeps first: what a thread has told before it waited is counted. */
  answer.is_still = question == STATES && is_still (&answer.here.sleeps);
  tells = upcr_net_count_tells ();
  answer.here.tells_begun = tells.begun;
  answer.here.tells_done = tells.done;
  answer.here.may_be_signalled = answer.is_still && upcr_program_handles_signals ();
  gethostname (answer.host, sizeof answer.host - 1);
  return answer;
}

static void
reply (struct upcr_net_caller caller, struct answer answer)
{
  upcr_net_reply (caller, &answer, sizeof answer);
}

static void
serve (struct upcr_net_caller caller, const void *arguments)
{
  int question = *(const int *) arguments;

  switch (question)
    {
    case STATES:
      reply (caller, answer_here (STATES));
      break;
    case REPORT:
      atomic_store (&upcr_survey_is_wanted, true);
      reply (caller, (struct answer){ 0 });
      break;
    default:
      asker = caller;
      atomic_store_explicit (&late, question, memory_order_release);
    }
}

void
upcr_serve_survey (void)
{
  own = upcr_survey_begin ();
  upcr_net_serve (UPCR_NET_SURVEY, serve);
}

void
upcr_survey_answer (void)
{
  int question = atomic_load_explicit (&late, memory_order_acquire);

  if (question == NOTHING)
    return;
  atomic_store_explicit (&late, NOTHING, memory_order_relaxed);
  reply (asker, answer_here (question));
}

static bool
has_answered (int process)
{
  return atomic_load_explicit (&opens[process], memory_order_acquire) == 0;
}

static void
begin_asking (int process, int question)
{
  if (has_answered (process))
    upcr_net_call (process, UPCR_NET_SURVEY, &question, sizeof question, &answers[process],
                   &opens[process]);
}

void
upcr_survey_ask_for_report (void)
{
  begin_asking (0, REPORT);
}

static bool
await_answers (void)
{
  uint64_t end_ns = upcr_kernel.now_ns () + MOST_ANSWER_NS;
  bool are_all = true;
  unsigned looks = 0;

  for (int p = 0; p < upcr_net_place ().size; p++)
    {
      while (!has_answered (p) && upcr_kernel.now_ns () < end_ns)
        {
          /* This is in place of the progress thread's looks. */
          upcr_net_push_left ();
          upcr_net_relax (&looks);
        }
      are_all &= has_answered (p);
    }
  return are_all;
}

/* False: not all have answered. */
static bool
ask_all (enum question question)
{
  struct upcr_net_place place = upcr_net_place ();

  for (int p = 0; p < place.size; p++)
    if (p != place.rank)
      begin_asking (p, question);
  answers[place.rank] = answer_here (question);
  return await_answers ();
}

bool
upcr_survey_stillness (struct upcr_stillness *all)
{
  struct upcr_net_place place = upcr_net_place ();

  *all = (struct upcr_stillness){ 0 };
  /* Nobody else is asked while this process's threads go on. */
  if (!is_still (&all->sleeps) || !ask_all (STATES))
    return false;
  all->sleeps = 0;
  for (int p = 0; p < place.size; p++)
    {
      const struct upcr_stillness *here = &answers[p].here;

      if (!answers[p].is_still)
        return false;
      all->sleeps += here->sleeps;
      all->tells_begun += here->tells_begun;
      all->tells_done += here->tells_done;
      all->may_be_signalled |= here->may_be_signalled;
    }
  return true;
}

static struct upcr_net_range
threads_of (int process)
{
  return upcr_net_range (THREADS, upcr_net_place ().size, process);
}

/* What it has filled in of its threads' elements of FROM, of BYTES each, to those of TO. */
static void
fetch (int process, void *to, const void *from, size_t bytes)
{
  struct upcr_net_range range = threads_of (process);
  size_t distance = range.first * bytes;
  upcr_net_open open = 0;

  if (process == upcr_net_place ().rank)
    memcpy ((char *) to + distance, (const char *) from + distance, range.count * bytes);
  else
    upcr_net_get (process, (char *) to + distance, (const char *) from + distance,
                  range.count * bytes, &open);
  upcr_net_await (&open);
}

void
upcr_survey_states (struct upcr_survey *survey)
{
  ask_all (STATES);
  for (int p = 0; p < upcr_net_place ().size; p++)
    if (has_answered (p) && answers[p].survey)
      fetch (p, survey->states, answers[p].survey->states, sizeof *survey->states);
  for (int t = 0; t < THREADS; t++)
    survey->states[t].what = survey->states[t].what ? upcr_at_distance (survey->states[t].what)
                                                    : "the runtime";
  upcr_find_holders (survey->states);
}

void
upcr_survey_watch (void)
{
  ask_all (WATCH);
}

static void
say_silent (struct upcr_survey *survey, int process)
{
  struct upcr_net_range range = threads_of (process);

  for (int t = range.first; t < range.first + range.count; t++)
    {
      struct upcr_text text = { survey->lines[t], sizeof survey->lines[t], 0 };

      upcr_text_add (&text, "process %d does not answer", process);
    }
}

bool
upcr_survey_lines (struct upcr_survey *survey)
{
  ask_all (LINES);
  for (int p = 0; p < upcr_net_place ().size; p++)
    if (!has_answered (p))
      say_silent (survey, p);
    else if (answers[p].survey)
      fetch (p, survey->lines, answers[p].survey->lines, sizeof *survey->lines);
  return true;
}

static void
add_process (struct upcr_text *text, int process)
{
  struct upcr_net_range range = threads_of (process);

  upcr_text_add (text, range.count == 1 ? "thread %d" : "threads %d", range.first);
  if (range.count > 1)
    upcr_text_add (text, range.count == 2 ? ", %d" : "-%d", range.first + range.count - 1);
  upcr_text_add (text, " in process %d (pid %d)", process, answers[process].pid);
}

/* Where the threads are: a line for each host. */
void
upcr_survey_print_places (void)
{
  int size = upcr_net_place ().size;

  for (int p = 0, next; size > 1 && p < size; p = next)
    {
      char bytes[4 * UPCR_SURVEY_LINE_BYTES];
      struct upcr_text text = { bytes, sizeof bytes - 1, 0 };

      next = p + 1;
      if (!has_answered (p))
        continue;
      upcr_text_add (&text, "  on %s: ", answers[p].host);
      add_process (&text, p);
      for (;
           next < size && has_answered (next) && strcmp (answers[next].host, answers[p].host) == 0;
           next++)
        {
          upcr_text_add (&text, ", ");
          add_process (&text, next);
        }
      upcr_text_print (&text);
    }
}
