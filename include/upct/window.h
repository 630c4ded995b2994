/* upct/window.h: private copies of consecutive elements of a shared array in small blocks
   (tools/upc2c/plan/window.c). Part of upct/access.h. */

#ifndef _UPCT_WINDOW_H
#define _UPCT_WINDOW_H
#pragma GCC system_header

#include <upct/residue.h>

/* Where a window begins: the address of its first element, that element's thread, and how many elements its block
   still has, with itself. */
typedef struct
{
  char *__at;
  unsigned long __thread_index, __left;
} __upc_window;

/* At element N of a static array, and at P[N]. */
__UPC_INLINE __upc_window
__upc_window_at_element (const volatile void *__array, long __n, unsigned long __block,
                         unsigned long __bytes)
{
  __upc_block_cursor __a = __upc_block_cursor_element (__array, __n, __block, __bytes);

  return (__upc_window){ (char *) __a.__at, __a.__thread_index,
                         __block - (unsigned long) __upc_strip_phase (__n, __block) };
}

__UPC_INLINE __upc_window
__upc_window_at_index (__upc_pts __p, long __n, unsigned long __block, unsigned long __bytes)
{
  __upc_block_cursor __a = __upc_block_cursor_index (__p, __n, __block, __bytes);

  return (__upc_window){ (char *) __a.__at, __a.__thread_index,
                         __block - (unsigned long) __upc_strip_phase_index (__p, __n, __block) };
}

/* From a block that begins at AT to the next one. */
__UPC_INLINE char *
__upc_window_next (char *__at, unsigned long *__thread_index, unsigned long __size)
{
  unsigned long __others = (unsigned long) __upc_threads - 1;
  int __is_last = *__thread_index == __others;

  *__thread_index = __is_last ? 0 : *__thread_index + 1;
  return (char *) ((unsigned long) __at
                   + (__is_last ? __size - __others * __UPC_STRIDE : __UPC_STRIDE));
}

/* Copies BYTES to the window from shared memory, or back. */
__UPC_INLINE void
__upc_window_piece (char *__copy, char *__at, unsigned long __bytes, int __is_back)
{
  if (__is_back)
    __builtin_memcpy (__at, __copy, __bytes);
  else
    __builtin_memcpy (__copy, __at, __bytes);
}

/* COUNT elements, fewer than the BLOCK that they are in: by powers of two, whose sizes are constants. */
__UPC_INLINE void
__upc_window_part (char *__copy, char *__at, unsigned long __count, unsigned long __block,
                   unsigned long __bytes, int __is_back)
{
  unsigned long __done = 0;

  if (__block > 64)
    {
      __upc_window_piece (__copy, __at, __count * __bytes, __is_back);
      return;
    }
#define __UPC_WINDOW_PART(n)                                                                \
  if (__block > (n) && (__count & (n)))                                                     \
    {                                                                                       \
      __upc_window_piece (__copy + __done * __bytes, __at + __done * __bytes, (n) *__bytes, \
                          __is_back);                                                       \
      __done += (n);                                                                        \
    }
  __UPC_WINDOW_PART (1ul)
  __UPC_WINDOW_PART (2ul)
  __UPC_WINDOW_PART (4ul)
  __UPC_WINDOW_PART (8ul)
  __UPC_WINDOW_PART (16ul)
  __UPC_WINDOW_PART (32ul)
#undef __UPC_WINDOW_PART
}

/* COUNT whole blocks of SIZE bytes, which each thread has several of: thread by thread. W is at the first one, and at
   the end behind the last one. */
__UPC_INLINE __upc_window
__upc_window_rounds (char *__copy, __upc_window __w, unsigned long __count, unsigned long __size,
                     int __is_back)
{
  unsigned long __threads = (unsigned long) __upc_threads;
  unsigned long __rounds = __count / __threads, __rest = __count - __rounds * __threads;
  __upc_window __end = __w;
  unsigned long __first, __n;

  __end.__at += __rounds * __size;
  for (__first = 0; __first < __threads; __first++)
    {
      char *__at = __w.__at;

      if (__first == __rest)
        {
          __end.__at = __at + __rounds * __size;
          __end.__thread_index = __w.__thread_index;
        }
      for (__n = __first; __n < __count; __n += __threads, __at += __size)
        __upc_window_piece (__copy + __n * __size, __at, __size, __is_back);
      __w.__at = __upc_window_next (__w.__at, &__w.__thread_index, __size);
    }
  return __end;
}

/* COUNT whole blocks of SIZE bytes, of which the first one begins at W. Of two threads both at once, as vectors do it;
   of more thread by thread. */
