/* The plain heap of several processes: each counts the blocks in its own partitions, and process 0 the symmetric ones. */

#include "runtime/shared/plain.h"

static void uses_here (struct upcr_use *uses);
#define upcr_plain_uses uses_here
#include "runtime/shared/plain.c"
#undef upcr_plain_uses

#include "runtime/net/net.h"

#include <string.h>

static void
serve_uses (struct upcr_net_caller caller, const void *arguments)
{
  struct upcr_use uses[UPCR_USES];

  (void) arguments;
  uses_here (uses);
  upcr_net_reply (caller, uses, (THREADS + 1) * sizeof *uses);
}

void
upcr_serve_uses (void)
{
  upcr_net_serve (UPCR_NET_USES, serve_uses);
}

/* What has been in use at most is so much of the parts that processes have had: it may not have been at once. */
void
upcr_plain_uses (struct upcr_use *uses)
{
  struct upcr_use theirs[UPCR_USES];

  memset (uses, 0, (THREADS + 1) * sizeof *uses);
  for (int p = 0; p < upcr_net_place ().size; p++)
    {
      upcr_net_open open = 0;

      upcr_net_call (p, UPCR_NET_USES, NULL, 0, theirs, &open);
      upcr_net_await (&open);
      for (int t = 0; t <= THREADS; t++)
        {
          uses[t].blocks += theirs[t].blocks;
          uses[t].bytes += theirs[t].bytes;
          uses[t].most += theirs[t].most;
        }
    }
}
