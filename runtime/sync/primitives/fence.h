/* The statement upc_fence: a null strict access (UPC 1.3, 6.6.1). */

#ifndef UPCR_SYNC_FENCE_H
#define UPCR_SYNC_FENCE_H

#include "runtime/sync/mechanism/fence.h"
#include "runtime/sync/policy/poll.h"
#include "runtime/sync/policy/wait_policy.h"

static inline void
upcr_fence (void)
{
  upcr_strict_fence ();
  if (upcr_is_oversubscribed ())
    upcr_idle_fence ();
}

#endif
