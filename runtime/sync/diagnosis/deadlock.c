/* The deadlock detector: the proof that a run can never go on.

   Thread 0 sleeps with a time limit; each time that is over it looks three times over all
   threads that have not ended:

   1. each sleeps, and how often it has begun and ended a sleep;
   2. the process has no other threads, and each thread's word is still the one that it
      sleeps on;
   3. none has begun or ended a sleep since 1.

   So at the end of 1 all slept, and as long as all sleep nobody changes a word: there is
   nobody else, by 2. A word that had changed before would have been seen in 2; and the
   first thread to go on would do so because its word changed. Threads that have ended
   never come back.

   Doubt is cheap: anything that cannot be found out means that there is no deadlock. Words are
   compared by the kernel, by a sleep of no time: the memory of a word may be gone when its
   thread has gone on meanwhile. */

#include "runtime/sync/diagnosis/deadlock.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/start/start.h"
#include "runtime/sync/diagnosis/polling.h"
#include "runtime/sync/diagnosis/report.h"
#include "runtime/sync/mechanism/proc.h"
#include "runtime/sync/mechanism/sleep.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

enum
{
  FIRST_LIMIT_MS = 50,
  LONGEST_LIMIT_MS = 800
};

/* How long a deadlock must last where a signal may end it. */
#define SIGNAL_NS 5000000000ull

/* How long a report may take. */
#define MOST_REPORT_NS 10000000000ull

/* Written before there are other threads. */
static void (*handlers_at_start[NSIG]) (int);

