/* upct/recent.h: elements in the block of the last access (tools/upc2c/plan/recent.c). Part of upct/access.h. */

#ifndef _UPCT_RECENT_H
#define _UPCT_RECENT_H
#pragma GCC system_header

#include <upct/arithmetic.h>

/* The number of a block's first element, and where element 0 would be if what is in front of the block were in one row with
   it. */
typedef struct
{
  unsigned long __first, __at;
} __upc_recent_block;

/* What finds a block is called, as it is rare. C compilers move parts of it out of the condition, if they see them. */
#define __UPC_BLOCK_SEARCH \
  static __inline__ __attribute__ ((__noinline__, __unused__, __const__)) __upc_recent_block

/* The block of element N of a static array. */
__UPC_BLOCK_SEARCH
__upc_block_of_element (const volatile void *__array, long __n, unsigned long __block,
                        unsigned long __bytes)
{
  __upc_recent_block __b;

  __b.__first = (unsigned long) __n - (unsigned long) __n % __block;
  __b.__at = (unsigned long) __upc_element_address (__array, __n, __block, __bytes)
             - (unsigned long) __n * __bytes;
  return __b;
}

/* The block of P[N]. */
__UPC_BLOCK_SEARCH
__upc_block_of_index (__upc_pts __p, long __n, unsigned long __block, unsigned long __bytes)
{
  long __in_block = ((long) __upc_phase (__p) + __n) % (long) __block;
  __upc_recent_block __b;

  __b.__first = (unsigned long) (__n - __in_block) - (__in_block < 0 ? __block : 0);
  __b.__at = (unsigned long) __upc_index_address (__p, __n, __block, __bytes)
             - (unsigned long) __n * __bytes;
  return __b;
}

/* The address of element N of a static array; RECENT has a block of that, or none. */
__UPC_ADDRESS void *
__upc_recent_address (__upc_recent_block *__recent, const volatile void *__array, long __n,
                      unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect ((unsigned long) __n - __recent->__first >= __block, 0))
    *__recent = __upc_block_of_element (__array, __n, __block, __bytes);
  return (void *) (__recent->__at + (unsigned long) __n * __bytes);
}

/* The address of P[N], always for the same P. */
__UPC_ADDRESS void *
__upc_recent_index_address (__upc_recent_block *__recent, __upc_pts __p, long __n,
                            unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect ((unsigned long) __n - __recent->__first >= __block, 0))
    *__recent = __upc_block_of_index (__p, __n, __block, __bytes);
  return (void *) (__recent->__at + (unsigned long) __n * __bytes);
}

#endif
