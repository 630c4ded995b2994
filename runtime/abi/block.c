/* Blocks of bytes that one thread's memory holds: __getblk3 and its kin, which
   compilers call for structs, and the library's upc_memget, upc_memput, upc_memcpy,
   upc_memset (UPC 1.3, 7.2.5). */

#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#include <string.h>

#define FUNCTION(name, parameters, statement) \
  void name parameters;                       \
  void name parameters                        \
  {                                           \
    statement;                                \
  }

#define STRICT(statement) \
  upcr_strict_fence ();   \
  statement;              \
  upcr_strict_fence ()

#define GET memcpy (dst, upcr_pts_address (src), n)
#define PUT memcpy (upcr_pts_address (dst), src, n)
/* A struct may be assigned to itself: the compilers call the copy all the same. */
#define COPY memmove (upcr_pts_address (dst), upcr_pts_address (src), n)

FUNCTION (__getblk3, (void *dst, upcr_pts src, size_t n), GET)
FUNCTION (__getsblk3, (void *dst, upcr_pts src, size_t n), STRICT (GET))
FUNCTION (__putblk3, (upcr_pts dst, void *src, size_t n), PUT)
FUNCTION (__putsblk3, (upcr_pts dst, void *src, size_t n), STRICT (PUT))
FUNCTION (__copyblk3, (upcr_pts dst, upcr_pts src, size_t n), COPY)
FUNCTION (__copysblk3, (upcr_pts dst, upcr_pts src, size_t n), STRICT (COPY))

FUNCTION (upc_memget, (void *dst, upcr_pts src, size_t n), GET)
FUNCTION (upc_memput, (upcr_pts dst, const void *src, size_t n), PUT)
FUNCTION (upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n),
          memcpy (upcr_pts_address (dst), upcr_pts_address (src), n))
FUNCTION (upc_memset, (upcr_pts dst, int c, size_t n), memset (upcr_pts_address (dst), c, n))
