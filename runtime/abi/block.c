/* Blocks of bytes in one thread's memory: __getblk3 and its kin, which compilers call for
   structures, and the library's upc_memget, upc_memput, upc_memcpy, upc_memset (UPC 1.3, 7.2.5). */

#include "runtime/abi/block.h"

FUNCTION (__getblk3, (void *dst, upcr_pts src, size_t n), UPCR_GET_BLOCK (memcpy, NULL))
FUNCTION (__getsblk3, (void *dst, upcr_pts src, size_t n), STRICT (UPCR_GET_BLOCK (memcpy, NULL)))
FUNCTION (__putblk3, (upcr_pts dst, void *src, size_t n), UPCR_PUT_BLOCK (memcpy, NULL))
FUNCTION (__putsblk3, (upcr_pts dst, void *src, size_t n), STRICT (UPCR_PUT_BLOCK (memcpy, NULL)))
FUNCTION (__copyblk3, (upcr_pts dst, upcr_pts src, size_t n), UPCR_MOVE_BLOCK (NULL))
FUNCTION (__copysblk3, (upcr_pts dst, upcr_pts src, size_t n), STRICT (UPCR_MOVE_BLOCK (NULL)))

FUNCTION (upc_memget, (void *dst, upcr_pts src, size_t n), UPCR_GET_BLOCK (memcpy, "upc_memget"))
FUNCTION (upc_memput, (upcr_pts dst, const void *src, size_t n),
          UPCR_PUT_BLOCK (memcpy, "upc_memput"))
FUNCTION (upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n),
          UPCR_COPY_BLOCK (memcpy, "upc_memcpy"))
FUNCTION (upc_memset, (upcr_pts dst, int c, size_t n), UPCR_SET_BLOCK ("upc_memset"))
