/* The allocation functions of UPC 1.3, 7.2.2. */

#include "runtime/abi/place.h"
#include "runtime/coll/alloc.h"
#include "runtime/shared/shared.h"

#define ALLOC(name, parameters, arguments, value)                               \
  upcr_pts name parameters;                                                     \
  upcr_pts name parameters                                                      \
  {                                                                             \
    return value;                                                               \
  }                                                                             \
  upcr_pts name##g (UPCR_EXPAND parameters, const char *file, int line);        \
  upcr_pts name##g (UPCR_EXPAND parameters, const char *file, int line)         \
  {                                                                             \
    upcr_pts result;                                                            \
    UPCR_AT (file, line, result = name arguments);                              \
    return result;                                                              \
  }
#define UPCR_EXPAND(...) __VA_ARGS__

ALLOC (upc_alloc, (size_t bytes), (bytes), upcr_local_alloc (bytes))
ALLOC (upc_global_alloc, (size_t blocks, size_t bytes), (blocks, bytes),
       upcr_symmetric_alloc (blocks, bytes))
ALLOC (upc_all_alloc, (size_t blocks, size_t bytes), (blocks, bytes),
       upcr_all_alloc (blocks, bytes))
/* Of UPC 1.0 to 1.2. */
ALLOC (upc_local_alloc, (size_t blocks, size_t bytes), (blocks, bytes),
       upcr_local_alloc (blocks && bytes > (size_t) -1 / blocks ? (size_t) -1 : blocks * bytes))

#define FREE(name, statement)                                                   \
  void name (upcr_pts block);                                                   \
  void name (upcr_pts block)                                                    \
  {                                                                             \
    statement;                                                                  \
  }                                                                             \
  void name##g (upcr_pts block, const char *file, int line);                    \
  void name##g (upcr_pts block, const char *file, int line)                     \
  {                                                                             \
    UPCR_AT (file, line, name (block));                                         \
  }

FREE (upc_free, upcr_heap_free (block, "upc_free"))
FREE (upc_all_free, upcr_all_free (block))
