/* upc_collective.h: collective functions (UPC 1.3, required library, 7.4). For UPC source; C has
   no shared types.

   All functions are collective: every thread calls them, in the same order as the thread's
   other collective calls, and not between upc_notify and upc_wait. All arguments are
   single-valued: the same on all threads. Sizes are in bytes if a name has BYTES or SIZE in
   it, counts in elements.

   FLAGS is one IN and one OUT flag of upc_types.h. No function waits for more than its flags
   ask for. Sources and destinations do not overlap.

   An error that the runtime detects ends the run with a message that names the function and
   the source line, and exit status 1: a null pointer, or an operation that the type does not
   have. With UPC_CHECK=1 in the environment the runtime also makes the checks that cost time:
   arguments or functions that differ between threads, a block of no bytes, an affinity or a
   phase other than required below, a PERM that is not a permutation, two IN or two OUT
   flags. */

#ifndef _UPC_COLLECTIVE_H
#define _UPC_COLLECTIVE_H

#ifndef __UPC__
#error upc_collective.h is for UPC source: C has no shared types
#endif

#include <stddef.h>
#include <stdlib.h>
#include <upc_types.h>

#ifndef __UPC_COLLECTIVE__
#define __UPC_COLLECTIVE__ 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Moving data. NBYTES, the size of a block, is greater than 0.

   "On each thread" means an array as upc_all_alloc (THREADS, n * NBYTES) makes it: the pointer
   has affinity to thread 0 and stands for the same place in the memory of each thread. Its
   phase is ignored. */

/* Copies the block at SRC, on any thread, to DST on each thread. (7.4.2.1) */
extern void upc_all_broadcast (shared void *restrict __dst, shared const void *restrict __src,
                               size_t __nbytes, upc_flag_t __flags);

/* Copies block i of the THREADS blocks at SRC, on any thread, to DST on thread i: DST is on
   each thread. (7.4.2.2) */
extern void upc_all_scatter (shared void *restrict __dst, shared const void *restrict __src,
                             size_t __nbytes, upc_flag_t __flags);

/* Copies the block at SRC on thread i to block i of the THREADS blocks at DST, on any thread:
   SRC is on each thread. (7.4.2.3) */
extern void upc_all_gather (shared void *restrict __dst, shared const void *restrict __src,
                            size_t __nbytes, upc_flag_t __flags);

/* Copies the block at SRC on thread i to block i of the THREADS blocks at DST on each thread:
   both are on each thread. (7.4.2.4) */
extern void upc_all_gather_all (shared void *restrict __dst, shared const void *restrict __src,
                                size_t __nbytes, upc_flag_t __flags);

/* Copies block i of the THREADS blocks at SRC on thread j to block j of the THREADS blocks at
   DST on thread i: both are on each thread. (7.4.2.5) */
extern void upc_all_exchange (shared void *restrict __dst, shared const void *restrict __src,
                              size_t __nbytes, upc_flag_t __flags);

/* Copies the block at SRC on thread i to DST on thread PERM[i]: both are on each thread. PERM
   is a permutation of 0 to THREADS - 1 and has affinity to thread 0. (7.4.2.6) */
extern void upc_all_permute (shared void *restrict __dst, shared const void *restrict __src,
                             shared const int *restrict __perm, size_t __nbytes,
                             upc_flag_t __flags);

/* Reductions. OP is one of UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND,
   UPC_LOGOR, UPC_MIN and UPC_MAX, or stands for FUNC: UPC_FUNC if FUNC is associative and
   commutative, UPC_NONCOMM_FUNC if it is only associative. Floating-point types have no AND,
   OR and XOR. FUNC is ignored with other operations. Integers wrap around. If an operand is a
   NaN, the result of MIN and MAX depends on its position.

   SRC points to the first of NELEMS elements. They are distributed to the threads in blocks of
   BLK_SIZE elements; if BLK_SIZE is 0, all are on one thread. Thread and phase of SRC give the
   block of the first element and its position therein. If BLK_SIZE is 0 the phase is ignored,
   so SRC may point into a block of another array. If NELEMS is 0, nothing is read or written.

   upc_all_reduceT stores src[0] op src[1] op … op src[nelems - 1] into *DST, on any thread.
   upc_all_prefix_reduceT stores src[0] op … op src[i] into DST[i] for each i; DST has the
   layout of SRC: the same thread and the same phase.

   The order of floating-point operations depends on the arguments and THREADS only, so each
   run gives the same result. FUNC may be called by any thread and on partial results.
   (7.4.3.1) */
#define __UPC_ALL_REDUCE(function, type)                                                \
  extern void function (shared void *restrict __dst, shared const void *restrict __src, \
                        upc_op_t __op, size_t __nelems, size_t __blk_size,              \
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

/* Extension of Berkeley UPC: upc_all_reduceT with the result on each thread, where DST is as for
   upc_all_broadcast. A program that declares one of the names has its own. */
#ifndef BUPC_DISABLE_EXTENSIONS
#pragma upct extension on
__UPC_ALL_REDUCE (bupc_all_reduce_allC, signed char)
__UPC_ALL_REDUCE (bupc_all_reduce_allUC, unsigned char)
__UPC_ALL_REDUCE (bupc_all_reduce_allS, signed short)
__UPC_ALL_REDUCE (bupc_all_reduce_allUS, unsigned short)
__UPC_ALL_REDUCE (bupc_all_reduce_allI, signed int)
__UPC_ALL_REDUCE (bupc_all_reduce_allUI, unsigned int)
__UPC_ALL_REDUCE (bupc_all_reduce_allL, signed long)
__UPC_ALL_REDUCE (bupc_all_reduce_allUL, unsigned long)
__UPC_ALL_REDUCE (bupc_all_reduce_allF, float)
__UPC_ALL_REDUCE (bupc_all_reduce_allD, double)
__UPC_ALL_REDUCE (bupc_all_reduce_allLD, long double)
#pragma upct extension off
#ifdef BUPC_USE_UPC_NAMESPACE
#define upc_all_reduce_allC bupc_all_reduce_allC
#define upc_all_reduce_allUC bupc_all_reduce_allUC
#define upc_all_reduce_allS bupc_all_reduce_allS
#define upc_all_reduce_allUS bupc_all_reduce_allUS
#define upc_all_reduce_allI bupc_all_reduce_allI
#define upc_all_reduce_allUI bupc_all_reduce_allUI
#define upc_all_reduce_allL bupc_all_reduce_allL
#define upc_all_reduce_allUL bupc_all_reduce_allUL
#define upc_all_reduce_allF bupc_all_reduce_allF
#define upc_all_reduce_allD bupc_all_reduce_allD
#define upc_all_reduce_allLD bupc_all_reduce_allLD
#endif
#endif

#undef __UPC_ALL_REDUCE

/* Extension of GNU UPC and Berkeley UPC: sorts NELEMS elements of ELEM_SIZE bytes from A on,
   distributed as for reductions, into ascending order. FUNC returns a number less than, equal
   to or greater than 0 if its first element comes before, with or after its second. The sort
   is stable. */
extern void upc_all_sort (shared void *__a, size_t __elem_size, size_t __nelems, size_t __blk_size,
                          int (*__func) (shared void *, shared void *), upc_flag_t __flags);

#ifdef __cplusplus
}
#endif

#endif
