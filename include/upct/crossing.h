/* upct/crossing.h: from block to block of a shared array (tools/upc2c/plan/crossing.c). Part of
   upct/access.h. */

#ifndef _UPCT_CROSSING_H
#define _UPCT_CROSSING_H
#pragma GCC system_header

#include <upct/strip.h>

/* The address of element N of a static array, or of P[N], which advances by STEP, and its thread. *NEXT:
   iterations until it leaves its block. N may be any number: what a loop begins with need not exist. */
__UPC_INLINE __upc_block_cursor
__upc_crossing_element (const volatile void *__array, long __n, long __step, unsigned long *__next,
                        unsigned long __block, unsigned long __bytes)
{
  __upc_strip_block (__next, (unsigned long) __upc_strip_phase (__n, __block), __step, __block);
  return __upc_block_cursor_element (__array, __n, __block, __bytes);
}

__UPC_INLINE __upc_block_cursor
__upc_crossing_index (__upc_pts __p, long __n, long __step, unsigned long *__next,
                      unsigned long __block, unsigned long __bytes)
{
  __upc_strip_block (__next, (unsigned long) __upc_strip_phase_index (__p, __n, __block), __step,
                     __block);
  return __upc_block_cursor_index (__p, __n, __block, __bytes);
}

/* A holds where the element of iteration 0 would be if that one were in the present block of SIZE bytes. These
   return what is added to that for the next block. */
__UPC_INLINE unsigned long
__upc_jump_up (__upc_block_cursor *__a, unsigned long __size)
{
  unsigned long __others = (unsigned long) __upc_threads - 1;
  int __is_last = __a->__thread_index == __others;

  __a->__thread_index = __is_last ? 0 : __a->__thread_index + 1;
  return __is_last ? -__others * __UPC_STRIDE : __UPC_STRIDE - __size;
}

__UPC_INLINE unsigned long
__upc_jump_down (__upc_block_cursor *__a, unsigned long __size)
{
  unsigned long __others = (unsigned long) __upc_threads - 1;
  int __is_first = __a->__thread_index == 0;

  __a->__thread_index = __is_first ? __others : __a->__thread_index - 1;
  return __is_first ? __others * __UPC_STRIDE : __size - __UPC_STRIDE;
}

/* A strip has a first iteration, and MOST at most. */
__UPC_INLINE void
__upc_strip_is_short (unsigned long __n, unsigned long __left, unsigned long __most)
{
  if (__left - __n - 1 >= __most)
    __builtin_unreachable ();
}

/* P, which is the end of its block, as the start of the next one. */
__UPC_INLINE __upc_pts
__upc_crossed (__upc_pts __p, unsigned long __block, unsigned long __bytes)
{
  long __others = (long) __upc_threads - 1;

  return __upc_thread (__p) == (unsigned long) __others
             ? __upc_shift (__p, 0, -__others, -(long) __block)
             : __upc_shift (__p, -(long) (__block * __bytes), 1, -(long) __block);
}

#endif
