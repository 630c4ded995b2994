/* With UPC_CHECK=1: whether all threads call the same collective functions in the same order, with the same
   single-valued arguments (UPC 1.3, 7.3.1.1). */

#ifndef UPCR_COLL_NETWORK_CHECK_H
#define UPCR_COLL_NETWORK_CHECK_H

#include "runtime/coll/coll.h"

void upcr_compare_call (const struct upcr_coll *call);

/* Does what the calling thread reads and writes belong to one object? With UPC_CHECK=1, also: do source and destination
   overlap? */
void upcr_check_memory (const struct upcr_coll *call);

#endif
