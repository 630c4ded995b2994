/* upct/lanes.h: run-time tests of loops whose iterations may run in lanes (tools/upc2c/plan/lanes.c).
   Part of upct/access.h. */

#ifndef _UPCT_LANES_H
#define _UPCT_LANES_H
#pragma GCC system_header

#include <upct/arithmetic.h>

/* Whether P leads to the start of a block of the heap: then what a program accesses by it is in no static object, nor
   in a block that another pointer leads to the start of. */
extern int __upc_begins_block (__upc_pts __p) __attribute__ ((__pure__));

/* Whether nothing else is known than that what P and Q lead to may be the same. */
__UPC_INLINE int
__upc_lanes_meet (__upc_pts __p, __upc_pts __q)
{
  return __upc_equal (__p, __q) || !__upc_begins_block (__p) || !__upc_begins_block (__q);
}

#endif
