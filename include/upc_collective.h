/* upc_collective.h: collective functions (UPC 1.3, required library, 7.4).

   All of these are collective: every thread calls them in the same order, with the same
   arguments, and not between upc_notify and upc_wait.

   FLAGS say when data may be touched (upc_types.h; UPC 1.3, 7.3.3). One of each, ALLSYNC
   where it is left out:

       UPC_IN_NOSYNC     data may move once the first thread has entered
       UPC_IN_MYSYNC     data of a thread may move once that thread has entered
       UPC_IN_ALLSYNC    data may move once all threads have entered
       UPC_OUT_NOSYNC    returns at any time; all data has moved when the last thread does
       UPC_OUT_MYSYNC    returns when the data of the calling thread has moved
       UPC_OUT_ALLSYNC   returns when all data has moved

   No flag promises more, and none waits for more. Sources and destinations do not overlap.

   A null pointer and an operation that the type does not have are errors: they end the run
   with one line and exit status 1. With UPC_CHECK=1 in the environment so is what costs
   time to find: arguments or functions that differ between threads, a block of no bytes,
   an affinity or a phase that is not as said here, a number that is twice in a permutation,
   two IN or two OUT flags. */

#ifndef _UPC_COLLECTIVE_H
#define _UPC_COLLECTIVE_H

#ifndef __UPC__
#error upc_collective.h is for UPC source: C has no shared types
#endif

#include <stddef.h>
#include <upc_types.h>

#ifndef __UPC_COLLECTIVE__
#define __UPC_COLLECTIVE__ 1
#endif

/* Moving data. NBYTES is the size of one block and greater than 0. Where a pointer has to
   have affinity to thread 0, its phase does not count, and the memory is that at the same
   place of each thread: as upc_all_alloc (THREADS, n * NBYTES) gives it. */

/* The block at SRC, of any one thread, to the block at DST of each thread. DST has affinity
   to thread 0. (7.4.2.1) */
extern void upc_all_broadcast (shared void *restrict __dst, shared const void *restrict __src,
                               size_t __nbytes, upc_flag_t __flags);

/* Block i of the THREADS blocks at SRC, of any one thread, to the block at DST of thread i.
   DST has affinity to thread 0. (7.4.2.2) */
extern void upc_all_scatter (shared void *restrict __dst, shared const void *restrict __src,
                             size_t __nbytes, upc_flag_t __flags);

/* The block at SRC of thread i to block i of the THREADS blocks at DST, of any one thread.
   SRC has affinity to thread 0. (7.4.2.3) */
extern void upc_all_gather (shared void *restrict __dst, shared const void *restrict __src,
                            size_t __nbytes, upc_flag_t __flags);

/* The block at SRC of thread i to block i of the THREADS blocks at DST of each thread. Both
   have affinity to thread 0. (7.4.2.4) */
extern void upc_all_gather_all (shared void *restrict __dst, shared const void *restrict __src,
                                size_t __nbytes, upc_flag_t __flags);

/* Block i of the THREADS blocks at SRC of thread j to block j of those at DST of thread i.
   Both have affinity to thread 0. (7.4.2.5) */
extern void upc_all_exchange (shared void *restrict __dst, shared const void *restrict __src,
                              size_t __nbytes, upc_flag_t __flags);

/* The block at SRC of thread i to the block at DST of thread PERM[i]. PERM is a permutation
   of the numbers of threads; all three have affinity to thread 0. (7.4.2.6) */
extern void upc_all_permute (shared void *restrict __dst, shared const void *restrict __src,
                             shared const int *restrict __perm, size_t __nbytes,
                             upc_flag_t __flags);

/* Computing, with op one of those of upc_types.h: UPC_ADD, UPC_MULT, UPC_AND, UPC_OR,
   UPC_XOR, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX, of which floating-point types do not
   have AND, OR, XOR; or UPC_FUNC, a commutative FUNC, or UPC_NONCOMM_FUNC, any associative
   one; FUNC does not count where the operation is another. Integers wrap around; whether MIN and
   MAX give a NaN depends on where it is.

   SRC is the first of NELEMS elements in blocks of BLK_SIZE elements, dealt out to the
   threads in turn, or, where that is 0, all with one thread. Thread and phase of SRC say
   where in which block the first one is; where BLK_SIZE is 0 the phase does not count, so
   that SRC may be the middle of a block of another array.

   upc_all_reduceT: *DST = src[0] op src[1] op … op src[nelems - 1]. DST is of any thread.
   upc_all_prefix_reduceT: DST[i] = src[0] op … op src[i] for each i; DST lies as SRC does,
   with the same thread and phase.

   With NELEMS 0 nothing is read or written. Operations on floating-point numbers are done
   in an order that depends on the arguments and THREADS alone: results are the same in
   each run. FUNC may be called by any thread and on partial results. (7.4.3.1) */
#define __UPC_ALL_REDUCE(function, type)                                        \
  extern void function (shared void *restrict __dst, shared const void *restrict __src, \
                        upc_op_t __op, size_t __nelems, size_t __blk_size,      \
                        type (*__func) (type, type), upc_flag_t __flags);

__UPC_ALL_REDUCE (upc_all_reduceC, signed char)
__UPC_ALL_REDUCE (upc_all_reduceUC, unsigned char)
__UPC_ALL_REDUCE (upc_all_reduceS, signed short)
__UPC_ALL_REDUCE (upc_all_reduceUS, unsigned short)
__UPC_ALL_REDUCE (upc_all_reduceI, signed int)
__UPC_ALL_REDUCE (upc_all_reduceUI, unsigned int)
__UPC_ALL_REDUCE (upc_all_reduceL, signed long)
__UPC_ALL_REDUCE (upc_all_reduceUL, unsigned long)
__UPC_ALL_REDUCE (upc_all_reduceF, float)
__UPC_ALL_REDUCE (upc_all_reduceD, double)
__UPC_ALL_REDUCE (upc_all_reduceLD, long double)

__UPC_ALL_REDUCE (upc_all_prefix_reduceC, signed char)
__UPC_ALL_REDUCE (upc_all_prefix_reduceUC, unsigned char)
__UPC_ALL_REDUCE (upc_all_prefix_reduceS, signed short)
__UPC_ALL_REDUCE (upc_all_prefix_reduceUS, unsigned short)
__UPC_ALL_REDUCE (upc_all_prefix_reduceI, signed int)
__UPC_ALL_REDUCE (upc_all_prefix_reduceUI, unsigned int)
__UPC_ALL_REDUCE (upc_all_prefix_reduceL, signed long)
__UPC_ALL_REDUCE (upc_all_prefix_reduceUL, unsigned long)
__UPC_ALL_REDUCE (upc_all_prefix_reduceF, float)
__UPC_ALL_REDUCE (upc_all_prefix_reduceD, double)
__UPC_ALL_REDUCE (upc_all_prefix_reduceLD, long double)

#undef __UPC_ALL_REDUCE

/* Of GNU and Berkeley UPC: puts NELEMS elements of ELEM_SIZE bytes, laid out from A on as
   above, into ascending order. FUNC returns less than, equal to or greater than 0 as its
   first element comes before, beside or after its second; equal elements keep their order. */
extern void upc_all_sort (shared void *__a, size_t __elem_size, size_t __nelems,
                          size_t __blk_size,
                          int (*__func) (shared void *, shared void *), upc_flag_t __flags);

#endif
