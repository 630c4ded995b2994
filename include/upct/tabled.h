/* upct/tabled.h: elements of shared arrays by tables of blocks (tools/upc2c/plan/tabled.c). Part of
   upct/access.h. */

#ifndef _UPCT_TABLED_H
#define _UPCT_TABLED_H
#pragma GCC system_header

#include <upct/arithmetic.h>
#include <upct/block_table.h>
#include <upct/strip.h>

/* The distances of so many blocks of SIZE bytes or more; NULL: there is no table. */
__UPC_INLINE const unsigned long *
__upc_block_table (unsigned long __size, unsigned long __count)
{
  const struct __upc_block_table *__t;

  if (__count > __UPC_MOST_TABLED)
    return 0;
  __t = __atomic_load_n (&__upc_block_tables[__UPC_BLOCK_TABLE_SLOT (__size)], __ATOMIC_ACQUIRE);
  if (__builtin_expect (__t && __t->__size == __size && __t->__count >= __count, 1))
    return __t->__distance;
  return __upc_make_block_table (__size, __count);
}

/* Whether TABLE lacks BLOCK, which no right program asks for. With AddressSanitizer the element is found without it then, so that
   the report is of the element and not of the table. */
__UPC_INLINE int
__upc_is_beyond_table (const unsigned long *__table, unsigned long __block)
{
#ifdef __UPC_ASAN
  const struct __upc_block_table *__t
      = (const void *) ((const char *) __table
                        - __builtin_offsetof(struct __upc_block_table, __distance));

  return __builtin_expect (__block >= __t->__count, 0);
#else
  (void) __table;
  (void) __block;
  return 0;
#endif
}

/* The address of element N of a static array of which TABLE, which there is, has all blocks. */
__UPC_ADDRESS void *
__upc_tabled_address_sure (const unsigned long *__table, const volatile void *__array, long __n,
                           unsigned long __block, unsigned long __bytes)
{
  if (__upc_is_beyond_table (__table, (unsigned long) __n / __block))
    return __upc_scattered_address (__array, __n, __block, __bytes);
  return (void *) (__UPC_SEGMENT_BASE + __upc_offset_of (__array) + (unsigned long) __n * __bytes
                   + __table[(unsigned long) __n / __block]);
}

/* The same where N has 32 bits, by which C compilers divide faster. */
__UPC_ADDRESS void *
__upc_tabled_address_32_sure (const unsigned long *__table, const volatile void *__array, long __n,
                              unsigned long __block, unsigned long __bytes)
{
  const unsigned int __k = (unsigned int) __n;

  if (__upc_is_beyond_table (__table, __k / (unsigned int) __block))
    return __upc_scattered_address (__array, (long) __k, __block, __bytes);
  return (void *) (__UPC_SEGMENT_BASE + __upc_offset_of (__array) + (unsigned long) __k * __bytes
                   + __table[__k / (unsigned int) __block]);
}

/* NUMBER / BLOCK where the table has that block; a division is shorter with 32 bits, a shift is not. */
__UPC_INLINE unsigned long
__upc_tabled_block (unsigned long __number, unsigned long __block)
{
  if ((__block & (__block - 1)) != 0 && __UPC_FEW_TABLED * __block >> 32 == 0)
    return (unsigned int) __number / (unsigned int) __block;
  return __number / __block;
}

/* The address of P[N], if TABLE has its block. Elements are counted from the block of thread 0 in P's round. */
__UPC_ADDRESS void *
__upc_tabled_index_address_sure (const unsigned long *__table, __upc_pts __p, long __n,
                                 unsigned long __block, unsigned long __bytes)
{
  unsigned long __first = __upc_thread (__p) * __block;
  unsigned long __number = __first + __upc_phase (__p) + (unsigned long) __n;

  if (__builtin_expect (__number >= __UPC_FEW_TABLED * __block, 0))
    return __upc_index_address_called (__p, __n, __block, __bytes);
  return (void *) (__UPC_SEGMENT_BASE + __upc_offset (__p) - __upc_phase (__p) * __bytes
                   + __number * __bytes + __table[__upc_tabled_block (__number, __block)]);
}

