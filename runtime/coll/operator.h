/* Inside the room: operators of the program's table. */

#ifndef UPCR_COLL_OPERATOR_H
#define UPCR_COLL_OPERATOR_H

#include "runtime/coll/coll.h"

#include <stdlib.h>

/* The function of a row, for elements of BYTES. */
struct upcr_operator upcr_table_operator (const gasnet_coll_fn_entry_t *entry, size_t bytes,
                                          int argument);

/* The same for a number in the table, which ends the run when it is not there. */
struct upcr_operator upcr_operator_in_table (gasnet_coll_fn_handle_t function, size_t bytes,
                                             int argument);

/* Room for one element: NEAR, of UPCR_NEAR_BYTES and aligned, where that is enough. */
enum { UPCR_NEAR_BYTES = 256 };
void *upcr_element_room (const struct upcr_operator *op, void *near);
void upcr_free_element (void *room, void *near);

#endif
