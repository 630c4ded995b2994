/* The end of the process. It happens once, whichever thread asks for it first. */

#include "runtime/host/host.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

void (*upcr_before_exit) (int status);
void (*upcr_before_end) (int status);
bool upcr_is_aborting;

static atomic_flag ending = ATOMIC_FLAG_INIT;
static __thread int is_ending_thread;

/* The first caller goes on; the others stop here until the process is gone. */
void
upcr_end_once (void)
{
  /* exit() may call back: a handler that fails must not wait for itself. */
  if (is_ending_thread)
    return;
  while (atomic_flag_test_and_set (&ending))
    pause ();
  is_ending_thread = 1;
}

/* exit() and not fflush(): its flush takes no lock of a stream, so a thread that
   sits in a read of standard input with the stream locked cannot stop the end. */
void
upcr_end_process (int status)
{
  upcr_end_once ();
  if (upcr_before_end)
    upcr_before_end (status);
  exit (status);
}
