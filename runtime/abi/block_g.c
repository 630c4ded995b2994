/* Blocks with their source location: __getgblk5 and its kin, upc_memgetg and its kin. The events
   are GASP_UPC_GET and _PUT, GASP_UPC_MEMGET and the other three. */

#include "runtime/abi/watch.h"
#include "runtime/shared/shared.h"

#include <stddef.h>

UPCR_IS_INSTRUMENTED

/* WITH is NAME with a source location. */
#define FUNCTION(name, with, destination, source, before, after)                             \
  void name (destination, source, size_t n);                                                 \
  UPCR_LOCATED_STATEMENT (with, (destination, source, size_t n, const char *file, int line), \
                          (dst, src, n, file, line), before, name (dst, src, n), after)

#define GET(name, with, relaxed)                                                                   \
  FUNCTION (name, with, void *dst, upcr_pts src, UPCR_START (GASP_UPC_GET, relaxed, dst, &src, n), \
            UPCR_END (GASP_UPC_GET, relaxed, dst, &src, n))
#define PUT(name, with, relaxed)                                                                   \
  FUNCTION (name, with, upcr_pts dst, void *src, UPCR_START (GASP_UPC_PUT, relaxed, &dst, src, n), \
            UPCR_END (GASP_UPC_PUT, relaxed, &dst, src, n))

/* A shared object that is assigned to a shared one is read and assigned to (GASP 1.4,
   5.4.5): not one of the library's copies. What is private to the thread in the one and the
   other is the object's address as the thread sees it. */
#define COPY(name, with, relaxed)                                                \
  FUNCTION (name, with, upcr_pts dst, upcr_pts src,                              \
            UPCR_START (GASP_UPC_GET, relaxed, upcr_pts_address (dst), &src, n), \
            UPCR_END (GASP_UPC_GET, relaxed, upcr_pts_address (dst), &src, n);   \
            UPCR_START (GASP_UPC_PUT, relaxed, &dst, upcr_pts_address (src), n); \
            UPCR_END (GASP_UPC_PUT, relaxed, &dst, upcr_pts_address (src), n))

GET (__getblk3, __getgblk5, 1)
GET (__getsblk3, __getsgblk5, 0)
PUT (__putblk3, __putgblk5, 1)
PUT (__putsblk3, __putsgblk5, 0)
COPY (__copyblk3, __copygblk5, 1)
COPY (__copysblk3, __copysgblk5, 0)

#define LIBRARY(name, event, destination, source, ...)                              \
  FUNCTION (name, name##g, destination, source, UPCR_START (event, __VA_ARGS__, n), \
            UPCR_END (event, __VA_ARGS__, n))

LIBRARY (upc_memget, GASP_UPC_MEMGET, void *dst, upcr_pts src, dst, &src)
LIBRARY (upc_memput, GASP_UPC_MEMPUT, upcr_pts dst, const void *src, &dst, src)
LIBRARY (upc_memcpy, GASP_UPC_MEMCPY, upcr_pts dst, upcr_pts src, &dst, &src)
/* The byte takes the place of a source. */
LIBRARY (upc_memset, GASP_UPC_MEMSET, upcr_pts dst, int src, &dst, src)
