/* Long blocks of all threads for all: the first thread of each node sends and receives those of its node, which nobody
   has to ask for. */

#ifndef UPCR_COLL_NETWORK_LONG_H
#define UPCR_COLL_NETWORK_LONG_H

#include "runtime/coll/coll.h"

/* Whether CALL goes so. All threads come to the same answer. */
bool upcr_is_long (const struct upcr_coll *call);

/* All threads are in CALL, and what they give is there. */
void upcr_move_long (const struct upcr_coll *call);

#endif
