/* The proof that a run can never go on.

   Thread 0 looks three times over all threads that have not ended:

   1. each sleeps, and how often it has begun and ended a sleep;
   2. the process has no other threads, and each thread's word is still the one that it
      sleeps on;
   3. none has begun or ended a sleep since 1.

   So at the end of 1 all slept, and as long as all sleep nobody changes a word: there is
   nobody else, by 2. A word that had changed before would have been seen in 2; and the
   first thread to go on would do so because its word changed. Threads that have ended
   never come back.

   Doubt is cheap: anything that cannot be found out means that the run is not stuck.
   Words are compared by the kernel, by a sleep of no time: the memory of a word may be
   gone when its thread has gone on meanwhile. */

#include "runtime/sync/stuck.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/start/start.h"
#include "runtime/sync/proc.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST_LIMIT_MS = 50, LONGEST_LIMIT_MS = 800, SIGNAL_SECONDS = 5 };

struct upcr_waiter upcr_waiters[UPCR_MAX_THREADS];

/* Written before there are other threads. */
static void (*handlers_at_start[NSIG]) (int);

void
upcr_sleep_begins (_Atomic uint32_t *word, uint32_t seen, _Atomic uint32_t *other,
                   uint32_t other_seen)
{
  struct upcr_waiter *mine = &upcr_waiters[MYTHREAD];
  uint32_t sleeps = atomic_load_explicit (&mine->sleeps, memory_order_relaxed);

  if (!upcr_is_upc_thread ())
    return;
  atomic_store_explicit (&mine->on[0].word, word, memory_order_relaxed);
  atomic_store_explicit (&mine->on[0].seen, seen, memory_order_relaxed);
  atomic_store_explicit (&mine->on[1].word, other, memory_order_relaxed);
  atomic_store_explicit (&mine->on[1].seen, other_seen, memory_order_relaxed);
  atomic_store_explicit (&mine->sleeps, sleeps | 1, memory_order_release);
}

void
upcr_sleep_ends (void)
{
  struct upcr_waiter *mine = &upcr_waiters[MYTHREAD];
  uint32_t sleeps = atomic_load_explicit (&mine->sleeps, memory_order_relaxed);

  if ((sleeps & 1) && upcr_is_upc_thread ())
    atomic_store_explicit (&mine->sleeps, sleeps + 1, memory_order_release);
}

const struct timespec *
upcr_sleep_limit (unsigned turn, struct timespec *time)
{
  int ms = turn < 4 ? FIRST_LIMIT_MS << turn : LONGEST_LIMIT_MS;

  if (MYTHREAD != 0 || upcr_options.deadlock == UPCR_DEADLOCK_OFF || !upcr_is_upc_thread ())
    return NULL;
  *time = (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
  return time;
}

/* How many threads the process has; 0: unknown. */
static int
count_threads (void)
{
  struct upcr_stat stat;

  if (!upcr_stat_read ("/proc/self/stat", &stat))
    return 0;
  return atoi (upcr_stat_field (&stat, UPCR_STAT_THREADS));
}

/* What handles a signal; SIG_DFL when nothing does. */
static void (*handler_of (int number)) (int)
{
  struct sigaction action;

  if (sigaction (number, NULL, &action) || action.sa_handler == SIG_IGN)
    return SIG_DFL;
  return action.sa_handler;
}

/* Signals of the program's own errors are handled where nothing waits. */
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

/* Threads of the process when no one but the UPC threads is there. The initial one, be
   it thread 0 or not, waits for the others. */
static int
own_threads (void)
{
#ifdef UPCR_TSAN
  /* It makes one of its own. */
  int threads = 2;
#else
  int threads = 1;
#endif

  for (int t = upcr_has_separate_thread_0 () ? 0 : 1; t < THREADS; t++)
    threads += !upcr_thread_has_ended (t);
  return threads;
}

static bool
word_is (_Atomic uint32_t *word, uint32_t seen)
{
  static const struct timespec no_time = { 0, 0 };

  return syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, &no_time, NULL, 0) < 0
         && errno == ETIMEDOUT;
}

static bool
words_are_unchanged (const struct upcr_waiter *waiter)
{
  for (int i = 0; i < 2; i++)
    {
      _Atomic uint32_t *word = atomic_load_explicit (&waiter->on[i].word, memory_order_relaxed);
      if (word && !word_is (word, atomic_load_explicit (&waiter->on[i].seen, memory_order_relaxed)))
        return false;
    }
  return true;
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
        uint32_t sleeps = atomic_load_explicit (&upcr_waiters[t].sleeps, memory_order_acquire);
        if (!(sleeps & 1))
          return 0;
        sum += sleeps;
      }
  return sum;
}

/* The sum of the counts when no thread can go on by itself, else 0. */
static uint64_t
prove (void)
{
  uint64_t sum = sum_of_sleeps ();

  if (sum == 0 || count_threads () != own_threads ())
    return 0;
  for (int t = 0; t < THREADS; t++)
    if (!upcr_thread_has_ended (t) && !words_are_unchanged (&upcr_waiters[t]))
      return 0;
  return sum_of_sleeps () == sum ? sum : 0;
}

static void
report_as_stuck (const char *kind)
{
  char line[512];

  upcr_explain_deadlock (line, sizeof line);
  upcr_print_message (kind, line);
  upcr_report_threads ();
}

static void
end_as_stuck (void)
{
  upcr_end_once ();
  report_as_stuck ("error");
  upcr_end_process (1);
}

static double
seconds_since (const struct timespec *begin)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec - begin->tv_sec + (now.tv_nsec - begin->tv_nsec) * 1e-9;
}

/* Looks at least twice, as the orders above are argued for memory that keeps stores in
   order: what a thread stored last becomes visible in less time than lies between two
   looks. A program that handles signals may be about to get one: there it is said late,
   and the run goes on. */
void
upcr_look_if_stuck (void)
{
  static uint64_t last, reported;
  static struct timespec begin;
  uint64_t now = upcr_options.deadlock == UPCR_DEADLOCK_OFF ? 0 : prove ();

  if (now == 0 || now != last)
    clock_gettime (CLOCK_MONOTONIC, &begin);
  else if (now != reported)
    {
      bool may_be_signalled = program_handles_signals ();
      if (may_be_signalled && seconds_since (&begin) < SIGNAL_SECONDS)
        return;
      reported = now;
      if (may_be_signalled)
        report_as_stuck ("warning");
      else if (upcr_options.deadlock == UPCR_DEADLOCK_REPORT)
        report_as_stuck ("error");
      else
        end_as_stuck ();
    }
  last = now;
}

/* At SIGQUIT. */
static void
show_run (void)
{
  upcr_print_message ("note", "what the threads do:");
  upcr_report_threads ();
}

void
upcr_stuck_init (void)
{
  for (int t = 0; t < THREADS; t++)
    atomic_store_explicit (&upcr_waiters[t].sleeps, 0, memory_order_relaxed);
  upcr_sample_init (show_run);
  for (int number = 1; number < NSIG; number++)
    handlers_at_start[number] = handler_of (number);
  upcr_when_idle = upcr_look_if_stuck;
}
