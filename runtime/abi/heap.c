/* The allocation functions of UPC 1.3, 7.2.2. */

#include "runtime/coll/coll.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#define ALLOC(name, parameters, value) \
  upcr_pts name parameters;            \
  upcr_pts name parameters             \
  {                                    \
    return value;                      \
  }

ALLOC (upc_alloc, (size_t bytes), upcr_local_alloc (bytes))
ALLOC (upc_global_alloc, (size_t blocks, size_t bytes), upcr_symmetric_alloc (blocks, bytes))
/* Of UPC 1.0 to 1.2. */
ALLOC (upc_local_alloc, (size_t blocks, size_t bytes),
       upcr_local_alloc (blocks &&bytes > (size_t) -1 / blocks ? (size_t) -1 : blocks * bytes))

#define FREE(name, statement) \
  void name (upcr_pts block); \
  void name (upcr_pts block)  \
  {                           \
    statement;                \
  }

FREE (upc_free, upcr_heap_free (block, "upc_free"))

upcr_pts upc_all_alloc (size_t blocks, size_t bytes);
/* Weak: programs of UPC 1.2, which has no such function, may have one of their own. */
__attribute__ ((weak)) void upc_all_free (upcr_pts block);

upcr_pts
upc_all_alloc (size_t blocks, size_t bytes)
{
  UPCR_EXCLUSIVE ("upc_all_alloc");

  return upcr_all_alloc (blocks, bytes);
}

void
upc_all_free (upcr_pts block)
{
  UPCR_EXCLUSIVE ("upc_all_free");

  upcr_all_free (block);
}