__UPC_INLINE __upc_window
__upc_window_blocks (char *__copy, __upc_window __w, unsigned long __count, unsigned long __size,
                     int __is_back)
{
  unsigned long __threads = (unsigned long) __upc_threads, __n;

  if (__threads == 2)
    {
      char *__restrict __to = __copy, *__restrict __a = __w.__at, *__restrict __b;
      unsigned long __pairs = __count / 2;

      __b = __upc_window_next (__a, &__w.__thread_index, __size);
      for (__n = 0; __n < __pairs; __n++)
        {
          __upc_window_piece (__to + 2 * __n * __size, __a + __n * __size, __size, __is_back);
          __upc_window_piece (__to + (2 * __n + 1) * __size, __b + __n * __size, __size, __is_back);
        }
      if (__count % 2 != 0)
        __upc_window_piece (__to + 2 * __n * __size, __a + __n * __size, __size, __is_back);
      __w.__thread_index ^= __count % 2 ^ 1;
      __w.__at = (__count % 2 != 0 ? __b : __a) + __pairs * __size;
      return __w;
    }
  if (__count < 2 * __threads)
    {
      for (; __count != 0; __count--, __copy += __size)
        {
          __upc_window_piece (__copy, __w.__at, __size, __is_back);
          __w.__at = __upc_window_next (__w.__at, &__w.__thread_index, __size);
        }
      return __w;
    }
  return __upc_window_rounds (__copy, __w, __count, __size, __is_back);
}

/* COUNT elements, one at least. */
__UPC_INLINE void
__upc_window_copy (char *__copy, __upc_window __w, unsigned long __count, unsigned long __block,
                   unsigned long __bytes, int __is_back)
{
  unsigned long __size = __block * __bytes, __part = __w.__left;

  if (__part != __block)
    {
      if (__part > __count)
        __part = __count;
      __upc_window_part (__copy, __w.__at, __part, __block, __bytes, __is_back);
      __w.__at = __upc_window_next (__w.__at - (__block - __w.__left) * __bytes,
                                    &__w.__thread_index, __size);
      __copy += __part * __bytes;
      __count -= __part;
    }
  __w = __upc_window_blocks (__copy, __w, __count / __block, __size, __is_back);
  __copy += __count / __block * __size;
  __upc_window_part (__copy, __w.__at, __count % __block, __block, __bytes, __is_back);
}

/* Rows of an array that stay in windows while a loop goes from row to row (tools/upc2c/plan/kept_rows.c): where they
   are, the last one to come last. */
typedef struct
{
  char *__row[5];
  long __iteration; /* for which they are; … */
  int __there;      /* … so many have come, one after the other: the last ones */
} __upc_kept_rows;

__UPC_INLINE void
__upc_kept_rows_begin (__upc_kept_rows *__k, char *__memory, int __count, unsigned long __bytes)
{
  int __i;

  for (__i = 0; __i < __count; __i++)
    __k->__row[__i] = __memory + (unsigned long) __i * __bytes;
  __k->__iteration = 0;
  __k->__there = 0;
}

/* Whether all are there for iteration N. */
__UPC_INLINE int
__upc_kept_rows_are_there (const __upc_kept_rows *__k, int __count, long __n)
{
  return __k->__there == __count && __k->__iteration == __n;
}

/* Behind iteration N: another row comes for the next one, and takes the place of the first one. */
__UPC_INLINE void
__upc_kept_rows_go_on (__upc_kept_rows *__k, int __count, long __n)
{
  char *__first = __k->__row[0];
  int __i;

  for (__i = 0; __i + 1 < __count; __i++)
    __k->__row[__i] = __k->__row[__i + 1];
  __k->__row[__count - 1] = __first;
  if (__k->__iteration != __n)
    __k->__there = 0;
  __k->__there += __k->__there < __count;
  __k->__iteration = __n + 1;
}

/* The offsets in partitions of the blocks that have COUNT elements from W on. */
typedef struct
{
  unsigned long __from, __to;
} __upc_window_range;

__UPC_INLINE __upc_window_range
__upc_window_reach (__upc_window __w, unsigned long __count, unsigned long __block,
                    unsigned long __bytes)
{
  unsigned long __before = __block - __w.__left;
  unsigned long __blocks = __w.__thread_index + (__before + __count - 1) / __block;
  unsigned long __from = __upc_offset_in (__w.__at) - __before * __bytes;

  return (__upc_window_range){
    __from, __from + (__upc_divide_by_threads (__blocks) + 1) * __block * __bytes
  };
}

/* Whether the same memory may be in both. */
__UPC_INLINE int
__upc_windows_meet (__upc_window_range __a, __upc_window_range __b)
{
  return __a.__from < __b.__to && __b.__from < __a.__to;
}

#endif
