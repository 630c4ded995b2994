/* The lock functions with their source location. */

#include "runtime/abi/watch.h"
#include "runtime/shared/shared.h"

UPCR_IS_INSTRUMENTED

#define ALLOC(name, event)                                                                         \
  upcr_pts name (void);                                                                            \
  UPCR_LOCATED (upcr_pts, name##g, (const char *file, int line), (file, line), UPCR_START (event), \
                result = name (), UPCR_END (event, &result))

ALLOC (upc_global_lock_alloc, GASP_UPC_GLOBAL_LOCK_ALLOC)
ALLOC (upc_all_lock_alloc, GASP_UPC_ALL_LOCK_ALLOC)

#define OPERATION(name, event)                                                        \
  void name (upcr_pts lock);                                                          \
  UPCR_LOCATED_STATEMENT (name##g, (upcr_pts lock, const char *file, int line),       \
                          (lock, file, line), UPCR_START (event, &lock), name (lock), \
                          UPCR_END (event, &lock))

OPERATION (upc_lock, GASP_UPC_LOCK)
OPERATION (upc_unlock, GASP_UPC_UNLOCK)
OPERATION (upc_lock_free, GASP_UPC_LOCK_FREE)
OPERATION (upc_all_lock_free, GASP_UPC_LOCK_FREE)

int upc_lock_attempt (upcr_pts lock);

UPCR_LOCATED (int, upc_lock_attemptg, (upcr_pts lock, const char *file, int line),
              (lock, file, line), UPCR_START (GASP_UPC_LOCK_ATTEMPT, &lock),
              result = upc_lock_attempt (lock), UPCR_END (GASP_UPC_LOCK_ATTEMPT, &lock, result))
