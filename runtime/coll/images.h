/* Inside the room: the grouping of images into nodes, and the table of functions, both from
   gasnet_coll_init. */

#ifndef UPCR_COLL_IMAGES_H
#define UPCR_COLL_IMAGES_H

#include "runtime/coll/coll.h"

/* Has this thread called gasnet_coll_init? */
bool upcr_is_initialized (void);

/* The index of IMAGE in the lists of its node. */
uint32_t upcr_index_in_node (uint32_t image);

#endif
