/* Reports of what is in use, of all processes: in a checked heap process 0 knows it all. */

#include "runtime/shared/shared.h"

static void report_here (void);
#define upcr_report_heap report_here
#include "runtime/shared/report.c"
#undef upcr_report_heap

#include "runtime/net/net.h"

static void
serve_report (struct upcr_net_caller caller, const void *arguments)
{
  (void) arguments;
  report_here ();
  upcr_net_reply (caller, NULL, 0);
}

void
upcr_serve_report (void)
{
  upcr_net_serve (UPCR_NET_REPORT, serve_report);
}

void
upcr_report_heap (void)
{
  upcr_net_open open = 0;

  if (!upcr_is_checked)
    {
      report_here ();
      return;
    }
  upcr_net_call (0, UPCR_NET_REPORT, NULL, 0, NULL, &open);
  upcr_net_await (&open);
}
