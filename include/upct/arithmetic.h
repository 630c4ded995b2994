/* upct/arithmetic.h: arithmetic on pointers-to-shared (UPC 1.3, 6.4.2) and the elements of
   shared arrays. Part of upct/access.h. */

#ifndef _UPCT_ARITHMETIC_H
#define _UPCT_ARITHMETIC_H
#pragma GCC system_header

#include <upct/pointer.h>

/* Division. */

__UPC_ADDRESS unsigned long
__upc_divide_by_threads (unsigned long __n)
{
#ifdef __UPC_STATIC_THREADS__
  return __n / THREADS;
#else
  __extension__ typedef unsigned __int128 __upc_wide;

#ifdef __clang__
  /* LLVM would make the whole induction variable 128 bits wide. */
  __asm__("" : "+r"(__n));
#endif
  return (unsigned long) (((__upc_wide) (__n << 1) * __upc_threads_reciprocal) >> 64);
#endif
}

/* Rounding towards negative infinity: for negative N, ~N is not negative, and
   floor (N / D) is ~(~N / D). */
__UPC_ADDRESS long
__upc_floor_threads (long __n)
{
  long __sign = __n >> 63;

  return (long) __upc_divide_by_threads ((unsigned long) (__n ^ __sign)) ^ __sign;
}

__UPC_ADDRESS long
__upc_floor_block (long __n, unsigned long __block)
{
  long __sign = __n >> 63;

  if (__builtin_constant_p ((__block & (__block - 1)) == 0) && (__block & (__block - 1)) == 0)
    return __n >> __builtin_ctzl (__block);
  return (long) ((unsigned long) (__n ^ __sign) / __block) ^ __sign;
}

/* Arithmetic (UPC 1.3, 6.4.2). BLOCK 0 is the indefinite layout. */

/* How far element N from one with phase PHASE on thread THREAD is, in each field. */
typedef struct
{
  long __elements;
  long __threads;
  long __phases;
} __upc_distance;

__UPC_ADDRESS __upc_distance
__upc_distance_to (unsigned long __thread_index, unsigned long __phase, long __n,
                   unsigned long __block)
{
  __upc_distance __d;
  long __blocks, __rounds;

  if (__block == 1)
    {
      __rounds = __upc_floor_threads ((long) __thread_index + __n);
      __d.__elements = __rounds;
      __d.__threads = __n - __rounds * __upc_threads;
      __d.__phases = 0;
      return __d;
    }
  __blocks = __upc_floor_block ((long) __phase + __n, __block);
  __rounds = __upc_floor_threads ((long) __thread_index + __blocks);
  __d.__phases = __n - __blocks * (long) __block;
  __d.__threads = __blocks - __rounds * __upc_threads;
  __d.__elements = __rounds * (long) __block + __d.__phases;
  return __d;
}

__UPC_ADDRESS __upc_pts
__upc_add (__upc_pts __p, long __n, unsigned long __block, unsigned long __bytes)
{
  __upc_distance __d;

  if (__block == 0)
    return __upc_shift (__p, __n * (long) __bytes, 0, 0);
  __d = __upc_distance_to (__upc_thread (__p), __block == 1 ? 0 : __upc_phase (__p), __n, __block);
  return __upc_shift (__p, __d.__elements * (long) __bytes, __d.__threads, __d.__phases);
}

/* The address of P[N]. Elements are counted from the first one of a block of thread 0 so many
   rounds before P's that no number is negative, and quotients need no care for signs. All but N
   is the same in each iteration of a loop that leaves P as it is. The offset is taken modulo the
   size of a partition: P may be an intermediate value that points before it. */
__UPC_ADDRESS void *
__upc_index_address (__upc_pts __p, long __n, unsigned long __block, unsigned long __bytes)
{
  unsigned long __size, __before, __number, __blocks, __rounds, __offset;

  if (__block == 0)
    return __upc_address_past (__p, __n * (long) __bytes);
  __size = __block * __bytes;
  __before = (1ul << __UPC_PARTITION_BITS) / __size + 1;
  __number = (__upc_thread (__p) + __before * (unsigned long) __upc_threads) * __block
             + (__block == 1 ? 0 : __upc_phase (__p));
  __offset = __upc_offset (__p) - __before * __size
             - (__block == 1 ? 0 : __upc_phase (__p) * __bytes);
  __number += (unsigned long) __n;
  __blocks = __number / __block;
  __rounds = __upc_divide_by_threads (__blocks);
  __offset += __block == 1 ? __rounds * __bytes
                           : __number * __bytes + (__rounds - __blocks) * __size;
  return (void *) (__UPC_SEGMENT_BASE + (__offset & ((1ul << __UPC_PARTITION_BITS) - 1))
                   + (__blocks - __rounds * (unsigned long) __upc_threads) * __UPC_STRIDE);
}

