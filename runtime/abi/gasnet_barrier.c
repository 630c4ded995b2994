/* GASNet's barrier (gasnet_coll.h): UPC's barrier under another name. */

#include "runtime/coll/coll.h"
#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/sync/sync.h"

#include <gasnet_coll.h>

static int
id_of (int id, int flags, const char *what)
{
  if (flags & ~GASNET_BARRIERFLAG_ANONYMOUS)
    upcr_fatal ("%s: flags are %d, not 0 or GASNET_BARRIERFLAG_ANONYMOUS", what, flags);
  return flags ? UPCR_NO_ID : id;
}

void
gasnet_barrier_notify (int id, int flags)
{
  UPCR_EXCLUSIVE ("gasnet_barrier_notify");

  if (upcr_options.check && upcr_open_handles && upcr_open_handles ())
    upcr_fatal ("gasnet_barrier_notify: %u collective operations of this thread are not completed",
                upcr_open_handles ());
  upcr_notify (id_of (id, flags, "gasnet_barrier_notify"));
}

int
gasnet_barrier_wait (int id, int flags)
{
  UPCR_EXCLUSIVE ("gasnet_barrier_wait");

  upcr_wait (id_of (id, flags, "gasnet_barrier_wait"));
  return GASNET_OK;
}

int
gasnet_barrier_try (int id, int flags)
{
  UPCR_EXCLUSIVE ("gasnet_barrier_try");

  id = id_of (id, flags, "gasnet_barrier_try");
  if (upcr_has_notified (MYTHREAD) && !upcr_barrier_is_over ())
    {
      upcr_poll ();
      return GASNET_ERR_NOT_READY;
    }
  upcr_wait (id);
  return GASNET_OK;
}
