/* The line behind a report of AddressSanitizer's. */

#include "runtime/shared/poison.h"

#ifdef UPCR_ASAN

#include "runtime/shared/shared.h"

#include <signal.h>
#include <stdio.h>

/* Signals of accesses to what is no memory. AddressSanitizer reports them, too, but does not tell
   the callback of which address. */
static const int signals[] = { SIGSEGV, SIGBUS };
enum
{
  SIGNALS = sizeof signals / sizeof *signals
};
static struct sigaction reporting[SIGNALS];
static __thread void *missed;

static void
explain (const char *report)
{
  char text[UPCR_TEXT_BYTES];
  void *address = missed ? missed : __asan_get_report_address ();

  (void) report;
  if (upcr_describe_access (address, __asan_get_report_access_size (), text, sizeof text))
    upcr_print_error (text);
}

static void
note_address (int signal, siginfo_t *info, void *context)
{
  missed = info->si_addr;
  for (int i = 0; i < SIGNALS; i++)
    if (signals[i] == signal)
      reporting[i].sa_sigaction (signal, info, context);
}

void
upcr_explain_asan_reports (void)
{
  __asan_set_error_report_callback (explain);
  for (int i = 0; i < SIGNALS; i++)
    {
      struct sigaction action;

      /* Its options may leave signals to the program. */
      if (sigaction (signals[i], NULL, &reporting[i]) || !(reporting[i].sa_flags & SA_SIGINFO))
        continue;
      action = reporting[i];
      action.sa_sigaction = note_address;
      sigaction (signals[i], &action, NULL);
    }
}

#endif