/* Whether the number of threads is a power of 2, and all partitions are in the table. */
__UPC_INLINE int
__upc_has_power (void)
{
  return (__upc_threads_log2 != 0) | (__upc_threads == 1);
}

/* The same by a table of partitions where __upc_has_power. */
__UPC_ADDRESS void *
__upc_power_index_address (__upc_pts __p, long __n, unsigned long __block, unsigned long __bytes)
{
  long __first = (long) (__upc_thread (__p) * __block);
  long __blocks = __upc_floor_block (__first + (__block == 1 ? 0 : (long) __upc_phase (__p)) + __n,
                                     __block);
  long __rounds = __blocks >> __upc_threads_log2;
  long __offset = (long) __upc_offset (__p)
                  + (__block == 1 ? __rounds
                                  : __first + __n - (__blocks - __rounds) * (long) __block)
                        * (long) __bytes;

  return __upc_partitions[(unsigned long) __blocks & ((1ul << __upc_threads_log2) - 1)]
         + ((unsigned long) __offset & ((1ul << __UPC_PARTITION_BITS) - 1));
}

/* Whether P is the first element of a block of thread 0, and so far from the end of the partition that what is before it
   is not taken for what is behind. */
__UPC_INLINE int
__upc_starts_round (__upc_pts __p, unsigned long __block)
{
  return (__upc_thread (__p) | (__block == 1 ? 0 : __upc_phase (__p))
          | __upc_offset (__p) >> (__UPC_PARTITION_BITS - 1))
         == 0;
}

/* The same of a pointer to START that is one. */
__UPC_ADDRESS void *
__upc_power_index_address_from (unsigned long __start, long __n, unsigned long __block,
                                unsigned long __bytes)
{
  long __blocks = __upc_floor_block (__n, __block), __rounds = __blocks >> __upc_threads_log2;

  return __upc_partitions[(unsigned long) __blocks & ((1ul << __upc_threads_log2) - 1)] + __start
         + (__block == 1 ? __rounds : __n - (__blocks - __rounds) * (long) __block)
               * (long) __bytes;
}

__UPC_ADDRESS void *
__upc_scattered_index_address (__upc_pts __p, long __n, unsigned long __block,
                               unsigned long __bytes)
{
  if (__block == 0 || !__upc_threads_log2)
    return __upc_index_address (__p, __n, __block, __bytes);
  return __upc_power_index_address (__p, __n, __block, __bytes);
}

/* P + 1 and P - 1: no division, a comparison for each field that may wrap. Those are
   branches, not conditional moves, which would be on the path of every step. */
__UPC_ADDRESS __upc_pts
__upc_next (__upc_pts __p, unsigned long __block, unsigned long __bytes)
{
  long __back = (__block - 1) * __bytes;
  __upc_pts __in_block, __in_round, __in_next_round;

  if (__block == 0)
    return __upc_shift (__p, __bytes, 0, 0);
  __in_block = __upc_shift (__p, __bytes, 0, 1);
  __in_round = __upc_shift (__p, -__back, 1, 1 - (long) __block);
  __in_next_round = __upc_shift (__p, __bytes, 1 - (long) __upc_threads, 1 - (long) __block);
  if (__block != 1 && __upc_phase (__p) != __block - 1)
    return __in_block;
  __asm__ __volatile__("");
  if (__upc_thread (__p) != (unsigned long) __upc_threads - 1)
    return __in_round;
  __asm__ __volatile__("");
  return __in_next_round;
}

__UPC_ADDRESS __upc_pts
__upc_previous (__upc_pts __p, unsigned long __block, unsigned long __bytes)
{
  long __forward = (__block - 1) * __bytes;
  __upc_pts __in_block, __in_round, __in_previous_round;

  if (__block == 0)
    return __upc_shift (__p, -(long) __bytes, 0, 0);
  __in_block = __upc_shift (__p, -(long) __bytes, 0, -1);
  __in_round = __upc_shift (__p, __forward, -1, (long) __block - 1);
  __in_previous_round = __upc_shift (__p, -(long) __bytes, (long) __upc_threads - 1,
                                     (long) __block - 1);
  if (__block != 1 && __upc_phase (__p) != 0)
    return __in_block;
  __asm__ __volatile__("");
  if (__upc_thread (__p) != 0)
    return __in_round;
  __asm__ __volatile__("");
  return __in_previous_round;
}

/* P - Q in elements. Blocks are dealt out in rounds of THREADS: without the
   phases, the offsets are whole rounds apart. */
