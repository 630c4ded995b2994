/* upct/strip.h: strips of loops over shared arrays (tools/upc2c/write/strip.c). Part of
   upct/access.h. */

#ifndef _UPCT_STRIP_H
#define _UPCT_STRIP_H
#pragma GCC system_header

#include <upct/arithmetic.h>

/* A strip of a loop is a number of iterations, __left, in which each element that the loop
   accesses stays in one block. */
__UPC_INLINE void
__upc_strip_limit (unsigned long *__left, unsigned long __most)
{
  if (*__left > __most)
    *__left = __most;
}

/* The induction variable or an index advances by STEP and may advance by MOST before it wraps
   around. */
__UPC_INLINE void
__upc_strip_wrap (unsigned long *__left, unsigned long __most, unsigned long __step)
{
  __upc_strip_limit (__left, __most / __step + 1);
}

/* In an iteration whose elements move by STRIDE at most: the C compiler makes no vectors of several. GCC gains from those
   that it makes of every fourth element. */
__UPC_INLINE void
__upc_strip_of_scalars (long __stride)
{
#ifndef __clang__
  if (__stride <= 4)
    return;
#endif
  (void) __stride;
  __asm__ __volatile__("");
}

/* The iterations until an element that moves by STEP leaves its block. */
__UPC_INLINE void
__upc_strip_block (unsigned long *__left, unsigned long __phase, long __step, unsigned long __block)
{
  if (__step > 0)
    __upc_strip_wrap (__left, __block - 1 - __phase, (unsigned long) __step);
  else
    __upc_strip_wrap (__left, __phase, -(unsigned long) __step);
}

/* STEP, by which an element moves that the program's step may keep where it is: any strip will do then. */
__UPC_INLINE long
__upc_strip_step (long __step)
{
  return __step ? __step : 1;
}

/* Where an array starts, as an integer of which GCC does not see what it is made from. It would
   write the address of one array as that of another one in the same loop and the distance
   between them, and then take two addresses of an element for those of two objects. */
__UPC_INLINE unsigned long
__upc_strip_array (const volatile void *__array)
{
  unsigned long __start = __UPC_SEGMENT_BASE + __upc_offset_of (__array);

  __asm__("" : "+r"(__start));
  return __start;
}

/* The address that element N of a static array has or would have; N may be any number. */
__UPC_INLINE char *
__upc_strip_address (const volatile void *__array, long __n, unsigned long __block,
                     unsigned long __bytes)
{
  long __blocks = __upc_floor_block (__n, __block);

  return (char *) __upc_locate (__upc_strip_array (__array), (unsigned long) __n,
                                (unsigned long) __blocks,
                                (unsigned long) __upc_floor_threads (__blocks), __block, __bytes);
}

/* The same for an access that stays in the block of element N. A negative N has no such
   accesses, so any address will do. */
__UPC_INLINE char *
__upc_strip_address_in_block (const volatile void *__array, long __n, unsigned long __block,
                              unsigned long __bytes)
{
  unsigned long __blocks = (unsigned long) __upc_floor_block (__n, __block);

  return (char *) __upc_locate (__upc_strip_array (__array), (unsigned long) __n, __blocks,
                                __upc_divide_by_threads (__blocks), __block, __bytes);
}

/* The same for column COLUMN of a row of ROW elements, whose base address is BASE. Programs
   may index beyond the row: then the address is computed from N. */
__UPC_INLINE char *
__upc_strip_column (char *__base, const volatile void *__array, long __n, long __column,
                    unsigned long __row, unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect ((unsigned long) __column >= __row, 0))
    return __upc_strip_address_in_block (__array, __n, __block, __bytes);
  return __base + (unsigned long) __column * __bytes;
}

/* The address of element N, which advances by STEP; limits the strip to its block. */
__UPC_INLINE char *
__upc_strip_element (const volatile void *__array, long __n, long __step, unsigned long *__left,
                     unsigned long __block, unsigned long __bytes)
{
  long __blocks = __upc_floor_block (__n, __block);

  __upc_strip_block (__left, (unsigned long) (__n - __blocks * (long) __block), __step, __block);
  return __upc_strip_address_in_block (__array, __n, __block, __bytes);
}

/* The same for column COLUMN of a row, in a loop that may do any number of iterations. */
__UPC_INLINE char *
__upc_strip_column_element (char *__base, const volatile void *__array, long __n, long __column,
                            unsigned long __row, long __step, unsigned long *__left,
                            unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect ((unsigned long) __column >= __row, 0))
    return __upc_strip_element (__array, __n, __step, __left, __block, __bytes);
  __upc_strip_block (__left, (unsigned long) __column, __step, __row);
  return __base + (unsigned long) __column * __bytes;
}

