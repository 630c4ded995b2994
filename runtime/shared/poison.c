/* The line after a report of AddressSanitizer. */

#include "runtime/shared/poison.h"

#ifdef UPCR_ASAN

#include "runtime/diag/diag.h"
#include "runtime/shared/shared.h"
#include "runtime/shared/zone.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Atomic unsigned long __upc_poisonings;

/* Signals of accesses to what is no memory. AddressSanitizer reports them, too, but does not tell
   the callback of which address. */
static const int signals[] = { SIGSEGV, SIGBUS };
enum
{
  SIGNALS = sizeof signals / sizeof *signals
};
static struct sigaction reporting[SIGNALS];
static __thread void *missed;
static __thread bool is_no_address;

static bool
begins_with (const char *text, const char *word)
{
  return strncmp (text, word, strlen (word)) == 0;
}

/* Whether REPORT is of a function like memcpy, the first of its frames. With clang these are the program's own, and have no
   line. */
static bool
is_of_range (const char *report)
{
  const char *frame = strstr (report, "\n    #0 "), *name = frame ? strstr (frame, " in ") : NULL;

  if (!name)
    return false;
  name += strlen (" in ");
  return begins_with (name, "__interceptor_") || begins_with (name, "__asan_mem")
         || ((begins_with (name, "mem") || begins_with (name, "str"))
             && begins_with (name + strcspn (name, " "), " ("));
}

/* Of functions like memcpy AddressSanitizer tells the first byte that they may not access, and the size
   of all that they do. */
static size_t
accessed_bytes (const void *address, const char *report)
{
  return is_of_range (report) && __asan_address_is_poisoned (address)
             ? UPCR_SOME_BYTES
             : __asan_get_report_access_size ();
}

/* Writes what free() was given, which REPORT has, if that is in the segment. */
static bool
describe_freeing (const char *report, char *text, size_t bytes)
{
  static const char before[] = "which was not malloc()-ed: ";
  const char *at = strstr (report, before);
  char place[UPCR_TEXT_BYTES];

  if (!at
      || !upcr_describe_access ((void *) strtoul (at + strlen (before), NULL, 0), 0, place,
                                sizeof place))
    return false;
  snprintf (text, bytes, "free, not upc_free, of shared memory: %s", place + strlen ("access "));
  return true;
}

/* What was accessed. AddressSanitizer reads its shadow before, and that of an address far away may be nowhere. */
static const void *
accessed_address (void)
{
  const void *address;
  size_t scale, offset;

  if (!missed)
    return __asan_get_report_address ();
  __asan_get_shadow_mapping (&scale, &offset);
  address = (const void *) (((uintptr_t) missed - offset) << scale);
  return upcr_is_beyond_threads (address) ? address : missed;
}

#ifdef UPCR_NETWORK

/* The process that has the data knows what it is. */
static bool
describe (const void *address, size_t accessed, char *text, size_t bytes)
{
  uint64_t distance = (uintptr_t) address - UPCR_SEGMENT_BASE;
  char place[UPCR_TEXT_BYTES];

  if (distance / UPCR_STRIDE >= (uint64_t) THREADS
      || upcr_is_own_thread ((int) (distance / UPCR_STRIDE)))
    return upcr_describe_access (address, accessed, text, bytes);
  upcr_text_anywhere (distance / UPCR_STRIDE, distance % UPCR_STRIDE, accessed, place,
                      sizeof place);
  snprintf (text, bytes, "access %s", place);
  return true;
}

#else

#define describe upcr_describe_access

#endif

static void
explain (const char *report)
{
  char text[2 * UPCR_TEXT_BYTES];
  const void *address = accessed_address ();

  if (is_no_address)
    upcr_print_error (UPCR_NO_ADDRESS_TEXT);
  else if (describe_freeing (report, text, sizeof text)
           || describe (address, accessed_bytes (address, report), text, sizeof text))
    upcr_print_error (text);
#ifdef UPCR_NETWORK
  /* The report has numbers of its own for threads. */
  upcr_tell_process ();
#endif
}

static void
note_address (int signal, siginfo_t *info, void *context)
{
  missed = info->si_addr;
  is_no_address = info->si_code == SI_KERNEL;
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
