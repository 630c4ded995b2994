/* Collective functions that move blocks between nodes. Nobody asks for a block: all threads know from the arguments
   which blocks go from one node to another, so the first thread of each sends and receives those of its node. */

#ifndef UPCR_COLL_NETWORK_BLOCKS_H
#define UPCR_COLL_NETWORK_BLOCKS_H

#include "runtime/coll/coll.h"

/* Whether CALL moves blocks in this way. All threads come to the same answer. Then each process touches only what its
   own node's threads have, so what is MYSYNC for these takes a meeting of the node's threads. */
bool upcr_is_by_nodes (const struct upcr_coll *call);
void upcr_move_by_nodes (const struct upcr_coll *call);

/* Waits for the threads of the node to enter, or leave, CALL. */
void upcr_meet_in_node (const struct upcr_coll *call);

#endif
