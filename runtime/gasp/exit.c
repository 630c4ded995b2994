/* The events of the end (GASP 1.4, 5.4.1). */

#include "runtime/gasp/tool.h"

#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <unistd.h>

/* The program's process. A child of vfork, which has its memory, ends by itself. */
static pid_t process;

/* What else is to be done before the end: leaving the other processes. */
static void (*next_before_end) (int status);

/* arrived counts the threads of this process that have ended their main; all_arrived is 1 when they all have, and
   those of the other processes. What a thread did before it arrived happens before what any does after the wait:
   each adds with release, the last one acquires that and passes it on by the store to all_arrived. */
static _Atomic uint32_t arrived, all_arrived;

/* Written by each UPC thread alone. */
static bool has_arrived[UPCR_MAX_THREADS];

static void
arrive (void)
{
  if (has_arrived[MYTHREAD])
    return;
  has_arrived[MYTHREAD] = true;
  if (atomic_fetch_add_explicit (&arrived, 1, memory_order_acq_rel) + 1
      == (uint32_t) UPCR_OWN_THREADS)
    {
      upcr_gasp_meet_processes ();
      atomic_store_explicit (&all_arrived, 1, memory_order_release);
      upcr_unpark_all (&all_arrived);
    }
}

static void
wait_for_all (void)
{
  upcr_set_wait_reason ("exit", NULL);
  while (atomic_load_explicit (&all_arrived, memory_order_acquire) == 0)
    upcr_park_while (&all_arrived, 0);
}

/* What the program said, else where a `g` entry point is. */
static struct upct_site
exit_site (void)
{
  if (upcr_gasp_thread.exit_site.file)
    return upcr_gasp_thread.exit_site;
  return (struct upct_site){ upcr_here.file, upcr_here.file ? upcr_here.line : 0, 0 };
}

static void
raise_at_exit (unsigned event, int type, int status)
{
  const struct upcr_gasp_at at = { exit_site (), UPCR_CALLER_STACK };

  upcr_gasp_raise (&at, event, type, status);
}

/* An implicit barrier is at the end of a program (UPC 1.3, 6.6.1); without a tool the
   runtime joins its threads instead. The tool may use barriers of the program's kind
   in both events, so this one is of its own. A tool that ends its thread itself, in
   gasp_init say, gets no events of it, and keeps no other thread waiting. */
static void
collective_exit (int status)
{
  if (!upcr_gasp_thread.is_active)
    {
      arrive ();
      return;
    }
  upcr_open_close_to (0, false);
  raise_at_exit (GASP_UPC_COLLECTIVE_EXIT, GASP_START, status);
  arrive ();
  wait_for_all ();
  raise_at_exit (GASP_UPC_COLLECTIVE_EXIT, GASP_END, status);
  upcr_gasp_thread.is_active = false;
}

static void
noncollective_exit (int status)
{
  if (upcr_gasp_thread.is_active && getpid () == process)
    {
      upcr_open_close_to (0, false);
      raise_at_exit (GASP_UPC_NONCOLLECTIVE_EXIT, GASP_ATOMIC, status);
      upcr_gasp_thread.is_active = false;
    }
  if (next_before_end)
    next_before_end (status);
}

void
upcr_gasp_watch_ends (void)
{
  process = getpid ();
  upcr_before_exit = collective_exit;
  next_before_end = upcr_before_end;
  upcr_before_end = noncollective_exit;
}