__UPC_ADDRESS long
__upc_difference (__upc_pts __p, __upc_pts __q, unsigned long __block, unsigned long __bytes)
{
  long __apart = (long) (__upc_offset (__p) - __upc_offset (__q));
  long __phases, __threads, __rounds;

  if (__block == 0)
    return __apart / (long) __bytes;
  __phases = __block == 1 ? 0 : (long) __upc_phase (__p) - (long) __upc_phase (__q);
  __threads = (long) __upc_thread (__p) - (long) __upc_thread (__q);
  __rounds = (__apart - __phases * (long) __bytes) / (long) (__block * __bytes);
  return (__rounds * __upc_threads + __threads) * (long) __block + __phases;
}

/* Updates of pointers in place: the new value, or the old one for p++ and p--. */

__UPC_ADDRESS __upc_pts
__upc_advance (volatile __upc_pts *__p, long __n, unsigned long __block, unsigned long __bytes)
{
  __upc_pts __moved = __upc_add (*(__upc_pts *) __p, __n, __block, __bytes);

  *(__upc_pts *) __p = __moved;
  return __moved;
}

__UPC_ADDRESS __upc_pts
__upc_advance_after (volatile __upc_pts *__p, long __n, unsigned long __block,
                     unsigned long __bytes)
{
  __upc_pts __old = *(__upc_pts *) __p;

  *(__upc_pts *) __p = __upc_add (__old, __n, __block, __bytes);
  return __old;
}

__UPC_ADDRESS __upc_pts
__upc_pre_increment (volatile __upc_pts *__p, unsigned long __block, unsigned long __bytes)
{
  return *(__upc_pts *) __p = __upc_next (*(__upc_pts *) __p, __block, __bytes);
}

__UPC_ADDRESS __upc_pts
__upc_pre_decrement (volatile __upc_pts *__p, unsigned long __block, unsigned long __bytes)
{
  return *(__upc_pts *) __p = __upc_previous (*(__upc_pts *) __p, __block, __bytes);
}

__UPC_ADDRESS __upc_pts
__upc_post_increment (volatile __upc_pts *__p, unsigned long __block, unsigned long __bytes)
{
  __upc_pts __old = *(__upc_pts *) __p;

  *(__upc_pts *) __p = __upc_next (__old, __block, __bytes);
  return __old;
}

__UPC_ADDRESS __upc_pts
__upc_post_decrement (volatile __upc_pts *__p, unsigned long __block, unsigned long __bytes)
{
  __upc_pts __old = *(__upc_pts *) __p;

  *(__upc_pts *) __p = __upc_previous (__old, __block, __bytes);
  return __old;
}

/* Elements of static arrays: thread 0 has the first one, with phase 0. */

__UPC_ADDRESS __upc_pts
__upc_element (const volatile void *__array, long __n, unsigned long __block, unsigned long __bytes)
{
  return __upc_add (__upc_object (__array), __n, __block, __bytes);
}

/* The address of element N, in block BLOCKS of the array that starts at START, in round ROUNDS
   of THREADS blocks. The thread is blocks - rounds * THREADS; multiplied out, all but two products is the same in each
   iteration of a loop. Parts of the sum may be beyond any address: it is modulo 2^64. */
__UPC_ADDRESS unsigned long
__upc_locate (unsigned long __start, unsigned long __n, unsigned long __blocks,
              unsigned long __rounds, unsigned long __block, unsigned long __bytes)
{
  unsigned long __size = __block * __bytes;
  unsigned long __round = (unsigned long) __upc_threads * __UPC_STRIDE;

#ifdef __UPC_STATIC_THREADS__
  /* Mostly a power of two, of which the rest is a mask. */
  if (__block == 1)
    return __start + (__n - __rounds * THREADS) * __UPC_STRIDE + __rounds * __bytes;
#endif
  return __start + __n * __bytes + __blocks * (__UPC_STRIDE - __size)
         + __rounds * (__size - __round);
}

/* The address of element NUMBER, which exists, so that N is not negative. */
__UPC_ADDRESS void *
__upc_element_address (const volatile void *__array, long __number, unsigned long __block,
                       unsigned long __bytes)
{
  unsigned long __start = __UPC_SEGMENT_BASE + __upc_offset_of (__array);
  unsigned long __n = (unsigned long) __number;
  unsigned long __blocks;

  if (__block == 0)
    return (void *) (__start + __n * __bytes);
  __blocks = __n / __block;
  return (void *) __upc_locate (__start, __n, __blocks, __upc_divide_by_threads (__blocks), __block,
                                __bytes);
}

/* The same for loops that go here and there in an array where __upc_has_power: a table is quicker than
   multiplications, where it stays in the cache. */
