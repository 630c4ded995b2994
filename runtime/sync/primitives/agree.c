/* Collective functions that free an object: all threads call them, and thread 0 frees it. */

#include "runtime/sync/primitives/broadcast.h"

#include "runtime/host/host.h"

bool
upcr_agree_to_free (upcr_pts object, const char *what)
{
  const struct upcr_broadcast mine = { .what = what, .result = object };

  if (!upcr_pts_equal (upcr_broadcast_from_0 (&mine)->result, object))
    upcr_fatal ("%s: not the same pointer as on thread 0", what);
  return MYTHREAD == 0;
}
