/* Inside the room: operations in flight, as blocking calls see them. */

#ifndef UPCR_COLL_HANDLE_H
#define UPCR_COLL_HANDLE_H

#include "runtime/coll/team.h"

/* Completes what member RANK, the caller, has started with AGGREGATE. */
void upcr_complete_group (upcr_team *team, uint32_t rank);

#endif