__UPC_ADDRESS void *
__upc_power_address (const volatile void *__array, long __number, unsigned long __block,
                     unsigned long __bytes)
{
  unsigned long __n = (unsigned long) __number, __blocks = __n / __block;
  unsigned long __rounds = __blocks >> __upc_threads_log2;

  return __upc_partitions[__blocks & ((1ul << __upc_threads_log2) - 1)] + __upc_offset_of (__array)
         + (__block == 1 ? __rounds * __bytes
                         : __n * __bytes - (__blocks - __rounds) * (__block * __bytes));
}

__UPC_ADDRESS void *
__upc_scattered_address (const volatile void *__array, long __number, unsigned long __block,
                         unsigned long __bytes)
{
  if (__block == 0 || !__upc_threads_log2)
    return __upc_element_address (__array, __number, __block, __bytes);
  return __upc_power_address (__array, __number, __block, __bytes);
}

/* The same in an array that has no more than one block for each thread. */
__UPC_ADDRESS void *
__upc_element_address_in_round (const volatile void *__array, long __number, unsigned long __block,
                                unsigned long __bytes)
{
  unsigned long __start = __UPC_SEGMENT_BASE + __upc_offset_of (__array);
  unsigned long __n = (unsigned long) __number;

  return (void *) (__start + __n * __bytes + __n / __block * (__UPC_STRIDE - __block * __bytes));
}

/* The addresses of element N and of P[N] by a call, for what is rare. */
#if !defined __OPTIMIZE__ && !defined __UPC_PLUGIN__
extern void *__upc_element_address_called (const volatile void *__array, long __n,
                                           unsigned long __block,
                                           unsigned long __bytes) __asm__("__upc_element_address")
    __attribute__ ((__const__));
extern void *__upc_index_address_called (__upc_pts __p, long __n, unsigned long __block,
                                         unsigned long __bytes) __asm__("__upc_index_address")
    __attribute__ ((__const__));
#else
static __inline__ __attribute__ ((__noinline__, __unused__, __const__)) void *
__upc_element_address_called (const volatile void *__array, long __n, unsigned long __block,
                              unsigned long __bytes)
{
  if (__block == 1)
    return __upc_element_address (__array, __n, 1, __bytes);
  return __upc_element_address (__array, __n, __block, __bytes);
}

static __inline__ __attribute__ ((__noinline__, __unused__, __const__)) void *
__upc_index_address_called (__upc_pts __p, long __n, unsigned long __block, unsigned long __bytes)
{
  return __upc_index_address (__p, __n, __block, __bytes);
}
#endif

/* The address of element COLUMN of a row of ROW elements that starts at element N and at BASE, where
   blocks are of whole rows: one look at the block does for a loop over the row. C would
   not have COLUMN outside of the row, but programs do. */
__UPC_ADDRESS void *
__upc_row_address_from (char *__base, const volatile void *__array, long __n, long __column,
                        unsigned long __row, unsigned long __block, unsigned long __bytes)
{
  if (__builtin_expect ((unsigned long) __column >= __row, 0))
    return __upc_element_address_called (__array, __n + __column, __block, __bytes);
  return __base + (unsigned long) __column * __bytes;
}

/* The base is found before that branch, so that compilers take it out of loops. */
__UPC_ADDRESS void *
__upc_row_address (const volatile void *__array, long __n, long __column, unsigned long __row,
                   unsigned long __block, unsigned long __bytes)
{
  char *__base = (char *) __upc_element_address (__array, __n, __block, __bytes);

  return __upc_row_address_from (__base, __array, __n, __column, __row, __block, __bytes);
}

__UPC_ADDRESS void *
__upc_row_address_in_round (const volatile void *__array, long __n, long __column,
                            unsigned long __row, unsigned long __block, unsigned long __bytes)
{
  char *__base = (char *) __upc_element_address_in_round (__array, __n, __block, __bytes);

  return __upc_row_address_from (__base, __array, __n, __column, __row, __block, __bytes);
}

/* Whether COLUMN is not in a row of ROW elements that starts a multiple of ROW elements from P, or
   that row not in one block, because P points inside of one. */
__UPC_ADDRESS int
__upc_leaves_row (__upc_pts __p, long __column, unsigned long __row)
{
  return __builtin_expect ((unsigned long) __column >= __row, 0)
         || __builtin_expect (__upc_phase (__p) % __row != 0, 0);
}

/* As __upc_row_address_from, of P[N]. */
__UPC_ADDRESS void *
__upc_row_index_address_from (char *__base, __upc_pts __p, long __n, long __column,
                              unsigned long __row, unsigned long __block, unsigned long __bytes)
{
  if (__upc_leaves_row (__p, __column, __row))
    return __upc_index_address_called (__p, __n + __column, __block, __bytes);
  return __base + (unsigned long) __column * __bytes;
}

#endif
