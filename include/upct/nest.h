/* upct/nest.h: nests of loops that may have their arrays in private copies (tools/upc2c/plan/nest.c). Part of
   upct/access.h. */

#ifndef _UPCT_NEST_H
#define _UPCT_NEST_H
#pragma GCC system_header

#include <upct/range.h>

#define __upc_nest_pts __upc_pts
#include <upct/nest_array.h>
#undef __upc_nest_pts

/* Copies the COUNT arrays, or finds that they may be used as if they were copies. 0: neither is worth while, or some of
   them may be the same memory. */
extern int __upc_nest_begin (__upc_nest_array *__arrays, unsigned __count);
/* The same where none is to be copied: each has all that the nest accesses in one block. */
extern int __upc_nest_begin_in_place (__upc_nest_array *__arrays, unsigned __count);
/* Writes back what has changed. */
extern void __upc_nest_end (__upc_nest_array *__arrays, unsigned __count);
/* Whether what the nest accesses of each array that it writes is no other one's memory. */
extern int __upc_nest_is_apart (const __upc_nest_array *__arrays, unsigned __count);

/* In a run with checks, whether all that the nest may access is right. */
extern int __upc_nest_is_right (const __upc_nest_array *__arrays, unsigned __count);

/* The nest accesses elements of A in R so many times. */
extern void __upc_nest_access (__upc_nest_array *__a, __upc_range __r, double __times);

/* Whether a nest of so many accesses may be worth while: LEAST, or more. */
__UPC_INLINE int
__upc_nest_is_long (double __accesses, int __least)
{
  return __accesses >= __least;
}

/* ThreadSanitizer is to see the program's own accesses. */
__UPC_INLINE int
__upc_nest_is_copied (__upc_nest_array *__arrays, unsigned __count, int __is_in_place)
{
#ifdef __UPC_TSAN
  (void) __arrays;
  (void) __count;
  (void) __is_in_place;
  return 0;
#else
  return __is_in_place ? __upc_nest_begin_in_place (__arrays, __count)
                       : __upc_nest_begin (__arrays, __count);
#endif
}

__UPC_INLINE void
__upc_nest_array_at (__upc_nest_array *__a, __upc_pts __start, int __is_written,
                     unsigned long __count, unsigned long __block, unsigned long __bytes)
{
  __a->__start = __start;
  __a->__count = __count;
  __a->__block = __block;
  __a->__bytes = __bytes;
  __a->__is_written = __is_written;
  __a->__low = __LONG_MAX__;
  __a->__high = -__LONG_MAX__ - 1;
  __a->__accesses = 0;
}

#endif
