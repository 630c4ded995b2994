/* Blocks of bytes that one thread's memory holds: __getblk3 and its kin, which
   compilers call for structs, and the library's upc_memget, upc_memput, upc_memcpy,
   upc_memset (UPC 1.3, 7.2.5). */

#include "runtime/abi/place.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/fence.h"

#include <string.h>

/* NAME and NAMEg, with and without a place; the second ends in WITH. */
#define FUNCTION(name, with, parameters, arguments, statement)                  \
  void name parameters;                                                         \
  void name parameters                                                          \
  {                                                                             \
    statement;                                                                  \
  }                                                                             \
  void with (UPCR_EXPAND parameters, const char *file, int line);               \
  void with (UPCR_EXPAND parameters, const char *file, int line)                \
  {                                                                             \
    UPCR_AT (file, line, name arguments);                                       \
  }
#define UPCR_EXPAND(...) __VA_ARGS__

#define STRICT(statement)   \
  upcr_strict_fence ();     \
  statement;                \
  upcr_strict_fence ()

#define GET memcpy (dst, upcr_pts_address (src), n)
#define PUT memcpy (upcr_pts_address (dst), src, n)
/* A struct may be assigned to itself: the compilers call the copy all the same. */
#define COPY memmove (upcr_pts_address (dst), upcr_pts_address (src), n)

FUNCTION (__getblk3, __getgblk5, (void *dst, upcr_pts src, size_t n), (dst, src, n), GET)
FUNCTION (__getsblk3, __getsgblk5, (void *dst, upcr_pts src, size_t n), (dst, src, n), STRICT (GET))
FUNCTION (__putblk3, __putgblk5, (upcr_pts dst, void *src, size_t n), (dst, src, n), PUT)
FUNCTION (__putsblk3, __putsgblk5, (upcr_pts dst, void *src, size_t n), (dst, src, n), STRICT (PUT))
FUNCTION (__copyblk3, __copygblk5, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), COPY)
FUNCTION (__copysblk3, __copysgblk5, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n),
          STRICT (COPY))

FUNCTION (upc_memget, upc_memgetg, (void *dst, upcr_pts src, size_t n), (dst, src, n), GET)
FUNCTION (upc_memput, upc_memputg, (upcr_pts dst, const void *src, size_t n), (dst, src, n), PUT)
FUNCTION (upc_memcpy, upc_memcpyg, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n),
          memcpy (upcr_pts_address (dst), upcr_pts_address (src), n))
FUNCTION (upc_memset, upc_memsetg, (upcr_pts dst, int c, size_t n), (dst, c, n),
          memset (upcr_pts_address (dst), c, n))
