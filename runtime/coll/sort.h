/* Sorting a distributed array in place. */

#ifndef UPCR_COLL_SORT_H
#define UPCR_COLL_SORT_H

#include "runtime/shared/shared.h"

typedef int upcr_comparison (upcr_pts left, upcr_pts right);

/* Sorts COUNT elements of BYTES bytes from A on, in blocks of BLOCK elements, or all with
   one thread where that is 0. Equal elements keep their order. Collective; FLAGS are
   those of the engine. */
void upcr_all_sort (upcr_pts a, size_t bytes, size_t count, size_t block, upcr_comparison *compare,
                    int flags);

#endif
