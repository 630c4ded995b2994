/* Functions for the recorder of traces (tools/trace/recorder/processes.upc). */

#include "runtime/net/net.h"

int upct_compare_clocks (uint64_t *own, uint64_t *first, uint64_t *width);

int
upct_compare_clocks (uint64_t *own, uint64_t *first, uint64_t *width)
{
  struct upcr_net_moment moment;
  bool differ = upcr_net_compare_clocks (&moment);

  *own = moment.own;
  *first = moment.first;
  *width = moment.width;
  return differ;
}
