/* When the detector looks, in one process: thread 0 sleeps with a time limit, and looks when that expires.
   Whichever thread gets a SIGQUIT answers it. */

#include "runtime/sync/diagnosis/watch.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/start/start.h"
#include "runtime/sync/diagnosis/report.h"
#include "runtime/sync/mechanism/sleep.h"

#include <unistd.h>

enum
{
  FIRST_LIMIT_MS = 50,
  LONGEST_LIMIT_MS = 800
};

/* How long a report may take. */
#define MOST_REPORT_NS 10000000000ull

/* What the detector is for. A child of fork has only the thread that forked. */
static pid_t process;

static void (*look_for_deadlock) (void);

/* The other threads do nothing for the detector, but where they are alone in a child of fork. */
static const struct timespec *
limit_of_sleep (unsigned attempt, struct timespec *time)
{
  int ms = attempt < 4 ? FIRST_LIMIT_MS << attempt : LONGEST_LIMIT_MS;

  if (upcr_options.deadlock == UPCR_DEADLOCK_OFF || !upcr_is_upc_thread ()
      || (MYTHREAD != 0 && getpid () == process))
    return NULL;
  *time = (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
  return time;
}

/* In a child, what the runtime waits for within a call is over by then: the thread waits for another UPC thread. */
static void
time_out (void)
{
  if (getpid () != process)
    upcr_fatal ("%s in a child of fork waits for UPC threads, which it does not have",
                atomic_load_explicit (&upcr_wait_records[MYTHREAD].what, memory_order_relaxed));
  look_for_deadlock ();
}

/* A UPC thread that sleeps and handles signals; -1: none. */
static int
find_sleeper (void)
{
  int found = -1;

  if (!upcr_samples_take ())
    return -1;
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD && found < 0; t++)
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
      upcr_report_what_threads_do ();
      end_report ();
    }
  while (atomic_load (&is_asked) && begin_report ());
}

void
upcr_watch_begin (void (*look) (void))
{
  static const struct upcr_sleep_hooks hooks = { .limit = limit_of_sleep, .timed_out = time_out };

  process = getpid ();
  look_for_deadlock = look;
  upcr_sleep_hooks = &hooks;
  upcr_when_idle = look;
  upcr_sample_init (report_at_signal);
}
