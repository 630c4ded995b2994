/* Blocks of bytes where other processes have memory: see block.c. */

#include "runtime/abi/block.h"
#include "runtime/shared/shared.h"

#define GET upcr_load (dst, upcr_pts_address (src), n)
#define PUT upcr_store (upcr_pts_address (dst), src, n)
#define COPY upcr_transfer (upcr_pts_address (dst), upcr_pts_address (src), n)

FUNCTION (__getblk3, (void *dst, upcr_pts src, size_t n), GET)
FUNCTION (__getsblk3, (void *dst, upcr_pts src, size_t n), STRICT (GET))
FUNCTION (__putblk3, (upcr_pts dst, void *src, size_t n), PUT)
FUNCTION (__putsblk3, (upcr_pts dst, void *src, size_t n), STRICT (PUT))
FUNCTION (__copyblk3, (upcr_pts dst, upcr_pts src, size_t n), COPY)
FUNCTION (__copysblk3, (upcr_pts dst, upcr_pts src, size_t n), STRICT (COPY))

FUNCTION (upc_memget, (void *dst, upcr_pts src, size_t n), GET)
FUNCTION (upc_memput, (upcr_pts dst, const void *src, size_t n), PUT)
FUNCTION (upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n), COPY)
FUNCTION (upc_memset, (upcr_pts dst, int c, size_t n), upcr_fill (upcr_pts_address (dst), c, n))
