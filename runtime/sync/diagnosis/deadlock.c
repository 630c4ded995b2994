/* The deadlock detector: reacts to a deadlock that is proven (proof.h). */

#include "runtime/sync/diagnosis/deadlock.h"

#include "runtime/host/host.h"
#include "runtime/sync/diagnosis/proof.h"
#include "runtime/sync/diagnosis/report.h"
#include "runtime/sync/diagnosis/signals.h"
#include "runtime/sync/diagnosis/watch.h"
#include "runtime/sync/mechanism/sleep.h"

/* How long a deadlock must last where a signal may end it. */
#define SIGNAL_NS 5000000000ull

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

/* Looks at least twice, as the orders of a proof are
   argued for memory that keeps stores in order: what a thread stored last becomes visible in less
   time than lies between two looks. A program that handles signals may be about to get one: there
   the report comes late, and the run goes on. */
static void
detect_deadlock (void)
{
  static uint64_t last, reported, begin_ns;
  struct upcr_proof now = { 0 };

  if (upcr_options.deadlock != UPCR_DEADLOCK_OFF)
    now = upcr_prove_deadlock ();
  if (now.sleeps == 0 || now.sleeps != last)
    begin_ns = upcr_kernel.now_ns ();
  else if (now.sleeps != reported)
    {
      if (now.may_be_signalled && upcr_kernel.now_ns () - begin_ns < SIGNAL_NS)
        return;
      reported = now.sleeps;
      if (now.may_be_signalled)
        report_deadlock ("warning");
      else if (upcr_options.deadlock == UPCR_DEADLOCK_REPORT)
        report_deadlock ("error");
      else
        end_by_deadlock ();
    }
  last = now.sleeps;
}

void
upcr_deadlock_init (void)
{
  for (int t = 0; t < THREADS; t++)
    atomic_store_explicit (&upcr_wait_records[t].sleeps, 0, memory_order_relaxed);
  upcr_watch_begin (detect_deadlock);
  upcr_signals_init ();
}