/* Whether columns COLUMN and on of all LEFT iterations, one or more, are in a row of ROW elements. */
__UPC_INLINE int
__upc_strip_is_in_row (long __column, unsigned long __row, long __step, unsigned long __left)
{
  unsigned long __pace = __step < 0 ? -(unsigned long) __step : (unsigned long) __step;
  unsigned long __reach = (__left - 1) * __pace;

  return __left <= (__row - 1) / __pace + 1
         && (unsigned long) __column - (__step < 0 ? __reach : 0) < __row - __reach;
}

/* The address of an element, and how many iterations its strip has: one or more. */
typedef struct
{
  char *__at;
  unsigned long __left;
} __upc_strip_found;

__UPC_INLINE char *
__upc_strip_take (__upc_strip_found __f, unsigned long *__left)
{
  if (__f.__left == 0)
    __builtin_unreachable ();
  *__left = __f.__left;
  return __f.__at;
}

/* Column COLUMN of a row out of which the loop goes. */
static __inline__ __attribute__ ((__noinline__, __unused__, __cold__)) __upc_strip_found
__upc_strip_part_of_row (char *__base, const volatile void *__array, long __n, long __column,
                         unsigned long __row, long __step, unsigned long __left,
                         unsigned long __block, unsigned long __bytes)
{
  __upc_strip_found __f;

  __f.__left = __left;
  __f.__at = __upc_strip_column_element (__base, __array, __n, __column, __row, __step, &__f.__left,
                                         __block, __bytes);
  return __f;
}

/* The same for a loop of known length, which mostly stays in the row. An inner loop begins so often that
   less is done for it: one comparison for each column. */
__UPC_INLINE char *
__upc_strip_counted_column_element (char *__base, const volatile void *__array, long __n,
                                    long __column, unsigned long __row, long __step,
                                    unsigned long *__left, unsigned long __block,
                                    unsigned long __bytes)
{
  if (__builtin_expect (__upc_strip_is_in_row (__column, __row, __step, *__left), 1))
    return __base + (unsigned long) __column * __bytes;
  return __upc_strip_take (__upc_strip_part_of_row (__base, __array, __n, __column, __row, __step,
                                                    *__left, __block, __bytes),
                           __left);
}

/* The phases of element N of a static array, and of P[N]. */
__UPC_INLINE long
__upc_strip_phase (long __n, unsigned long __block)
{
  return __n - __upc_floor_block (__n, __block) * (long) __block;
}

__UPC_INLINE long
__upc_strip_phase_index (__upc_pts __p, long __n, unsigned long __block)
{
  __upc_distance __d = __upc_distance_to (__upc_thread (__p), __upc_phase (__p), __n, __block);

  return (long) __upc_phase (__p) + __d.__phases;
}

/* An element that advances by whole blocks: its address, and its thread. */
typedef struct
{
  unsigned long __at;
  unsigned long __thread_index;
} __upc_block_cursor;

__UPC_INLINE __upc_block_cursor
__upc_block_cursor_element (const volatile void *__array, long __n, unsigned long __block,
                            unsigned long __bytes)
{
  long __blocks = __upc_floor_block (__n, __block);
  long __rounds = __upc_floor_threads (__blocks);
  __upc_block_cursor __a;

  __a.__at = __upc_locate (__upc_strip_array (__array), (unsigned long) __n,
                           (unsigned long) __blocks, (unsigned long) __rounds, __block, __bytes);
  __a.__thread_index = (unsigned long) (__blocks - __rounds * __upc_threads);
  return __a;
}

/* The same, at ADDRESS. */
__UPC_INLINE __upc_block_cursor
__upc_block_cursor_at (unsigned long __address)
{
  __upc_block_cursor __a;

  __a.__at = __address;
  __a.__thread_index = (__address - __UPC_SEGMENT_BASE) / __UPC_STRIDE;
  return __a;
}

/* Advances by BLOCKS blocks of SIZE bytes each. There is no division: the quotients are
   loop-invariant. The wrap-around is a branch, so that no address depends on a comparison. */
__UPC_INLINE void
__upc_block_cursor_advance (__upc_block_cursor *__a, long __blocks, unsigned long __size)
{
  unsigned long __rounds = (unsigned long) __upc_floor_threads (__blocks);
  unsigned long __more = (unsigned long) __blocks - __rounds * (unsigned long) __upc_threads;

  __a->__thread_index += __more;
  __a->__at += __more * __UPC_STRIDE + __rounds * __size;
  if (__a->__thread_index >= (unsigned long) __upc_threads)
    {
      __asm__ __volatile__("");
      __a->__thread_index -= (unsigned long) __upc_threads;
      __a->__at += __size - (unsigned long) __upc_threads * __UPC_STRIDE;
    }
}

/* The same two for P[N]. */
__UPC_INLINE char *
__upc_strip_index (__upc_pts __p, long __n, long __step, unsigned long *__left,
                   unsigned long __block, unsigned long __bytes)
{
  __upc_distance __d = __upc_distance_to (__upc_thread (__p), __upc_phase (__p), __n, __block);

  __upc_strip_block (__left, __upc_phase (__p) + (unsigned long) __d.__phases, __step, __block);
  return (char *) __upc_address_past (__p, __d.__elements * (long) __bytes)
         + __d.__threads * (long) __UPC_STRIDE;
}

