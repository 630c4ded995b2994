/* The line behind a report of AddressSanitizer's. */

#include "runtime/shared/poison.h"

#ifdef UPCR_ASAN

#include "runtime/shared/shared.h"

#include <stdio.h>

static void
explain (const char *report)
{
  char text[UPCR_TEXT_BYTES];

  (void) report;
  if (upcr_describe_access (__asan_get_report_address (), __asan_get_report_access_size (), text,
                            sizeof text))
    upcr_print_error (text);
}

void
upcr_explain_asan_reports (void)
{
  __asan_set_error_report_callback (explain);
}

#endif
