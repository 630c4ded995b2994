/* Blocks of bytes that one thread's memory holds: __getblk3 and its kin, which
   compilers call for structs, and the library's upc_memget, upc_memput, upc_memcpy,
   upc_memset (UPC 1.3, 7.2.5). */

#include "runtime/abi/block.h"
#include "runtime/shared/shared.h"

#include <string.h>

/* CHECKED (P): the N bytes at P, which are one object's. WHAT is the function's name for messages. */
#define CHECKED(p) (upcr_check_range (p, n, what), upcr_pts_address (p))
#define GET memcpy (dst, CHECKED (src), n)
#define PUT memcpy (CHECKED (dst), src, n)
/* A struct may be assigned to itself: the compilers call the copy all the same. */
#define COPY memmove (CHECKED (dst), CHECKED (src), n)

#define NAMED(name) const char *const what = name

FUNCTION (__getblk3, (void *dst, upcr_pts src, size_t n), NAMED (NULL); GET)
FUNCTION (__getsblk3, (void *dst, upcr_pts src, size_t n), NAMED (NULL); STRICT (GET))
FUNCTION (__putblk3, (upcr_pts dst, void *src, size_t n), NAMED (NULL); PUT)
FUNCTION (__putsblk3, (upcr_pts dst, void *src, size_t n), NAMED (NULL); STRICT (PUT))
FUNCTION (__copyblk3, (upcr_pts dst, upcr_pts src, size_t n), NAMED (NULL); COPY)
FUNCTION (__copysblk3, (upcr_pts dst, upcr_pts src, size_t n), NAMED (NULL); STRICT (COPY))

FUNCTION (upc_memget, (void *dst, upcr_pts src, size_t n), NAMED ("upc_memget"); GET)
FUNCTION (upc_memput, (upcr_pts dst, const void *src, size_t n), NAMED ("upc_memput"); PUT)
FUNCTION (upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n), NAMED ("upc_memcpy");
          if (__builtin_expect (upcr_is_checked, 0)) upcr_check_apart (dst, src, n, what);
          memcpy (CHECKED (dst), CHECKED (src), n))
FUNCTION (upc_memset, (upcr_pts dst, int c, size_t n), NAMED ("upc_memset");
          memset (CHECKED (dst), c, n))
