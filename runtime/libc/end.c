/* Functions that end the process at once, whatever the other UPC threads do. A performance tool
   is notified first (GASP 1.4, 5.4.1). Exit handlers do not run, so this is not in exit.c. */

#include "runtime/libc/libc.h"

#include "runtime/host/host.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* What a shell shows of a process that a signal has ended. */
enum
{
  ABORTED = 128 + SIGABRT
};

static void
tell (int status)
{
  if (upcr_before_end)
    upcr_before_end (status);
}

void
upcr__Exit (int status)
{
  tell (status);
  _exit (status);
}

void
upcr_quick_exit (int status)
{
  tell (status);
  quick_exit (status);
}

static void
tell_of_abort (void)
{
  upcr_is_aborting = true;
  tell (ABORTED);
}

void
upcr_abort (void)
{
  tell_of_abort ();
  abort ();
}

void
upcr_assert_fail (const char *assertion, const char *file, unsigned line, const char *function)
{
  tell_of_abort ();
  __assert_fail (assertion, file, line, function);
}
