/* upct/span.h: loops that go from block to block (tools/upc2c/lower_span.c). Part of
   upct/access.h. */

#ifndef _UPCT_SPAN_H
#define _UPCT_SPAN_H
#pragma GCC system_header

#include <upct/arithmetic.h>

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

/* Where an array starts, as an integer of which GCC does not see what it is made from. It would
   write the address of one array as that of another one in the same loop and the distance
   between them, and then take two addresses of an element for those of two objects. */
__UPC_INLINE unsigned long
__upc_span_array (const volatile void *__array)
{
  unsigned long __start = __UPC_SEGMENT_BASE + __upc_offset_of (__array);

  __asm__ ("" : "+r" (__start));
  return __start;
}

/* Where element N of a static array is or would be: N may be any number. */
__UPC_INLINE char *
__upc_span_place (const volatile void *__array, long __n, unsigned long __block,
                  unsigned long __bytes)
{
  long __blocks = __upc_floor_block (__n, __block);

  return (char *) __upc_place (__upc_span_array (__array), (unsigned long) __n, (unsigned long) __blocks,
                      (unsigned long) __upc_floor_threads (__blocks), __block, __bytes);
}

/* The same of an element all of whose block belongs to it: where N is negative nothing does,
   and any address will do. */
__UPC_INLINE char *
__upc_span_same (const volatile void *__array, long __n, unsigned long __block,
                 unsigned long __bytes)
{
  unsigned long __blocks = (unsigned long) __upc_floor_block (__n, __block);

  return (char *) __upc_place (__upc_span_array (__array), (unsigned long) __n, __blocks, __upc_divide_by_threads (__blocks),
                      __block, __bytes);
}

/* The same, at COLUMN of a row of ROW elements that starts at ROW_AT, unless a program's
   columns leave its rows. */
__UPC_INLINE char *
__upc_span_column (char *__row_at, const volatile void *__array, long __n, long __column,
                   unsigned long __row, unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect ((unsigned long) __column >= __row, 0))
    return __upc_span_same (__array, __n, __block, __bytes);
  return __row_at + (unsigned long) __column * __bytes;
}

/* Where an element is that moves by STEP and may leave its block. */
__UPC_INLINE char *
__upc_span_element (const volatile void *__array, long __n, long __step, unsigned long *__left,
                    unsigned long __block, unsigned long __bytes)
{
  long __blocks = __upc_floor_block (__n, __block);

  __upc_span_block (__left, (unsigned long) (__n - __blocks * (long) __block), __step, __block);
  return __upc_span_same (__array, __n, __block, __bytes);
}

/* The same at COLUMN of a row. */
__UPC_INLINE char *
__upc_span_in_row (char *__row_at, const volatile void *__array, long __n, long __column,
                   unsigned long __row, long __step, unsigned long *__left, unsigned long __block,
                   unsigned long __bytes)
{
  if (__builtin_expect ((unsigned long) __column >= __row, 0))
    return __upc_span_element (__array, __n, __step, __left, __block, __bytes);
  __upc_span_block (__left, (unsigned long) __column, __step, __row);
  return __row_at + (unsigned long) __column * __bytes;
}

/* An element that moves by whole blocks: where it is, and on which thread. */
typedef struct
{
  unsigned long __at;
  unsigned long __thread_index;
} __upc_across;

__UPC_INLINE __upc_across
__upc_across_element (const volatile void *__array, long __n, unsigned long __block,
                      unsigned long __bytes)
{
  long __blocks = __upc_floor_block (__n, __block);
  long __rows = __upc_floor_threads (__blocks);
  __upc_across __a;

  __a.__at = __upc_place (__upc_span_array (__array), (unsigned long) __n, (unsigned long) __blocks,
                          (unsigned long) __rows, __block, __bytes);
  __a.__thread_index = (unsigned long) (__blocks - __rows * __upc_threads);
  return __a;
}

/* The next one, BLOCKS further, of SIZE bytes each: no division, as its parts are the same in
   each iteration. A branch, which no address waits for. */
__UPC_INLINE void
__upc_across_next (__upc_across *__a, long __blocks, unsigned long __size)
{
  unsigned long __rows = (unsigned long) __upc_floor_threads (__blocks);
  unsigned long __more = (unsigned long) __blocks - __rows * (unsigned long) __upc_threads;

  __a->__thread_index += __more;
  __a->__at += (__more << __UPC_STRIDE_BITS) + __rows * __size;
  if (__a->__thread_index >= (unsigned long) __upc_threads)
    {
      __asm__ __volatile__ ("");
      __a->__thread_index -= (unsigned long) __upc_threads;
      __a->__at += __size - ((unsigned long) __upc_threads << __UPC_STRIDE_BITS);
    }
}

/* Both of P[N]. */
__UPC_INLINE char *
__upc_span_index (__upc_pts __p, long __n, long __step, unsigned long *__left,
                  unsigned long __block, unsigned long __bytes)
{
  __upc_distance __d = __upc_walk (__upc_thread (__p), __upc_phase (__p), __n, __block);

  __upc_span_block (__left, __upc_phase (__p) + (unsigned long) __d.__phases, __step, __block);
  return (char *) __upc_address_past (__p, __d.__elements * (long) __bytes)
         + __d.__threads * (1L << __UPC_STRIDE_BITS);
}

__UPC_INLINE __upc_across
__upc_across_index (__upc_pts __p, long __n, unsigned long __block, unsigned long __bytes)
{
  __upc_distance __d = __upc_walk (__upc_thread (__p), __block == 1 ? 0 : __upc_phase (__p), __n,
                                   __block);
  __upc_across __a;

  __a.__at = (unsigned long) __upc_address_past (__p, __d.__elements * (long) __bytes)
             + ((unsigned long) __d.__threads << __UPC_STRIDE_BITS);
  __a.__thread_index = __upc_thread (__p) + (unsigned long) __d.__threads;
  return __a;
}

#endif
