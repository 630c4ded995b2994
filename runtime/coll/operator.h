/* Inside the room: operators of the program's table. */

#ifndef UPCR_COLL_OPERATOR_H
#define UPCR_COLL_OPERATOR_H

#include "runtime/coll/coll.h"
#include "runtime/coll/tuning.h"

#include <stdlib.h>

/* The function of a row of the table, for elements of BYTES. */
struct upcr_operator upcr_table_operator (const gasnet_coll_fn_entry_t *entry, size_t bytes,
                                          int argument);

/* The same for a number in the table, which ends the run when it is not there. */
struct upcr_operator upcr_operator_in_table (gasnet_coll_fn_handle_t function, size_t bytes,
                                             int argument);

/* Memory for one element: NEAR, of UPCR_NEAR_BYTES and aligned, where that is enough. */
void *upcr_element_alloc (const struct upcr_operator *op, void *near);
void upcr_element_free (void *element, void *near);

/* Folds COUNT elements behind what is in *RESULT, or from the first one on. */
static inline void
upcr_fold_on (const struct upcr_operator *op, void *result, bool *is_begun, const void *elements,
              size_t count)
{
  if (count == 0)
    return;
  op->fold (op, result, *is_begun ? result : NULL, elements, count);
  *is_begun = true;
}

#endif
