/* upct_span.h: loops that go from block to block (tools/upc2c/lower_span.c). Part of
   upct_access.h. */

#ifndef _UPCT_SPAN_H
#define _UPCT_SPAN_H
#pragma GCC system_header

#include "upct_arithmetic.h"

/* A span of a loop is a number of iterations, __left, in which elements stay in a block
   each. */
__UPC_INLINE void
__upc_span_limit (unsigned long *__left, unsigned long __most)
{
  if (*__left > __most)
    *__left = __most;
}

/* The counter, or an index, moves by STEP, and is MOST away from where it wraps around. */
__UPC_INLINE void
__upc_span_wrap (unsigned long *__left, unsigned long __most, unsigned long __step)
{
  __upc_span_limit (__left, __most / __step + 1);
}

/* The iterations until an element that moves by STEP leaves its block. */
__UPC_INLINE void
__upc_span_block (unsigned long *__left, unsigned long __phase, long __step, unsigned long __block)
{
  if (__step > 0)
    __upc_span_wrap (__left, __block - 1 - __phase, (unsigned long) __step);
  else
    __upc_span_wrap (__left, __phase, -(unsigned long) __step);
}

/* Where element N of a static array is or would be: N may be any number. */
__UPC_INLINE char *
__upc_span_place (const volatile void *__array, long __n, unsigned long __block,
                  unsigned long __bytes)
{
  long __blocks = __upc_floor_block (__n, __block);
  long __rows = __upc_floor_threads (__blocks);
  unsigned long __thread_index = (unsigned long) (__blocks - __rows * __upc_threads);
  unsigned long __local = (unsigned long) (__n - (__blocks - __rows) * (long) __block);

  return (char *) (__UPC_SEGMENT_BASE + __upc_offset_of (__array)
                   + (__thread_index << __UPC_STRIDE_BITS) + __local * __bytes);
}

/* The same, of an element that moves by STEP and may leave its block. */
__UPC_INLINE char *
__upc_span_element (const volatile void *__array, long __n, long __step, unsigned long *__left,
                    unsigned long __block, unsigned long __bytes)
{
  long __blocks = __upc_floor_block (__n, __block);

  __upc_span_block (__left, (unsigned long) (__n - __blocks * (long) __block), __step, __block);
  return __upc_span_place (__array, __n, __block, __bytes);
}

/* The same of P[N]. */
__UPC_INLINE char *
__upc_span_index (__upc_pts __p, long __n, long __step, unsigned long *__left,
                  unsigned long __block, unsigned long __bytes)
{
  __upc_distance __d = __upc_walk (__upc_thread (__p), __upc_phase (__p), __n, __block);

  __upc_span_block (__left, __upc_phase (__p) + (unsigned long) __d.__phases, __step, __block);
  return (char *) __upc_address_past (__p, __d.__elements * (long) __bytes)
         + __d.__threads * (1L << __UPC_STRIDE_BITS);
}

#endif
