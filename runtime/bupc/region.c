/* Access regions of transfers without handles. These are complete at once, so only the rules of
   use remain. */

#include "runtime/bupc/bupc.h"

UPCR_USES_PRIVATE void
upcr_begin_access_region (void)
{
  upcr_reject_in_access_region ("bupc_begin_accessregion");
  upcr_is_in_access_region = true;
}

UPCR_USES_PRIVATE void
upcr_end_access_region (void)
{
  if (!upcr_is_in_access_region)
    upcr_fatal ("bupc_end_accessregion outside of an access region");
  upcr_is_in_access_region = false;
}