/* The same where P is at START, the first element of a block of thread 0. */
__UPC_ADDRESS void *
__upc_tabled_index_address_from (const unsigned long *__table, unsigned long __start, __upc_pts __p,
                                 long __n, unsigned long __block, unsigned long __bytes)
{
  unsigned long __number = (unsigned long) __n;

  if (__builtin_expect_with_probability (__number >= __UPC_FEW_TABLED * __block, 0, 1.0))
    return __upc_index_address_called (__p, __n, __block, __bytes);
  return (void *) (__UPC_SEGMENT_BASE + __start + __number * __bytes
                   + __table[__upc_tabled_block (__number, __block)]);
}

/* All three where TABLE may be NULL. */
__UPC_ADDRESS void *
__upc_tabled_address (const unsigned long *__table, const volatile void *__array, long __n,
                      unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect (!__table, 0))
    return __upc_scattered_address (__array, __n, __block, __bytes);
  return __upc_tabled_address_sure (__table, __array, __n, __block, __bytes);
}

__UPC_ADDRESS void *
__upc_tabled_address_32 (const unsigned long *__table, const volatile void *__array, long __n,
                         unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect (!__table, 0))
    return __upc_scattered_address (__array, (long) (unsigned int) __n, __block, __bytes);
  return __upc_tabled_address_32_sure (__table, __array, __n, __block, __bytes);
}

__UPC_ADDRESS void *
__upc_tabled_index_address (const unsigned long *__table, __upc_pts __p, long __n,
                            unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect (!__table, 0))
    return __upc_scattered_index_address (__p, __n, __block, __bytes);
  return __upc_tabled_index_address_sure (__table, __p, __n, __block, __bytes);
}

/* The first two where TABLE is NULL only in runs with very many threads. */
__UPC_ADDRESS void *
__upc_tabled_address_small (const unsigned long *__table, const volatile void *__array, long __n,
                            unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect (!__table, 0))
    return __upc_element_address_called (__array, __n, __block, __bytes);
  return __upc_tabled_address_sure (__table, __array, __n, __block, __bytes);
}

__UPC_ADDRESS void *
__upc_tabled_address_32_small (const unsigned long *__table, const volatile void *__array, long __n,
                               unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect (!__table, 0))
    return __upc_element_address_called (__array, (long) (unsigned int) __n, __block, __bytes);
  return __upc_tabled_address_32_sure (__table, __array, __n, __block, __bytes);
}

/* An element that moves by whole blocks: where it would be if all blocks were in one row, and how far its block is from
   there. */
typedef struct
{
  unsigned long __at;
  const unsigned long *__distance;
} __upc_tabled_cursor;

/* Element N, which may be outside of the array in an iteration that does not access it, where element 0 is at START in the
   partition of thread 0. */
__UPC_INLINE __upc_tabled_cursor
__upc_tabled_cursor_from (const unsigned long *__table, unsigned long __start, long __n,
                          unsigned long __block, unsigned long __bytes)
{
  __upc_tabled_cursor __a;

  __a.__at = __UPC_SEGMENT_BASE + __start + (unsigned long) __n * __bytes;
  __a.__distance = __table + __upc_floor_block (__n, __block);
  return __a;
}

__UPC_INLINE __upc_tabled_cursor
__upc_tabled_cursor_element (const unsigned long *__table, const volatile void *__array, long __n,
                             unsigned long __block, unsigned long __bytes)
{
  return __upc_tabled_cursor_from (__table, __upc_strip_array (__array) - __UPC_SEGMENT_BASE, __n,
                                   __block, __bytes);
}

/* Whether any table has the blocks of COUNT elements, STRIDE from each other, of which N is the first. */
__UPC_INLINE int
__upc_has_blocks (long __n, unsigned long __count, long __stride, unsigned long __block)
{
  unsigned long __most = __UPC_FEW_TABLED * __block;

  return ((unsigned long) __n < __most) & (__count < __most)
         & ((unsigned long) __n + (__count - 1) * (unsigned long) __stride < __most);
}

__UPC_INLINE void
__upc_tabled_cursor_advance (__upc_tabled_cursor *__a, long __blocks, unsigned long __size)
{
  __a->__at += (unsigned long) __blocks * __size;
  __a->__distance += __blocks;
}

__UPC_INLINE char *
__upc_tabled_at (const __upc_tabled_cursor *__a)
{
  return (char *) (__a->__at + *__a->__distance);
}

/* In an iteration that stores here and there: compilers are to make no vectors of several, of which they would take each address
   out again. */
__UPC_INLINE void
__upc_scattered (void)
{
  __asm__ __volatile__("");
}

#endif
