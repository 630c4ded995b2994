/* Broadcast from thread 0, for collective functions whose work only thread 0 does. */

#ifndef UPCR_SYNC_BROADCAST_H
#define UPCR_SYNC_BROADCAST_H

#include "runtime/shared/shared.h"

#include <stdbool.h>
#include <stddef.h>

/* One thread's call of such a function. */
struct upcr_broadcast
{
  const char *what; /* the function, for messages */
  size_t arguments[2];
  upcr_pts result;
};

/* Waits for all threads and returns what thread 0 passed, which stays until the next call.
   It is an error when thread 0 called another function. */
const struct upcr_broadcast *upcr_broadcast_from_0 (const struct upcr_broadcast *mine);

/* True on thread 0, once all threads have called it with the same pointer: nobody uses
   the object any more. Another pointer than thread 0's is an error. */
bool upcr_agree_to_free (upcr_pts object, const char *what);

#endif