/* The same for column COLUMN of a row that starts a multiple of ROW elements from P. */
__UPC_INLINE char *
__upc_strip_column_index (char *__base, __upc_pts __p, long __n, long __column, unsigned long __row,
                          long __step, unsigned long *__left, unsigned long __block,
                          unsigned long __bytes)
{
  if (__upc_leaves_row (__p, __column, __row))
    return __upc_strip_index (__p, __n, __step, __left, __block, __bytes);
  __upc_strip_block (__left, (unsigned long) __column, __step, __row);
  return __base + (unsigned long) __column * __bytes;
}

static __inline__ __attribute__ ((__noinline__, __unused__, __cold__)) __upc_strip_found
__upc_strip_part_of_row_index (char *__base, __upc_pts __p, long __n, long __column,
                               unsigned long __row, long __step, unsigned long __left,
                               unsigned long __block, unsigned long __bytes)
{
  __upc_strip_found __f;

  __f.__left = __left;
  __f.__at = __upc_strip_column_index (__base, __p, __n, __column, __row, __step, &__f.__left,
                                       __block, __bytes);
  return __f;
}

__UPC_INLINE char *
__upc_strip_counted_column_index (char *__base, __upc_pts __p, long __n, long __column,
                                  unsigned long __row, long __step, unsigned long *__left,
                                  unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect (__upc_strip_is_in_row (__column, __row, __step, *__left), 1)
      && __builtin_expect (__upc_phase (__p) % __row == 0, 1))
    return __base + (unsigned long) __column * __bytes;
  return __upc_strip_take (__upc_strip_part_of_row_index (__base, __p, __n, __column, __row, __step,
                                                          *__left, __block, __bytes),
                           __left);
}

/* The same where the columns of the whole loop are known to be in the row. */
__UPC_INLINE char *
__upc_strip_column_in_row_index (char *__base, __upc_pts __p, long __n, long __column,
                                 unsigned long __row, long __step, unsigned long *__left,
                                 unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect (__upc_phase (__p) % __row != 0, 0))
    return __upc_strip_index (__p, __n, __step, __left, __block, __bytes);
  return __base + (unsigned long) __column * __bytes;
}

__UPC_INLINE __upc_block_cursor
__upc_block_cursor_index (__upc_pts __p, long __n, unsigned long __block, unsigned long __bytes)
{
  __upc_distance __d = __upc_distance_to (__upc_thread (__p), __block == 1 ? 0 : __upc_phase (__p),
                                          __n, __block);
  __upc_block_cursor __a;

  __a.__at = (unsigned long) __upc_address_past (__p, __d.__elements * (long) __bytes)
             + (unsigned long) __d.__threads * __UPC_STRIDE;
  __a.__thread_index = __upc_thread (__p) + (unsigned long) __d.__threads;
  return __a;
}

/* P as the end of the block that P[-1] is in. */
__UPC_INLINE __upc_pts
__upc_end_of_previous (__upc_pts __p, unsigned long __block, unsigned long __bytes)
{
  return __upc_shift (__upc_add (__p, -1, __block, __bytes), (long) __bytes, 0, 1);
}

/* P behind a strip: it may be the end of its block, or if IS_DOWN the element before it. */
__UPC_INLINE __upc_pts
__upc_walked (__upc_pts __p, int __is_down, unsigned long __block, unsigned long __bytes)
{
  if (!__is_down)
    return __upc_add (__p, 0, __block, __bytes);
  return __upc_add (__upc_shift (__p, (long) __bytes, 0, 1), -1, __block, __bytes);
}

/* What is accessed in a strip of LEFT iterations: BYTES at AT, and STEP bytes further in each iteration. */
typedef struct
{
  unsigned long __low, __high, __at;
  long __step, __bytes;
} __upc_extent;

__UPC_INLINE __upc_extent
__upc_strip_extent (const char *__at, long __step, long __bytes, unsigned long __left)
{
  unsigned long __first = (unsigned long) __at;
  unsigned long __last = __first + (__left - 1) * (unsigned long) __step;

  return (__upc_extent){ __step < 0 ? __last : __first,
                         (__step < 0 ? __first : __last) + (unsigned long) __bytes, __first, __step,
                         __bytes };
}

/* In iterations that depend on each other: C compilers need not find out that these make no vectors. */
__UPC_INLINE void
__upc_met (void)
{
  __asm__ __volatile__("");
}

/* Whether an iteration accesses as one what another iteration accesses as the other. */
__UPC_INLINE int
__upc_extents_meet (__upc_extent __a, __upc_extent __b)
{
  int __is_same = __a.__step != 0 && __a.__step == __b.__step && __a.__bytes == __b.__bytes;

  return (__a.__low < __b.__high) & (__b.__low < __a.__high)
         & !(__is_same & (__a.__at == __b.__at));
}

#endif
