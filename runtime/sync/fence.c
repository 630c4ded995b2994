/* upc_fence: a null strict access (UPC 1.3, 6.6.1). */

#include "runtime/sync/fence.h"
#include "runtime/sync/poll.h"
#include "runtime/sync/sync.h"

#ifdef UPCR_TSAN
_Atomic uint32_t upcr_fence_word;
#endif

void
upcr_fence (void)
{
  upcr_strict_fence ();
  if (upcr_is_oversubscribed ())
    upcr_idle_fence ();
}
