/* The function of include/upct_heap.h. */

#include "runtime/shared/shared.h"

#include <upct_heap.h>

void
upc_heap_report (void)
{
  upcr_report_heap ();
}
