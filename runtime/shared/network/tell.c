/* Which process a report is of, on which host. */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <stdio.h>
#include <unistd.h>

void
upcr_tell_process (void)
{
  char host[64] = "", text[160];

  gethostname (host, sizeof host - 1);
  snprintf (text, sizeof text, "on %s: thread %d in process %d (pid %d)", host, MYTHREAD,
            upcr_net_place ().rank, (int) getpid ());
  if (upcr_is_upc_thread ())
    upcr_print_message ("note", text);
}
