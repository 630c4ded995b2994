/* When the detector looks, in several processes: the progress thread of process 0 does so while its own
   threads all wait. It also answers a SIGQUIT to any process. If there is one process, everything is as in
   diagnosis/watch.c. */

#include "runtime/sync/diagnosis/watch.h"

static void watch_alone (void (*look) (void));
#define upcr_watch_begin watch_alone
#include "runtime/sync/diagnosis/watch.c"
#undef upcr_watch_begin

#include "runtime/net/net.h"
#include "runtime/sync/network/survey.h"

#define INTERVAL_NS 100000000ull

static void
note_signal (bool is_forwarded)
{
  (void) is_forwarded;
  atomic_store (&is_asked, true);
}

static void
look_in_time (void)
{
  static uint64_t next_ns;

  if (upcr_kernel.coarse_now_ns () < next_ns)
    return;
  look_for_deadlock ();
  next_ns = upcr_kernel.coarse_now_ns () + INTERVAL_NS;
}

/* Launchers hand signals on to all processes: what those ask for meanwhile is answered by one report. */
static void
look_as_first (void)
{
  if (atomic_exchange (&is_asked, false) || atomic_load (&upcr_survey_is_wanted))
    {
      upcr_report_what_threads_do ();
      atomic_store (&upcr_survey_is_wanted, false);
    }
  look_in_time ();
}

static void
look_as_other (void)
{
  upcr_survey_answer ();
  if (atomic_exchange (&is_asked, false))
    upcr_survey_ask_for_report ();
}

void
upcr_watch_begin (void (*look) (void))
{
  struct upcr_net_place place = upcr_net_place ();

  if (place.size == 1)
    {
      watch_alone (look);
      return;
    }
  look_for_deadlock = look;
  upcr_sample_init (note_signal);
  upcr_net_hook_look (place.rank == 0 ? look_as_first : look_as_other);
}
