/* Single accesses with their source location: __getgsi3 and its kin. GASP_UPC_GET and GASP_UPC_PUT. */

#include "runtime/abi/access.h"
#include "runtime/abi/watch.h"

UPCR_IS_INSTRUMENTED

/* RELAXED is 1 or 0; the names of strict forms have ORDER `s`. */
#define ACCESS(order, relaxed, name, type, get, put)                                             \
  UPCR_LOCATED (type, __get##order##g##name##3, (upcr_pts p, const char *file, int line),        \
                (p, file, line), UPCR_START (GASP_UPC_GET, relaxed, &result, &p, sizeof result), \
                get (name, type, result, p),                                                     \
                UPCR_END (GASP_UPC_GET, relaxed, &result, &p, sizeof result))                    \
  UPCR_LOCATED_STATEMENT (                                                                       \
      __put##order##g##name##4, (upcr_pts p, type value, const char *file, int line),            \
      (p, value, file, line), UPCR_START (GASP_UPC_PUT, relaxed, &p, &value, sizeof value),      \
      put (name, type, p, value), UPCR_END (GASP_UPC_PUT, relaxed, &p, &value, sizeof value))

#define BOTH(name, type, size)                 \
  ACCESS (, 1, name, type, UPCR_GET, UPCR_PUT) \
  ACCESS (s, 0, name, type, UPCR_GETS_##size, UPCR_PUTS_##size)

UPCR_ACCESS_TYPES (BOTH)
