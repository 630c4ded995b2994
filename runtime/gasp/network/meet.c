/* The end of a program in several processes. */

#include "runtime/gasp/tool.h"

#include "runtime/net/net.h"

void
upcr_gasp_meet_processes (void)
{
  struct upcr_net_most none = { { 0 } };
  unsigned looks = 0;

  upcr_net_barrier_begin (none);
  while (!upcr_net_barrier_try (&none))
    upcr_net_relax (&looks);
}
