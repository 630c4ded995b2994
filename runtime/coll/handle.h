/* Inside the room: the blocking use of operations in flight. */

#ifndef UPCR_COLL_HANDLE_H
#define UPCR_COLL_HANDLE_H

#include "runtime/coll/team.h"

/* Runs a call whose work all members share, unit by unit. */
void upcr_coll_run_shared (const struct upcr_coll *call);

/* Completes what member RANK, the caller, has started with AGGREGATE. */
void upcr_complete_group (upcr_team *team, uint32_t rank);

#endif
