/* upct/copied.h: private copies of shared arrays, for loops that read their elements in an
   irregular order (tools/upc2c/plan/copied.c). Part of upct/access.h. */

#ifndef _UPCT_COPIED_H
#define _UPCT_COPIED_H
#pragma GCC system_header

#include <upct/arithmetic.h>
#include <upct/copy_array.h>

__UPC_INLINE __upc_stores
__upc_stores_by (const __upc_pts *__pointers, unsigned __count, unsigned __forward)
{
  __upc_stores __s;

  __s.__pointers = __pointers;
  __s.__count = __count;
  __s.__forward = __forward;
  return __s;
}

/* The loop at hand is going to read READS elements: copies the array that starts at START, or says when
   to ask again. Not if a store may be to it, nor without memory. */
extern __upc_copied __upc_copy_array (__upc_copy *__copy, __upc_copied __before, __upc_pts __start,
                                      __upc_copied_array __array, __upc_stores __stores,
                                      unsigned long __reads) __attribute__ ((__cold__));
extern void __upc_free_copy (void *__memory) __attribute__ ((__cold__));

__UPC_INLINE __upc_copy
__upc_no_copy (void)
{
  __upc_copy __copy;

  __copy.__memory = 0;
  __copy.__asked = __UPC_FIRST_READS;
  return __copy;
}

__UPC_INLINE void
__upc_drop_copy (__upc_copy *__copy)
{
  if (__builtin_expect (__copy->__memory != 0, 0))
    __upc_free_copy (__copy->__memory);
}

/* START: where element 0 is. The elements of one thread are contiguous. Checkers are to see the
   program's own loads. */
__UPC_INLINE __upc_copied
__upc_copied_begin (void *__start)
{
  __upc_copied __c;

  __c.__at = __upc_threads == 1 ? (char *) __start : 0;
#if defined __UPC_TSAN || defined __UPC_ASAN
  __c.__left = __UPC_NEVER_COPIED;
#else
  __c.__left = __UPC_FIRST_READS;
#endif
  return __c;
}

/* Whether there is a copy for a loop that is going to read READS elements. COUNT: of the array; 0: it is
   the block of the heap that START leads to. */
__UPC_INLINE int
__upc_is_copied (__upc_copied *__c, __upc_copy *__copy, __upc_stores __stores, __upc_pts __start,
                 unsigned long __reads, unsigned long __count, unsigned long __block,
                 unsigned long __bytes)
{
  __upc_copied_array __array;

  if (__c->__at)
    return 1;
  if (__builtin_expect (__reads < __c->__left, 1))
    {
      __c->__left -= __reads;
      return 0;
    }
  __array.__count = __count;
  __array.__block = __block;
  __array.__bytes = __bytes;
  *__c = __upc_copy_array (__copy, *__c, __start, __array, __stores, __reads);
  return __c->__at != 0;
}

/* READS elements have been read without a copy. */
__UPC_INLINE void
__upc_count_reads (__upc_copied *__c, unsigned long __reads)
{
  __c->__left = __reads < __c->__left ? __c->__left - __reads : 0;
}

/* Where element N of a copy is. */
__UPC_INLINE void *
__upc_copied_address (__upc_copied __c, long __n, unsigned long __block, unsigned long __bytes)
{
  (void) __block;
  return __c.__at + __n * (long) __bytes;
}

#endif
