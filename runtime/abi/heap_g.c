/* The allocation functions with their source location. */

#include "runtime/abi/watch.h"
#include "runtime/shared/shared.h"

#include <stddef.h>

UPCR_IS_INSTRUMENTED

#define ALLOC(name, event)                                                                    \
  upcr_pts name (size_t blocks, size_t bytes);                                                \
  UPCR_LOCATED (upcr_pts, name##g, (size_t blocks, size_t bytes, const char *file, int line), \
                (blocks, bytes, file, line), UPCR_START (event, blocks, bytes),               \
                result = name (blocks, bytes), UPCR_END (event, blocks, bytes, &result))

ALLOC (upc_global_alloc, GASP_UPC_GLOBAL_ALLOC)
ALLOC (upc_all_alloc, GASP_UPC_ALL_ALLOC)

upcr_pts upc_alloc (size_t bytes);
upcr_pts upc_local_alloc (size_t blocks, size_t bytes);

/* Behind their own arguments are those of 1.3-pre2 (events.def). */
UPCR_LOCATED (upcr_pts, upc_allocg, (size_t bytes, const char *file, int line), (bytes, file, line),
              UPCR_START (GASP_UPC_ALLOC, bytes, 1ul, bytes), result = upc_alloc (bytes),
              UPCR_END (GASP_UPC_ALLOC, bytes, &result, 1ul, bytes))
UPCR_LOCATED (upcr_pts, upc_local_allocg, (size_t blocks, size_t bytes, const char *file, int line),
              (blocks, bytes, file, line),
              UPCR_START (GASP_UPC_ALLOC, blocks *bytes, blocks, bytes),
              result = upc_local_alloc (blocks, bytes),
              UPCR_END (GASP_UPC_ALLOC, blocks *bytes, &result, blocks, bytes))

#define FREE(name)                                                                               \
  void name (upcr_pts block);                                                                    \
  UPCR_LOCATED_STATEMENT (name##g, (upcr_pts block, const char *file, int line),                 \
                          (block, file, line), UPCR_START (GASP_UPC_FREE, &block), name (block), \
                          UPCR_END (GASP_UPC_FREE, &block))

FREE (upc_free)
FREE (upc_all_free)