/* The other threads do nothing for the detector. */
static const struct timespec *
limit_of_sleep (unsigned attempt, struct timespec *time)
{
  int ms = attempt < 4 ? FIRST_LIMIT_MS << attempt : LONGEST_LIMIT_MS;

  if (MYTHREAD != 0 || upcr_options.deadlock == UPCR_DEADLOCK_OFF || !upcr_is_upc_thread ())
    return NULL;
  *time = (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
  return time;
}

/* Tests have another one. */
static const char *process_file = "/proc/self/stat";

/* How many threads the process has; 0: unknown. */
static int
count_threads (void)
{
  struct upcr_stat stat;

  if (!upcr_stat_read (process_file, &stat))
    return 0;
  return atoi (upcr_stat_field (&stat, UPCR_STAT_THREADS));
}

/* The handler of a signal; SIG_DFL when there is none. */
static void (*handler_of (int number)) (int)
{
  struct sigaction action;

  if (sigaction (number, NULL, &action) || action.sa_handler == SIG_IGN)
    return SIG_DFL;
  return action.sa_handler;
}

/* Signals of the program's own errors are handled where no thread waits. */
static bool
is_of_an_error (int number)
{
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL
         || number == SIGABRT || number == SIGTRAP || number == SIGSYS;
}

/* A handler may release a lock, leave a wait by a jump, or end the run. */
static bool
program_handles_signals (void)
{
  for (int number = 1; number < NSIG; number++)
    {
      void (*handler) (int) = handler_of (number);
      if (handler != SIG_DFL && handler != handlers_at_start[number] && !is_of_an_error (number))
        return true;
    }
  return false;
}

/* The threads of a process that has no others than the UPC threads, those that are left of ended
   ones, and the runtime's own. The initial one, which has ended or not, waits for the others. */
static int
own_threads (void)
{
#ifdef UPCR_TSAN
  /* ThreadSanitizer makes one of its own. */
  int threads = 2;
#else
  int threads = 1;
#endif

  for (int t = 1; t < THREADS; t++)
    threads += !upcr_thread_has_ended (t);
  return threads + upcr_left_threads + upcr_helper_threads;
}

static bool
word_is_unchanged (const struct upcr_wait_record *record)
{
  static const struct timespec no_time = { 0, 0 };

  return upcr_kernel.futex_wait (atomic_load_explicit (&record->word, memory_order_relaxed),
                                 atomic_load_explicit (&record->seen, memory_order_relaxed),
                                 &no_time)
         == ETIMEDOUT;
}

/* The sum of all counts, or 0 when a thread is awake or none is left. Counts only grow,
   so the same sum is the same counts. */
static uint64_t
sum_of_sleeps (void)
{
  uint64_t sum = 0;

  for (int t = 0; t < THREADS; t++)
    if (!upcr_thread_has_ended (t))
      {
        uint32_t sleeps = atomic_load_explicit (&upcr_wait_records[t].sleeps, memory_order_acquire);
        if (!(sleeps & 1))
          return 0;
        sum += sleeps;
      }
  return sum;
}

/* All threads sleep, and others of the process cannot be counted. SUM: of their sleeps. Where it
   is another one than the last time, some were about to wake. */
static void
say_that_it_is_off (uint64_t sum)
{
  static bool is_said;
  static uint64_t last;

  if (sum != last)
    {
      last = sum;
      return;
    }
  if (!is_said)
    upcr_print_message ("note",
                        "all threads wait: without /proc deadlocks are not told from other waits");
  is_said = true;
}

/* The sum of the counts when no thread can go on by itself, else 0. */
static uint64_t
prove_deadlock (void)
{
  uint64_t sum = sum_of_sleeps ();
  int threads;

  if (sum == 0)
    return 0;
  threads = count_threads ();
  if (threads == 0)
    say_that_it_is_off (sum);
  if (threads != own_threads ())
    return 0;
  for (int t = 0; t < THREADS; t++)
    if (!upcr_thread_has_ended (t) && !word_is_unchanged (&upcr_wait_records[t]))
      return 0;
  return sum_of_sleeps () == sum ? sum : 0;
}

static void
report_deadlock (const char *kind)
{
  char line[512];

  upcr_explain_deadlock (line, sizeof line);
  upcr_print_message (kind, line);
  upcr_report_threads ();
}

static void
end_by_deadlock (void)
{
  upcr_end_once ();
  report_deadlock ("error");
  upcr_fail ();
}

/* By thread 0, while it sleeps or when it has ended. Looks at least twice, as the orders above are
   argued for memory that keeps stores in order: what a thread stored last becomes visible in less
   time than lies between two looks. A program that handles signals may be about to get one: there
   the report comes late, and the run goes on. */
static void
detect_deadlock (void)
{
  static uint64_t last, reported, begin_ns;
  uint64_t now = upcr_options.deadlock == UPCR_DEADLOCK_OFF ? 0 : prove_deadlock ();

  if (now == 0 || now != last)
    begin_ns = upcr_kernel.now_ns ();
  else if (now != reported)
    {
      bool may_be_signalled = program_handles_signals ();
      if (may_be_signalled && upcr_kernel.now_ns () - begin_ns < SIGNAL_NS)
        return;
      reported = now;
      if (may_be_signalled)
        report_deadlock ("warning");
      else if (upcr_options.deadlock == UPCR_DEADLOCK_REPORT)
        report_deadlock ("error");
      else
        end_by_deadlock ();
    }
  last = now;
}

/* A UPC thread that sleeps and handles signals; -1: none. */
static int
find_sleeper (void)
{
  int found = -1;

  if (!upcr_samples_take ())
    return -1;
  for (int t = 0; t < THREADS && found < 0; t++)
    if (upcr_sample_of (t)->is_given && upcr_is_asleep (t))
      found = t;
  upcr_samples_release ();
  return found;
}

/* SIGQUIT has come, and no report has begun since. */
static atomic_bool is_asked;

/* Until then a report that SIGQUIT asks for is under way; 0: none is. A thread that it was forwarded
   to may have ended before. */
static _Atomic uint64_t reporting_until_ns;

/* In the order of all such operations: who ends a report sees that it was asked for another one, or who
   asks sees that it has ended. */
static bool
begin_report (void)
{
  uint64_t now = upcr_kernel.now_ns (), until = atomic_load (&reporting_until_ns);

  return now >= until
         && atomic_compare_exchange_strong (&reporting_until_ns, &until, now + MOST_REPORT_NS);
}

static void
end_report (void)
{
  atomic_store (&reporting_until_ns, 0);
}

/* Who reports stands still meanwhile, so that nobody can tell what it does: that is to be a thread
   that sleeps. */
static bool
leave_to_sleeper (void)
{
  int sleeper;

  if (!upcr_is_upc_thread () || upcr_is_asleep (MYTHREAD))
    return false;
  sleeper = find_sleeper ();
  return sleeper >= 0 && upcr_sample_forward (sleeper);
}

/* At SIGQUIT. Those that come while a report is under way are answered by one more, as threads may do
   something else by then. */
static void
report_at_signal (bool is_forwarded)
{
  if (!is_forwarded)
    {
      atomic_store (&is_asked, true);
      if (!begin_report () || leave_to_sleeper ())
        return;
    }
  do
    {
      atomic_store (&is_asked, false);
      upcr_polling_watch ();
      upcr_print_message ("note", "what the threads do:");
      upcr_report_threads ();
      end_report ();
    }
  while (atomic_load (&is_asked) && begin_report ());
}

static const struct upcr_sleep_hooks hooks = {
  .limit = limit_of_sleep,
  .timed_out = detect_deadlock,
};

void
upcr_deadlock_init (void)
{
  for (int t = 0; t < THREADS; t++)
    atomic_store_explicit (&upcr_wait_records[t].sleeps, 0, memory_order_relaxed);
  upcr_sample_init (report_at_signal);
  for (int number = 1; number < NSIG; number++)
    handlers_at_start[number] = handler_of (number);
  upcr_sleep_hooks = &hooks;
  upcr_when_idle = detect_deadlock;
}
