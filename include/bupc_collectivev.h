/* bupc_collectivev.h: collective functions on values, as in Berkeley UPC. For UPC source; C has no
   shared types.

   All are macros, and collective: every thread calls them, in the same order as the thread's
   other collective calls, and not between upc_notify and upc_wait. TYPE and ROOT are the same on
   all threads. V is an expression of type TYPE, the value of the calling thread; each argument
   is evaluated once. TYPE of a reduction is an integer or floating-point type; other functions may
   move structures, too. OP is an operation of upc_types.h, but not a function.

   BUPC_COLLECTIVEV_SYNC has the flags of upc_types.h that all of them use. Another value may be
   defined before the header. OUT_NOSYNC means OUT_MYSYNC, as a value is returned.

   Errors are those of upc_collective.h; UPC_CHECK=1 finds arguments that differ. */

#ifndef _BUPC_COLLECTIVEV_H
#define _BUPC_COLLECTIVEV_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <upc.h>
#include <upc_collective.h>

#define BUPC_COLLECTIVEV_VERSION_MAJOR 1
#define BUPC_COLLECTIVEV_VERSION_MINOR 2

#ifndef BUPC_COLLECTIVEV_SYNC
#define BUPC_COLLECTIVEV_SYNC (UPC_IN_MYSYNC | UPC_OUT_MYSYNC)
#endif

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

extern void upct_value_broadcast (void *__dst, const void *__src, int __root, size_t __bytes,
                                  upc_flag_t __flags);
extern void upct_value_scatter (void *__dst, const void *__src, int __root, size_t __bytes,
                                upc_flag_t __flags);
extern void upct_value_gather (void *__dst, const void *__src, int __root, size_t __bytes,
                               upc_flag_t __flags);
extern void upct_value_gather_all (void *__dst, const void *__src, size_t __bytes,
                                   upc_flag_t __flags);
extern void upct_value_permute (void *__dst, const void *__src, int __target, size_t __bytes,
                                upc_flag_t __flags);
extern void upct_value_reduce (upc_type_t __type, upc_op_t __op, void *__dst, const void *__src,
                               int __root, upc_flag_t __flags);
extern void upct_value_reduce_all (upc_type_t __type, upc_op_t __op, void *__dst, const void *__src,
                                   upc_flag_t __flags);
extern void upct_value_prefix_reduce (upc_type_t __type, upc_op_t __op, void *__dst,
                                      const void *__src, upc_flag_t __flags);

/* The number in upc_types.h of a type. */
#define __BUPC_TYPE(TYPE)                                      \
  _Generic((TYPE) 0, char                                      \
           : (char) -1 < 0 ? UPC_CHAR : UPC_UCHAR, signed char \
           : UPC_CHAR, unsigned char                           \
           : UPC_UCHAR, short                                  \
           : UPC_SHORT, unsigned short                         \
           : UPC_USHORT, int                                   \
           : UPC_INT, unsigned int                             \
           : UPC_UINT, long                                    \
           : UPC_LONG, unsigned long                           \
           : UPC_ULONG, long long                              \
           : UPC_LLONG, unsigned long long                     \
           : UPC_ULLONG, float                                 \
           : UPC_FLOAT, double                                 \
           : UPC_DOUBLE, long double                           \
           : UPC_LDOUBLE)

/* VALUE, of TYPE, as the value of a statement expression. It is an assignment, as compilers warn about a
   bare name if a program does not use the value. */
#define __BUPC_RESULT(TYPE, value)               \
  TYPE __bupc_used __attribute__ ((__unused__)); \
  __bupc_used = value;

/* Stores V in a variable and calls FUNCTION (result, value, ...); the result. */
#define __BUPC_VALUE(TYPE, v, function, ...)                                                   \
  __extension__({                                                                              \
    TYPE __bupc_value = (v);                                                                   \
    TYPE __bupc_result;                                                                        \
    upct_value_##function (&__bupc_result, &__bupc_value, __VA_ARGS__, BUPC_COLLECTIVEV_SYNC); \
    __BUPC_RESULT (TYPE, __bupc_result)                                                        \
  })
#define __BUPC_REDUCTION(TYPE, v, function, op, ...)                                             \
  __extension__({                                                                                \
    TYPE __bupc_value = (v);                                                                     \
    TYPE __bupc_result = 0;                                                                      \
    upct_value_##function (__BUPC_TYPE (TYPE), op, &__bupc_result, &__bupc_value, ##__VA_ARGS__, \
                           BUPC_COLLECTIVEV_SYNC);                                               \
    __BUPC_RESULT (TYPE, __bupc_result)                                                          \
  })

/* V of thread 0 op V of thread 1 op …. reduce returns it on thread ROOT, and 0 on the others;
   reduce_all, and reduce with ROOT -1, on all threads. prefix_reduce combines threads 0 to
   MYTHREAD. */
#define bupc_allv_reduce(TYPE, v, root, op) __BUPC_REDUCTION (TYPE, v, reduce, op, root)
#define bupc_allv_reduce_all(TYPE, v, op) __BUPC_REDUCTION (TYPE, v, reduce_all, op)
#define bupc_allv_prefix_reduce(TYPE, v, op) __BUPC_REDUCTION (TYPE, v, prefix_reduce, op)

/* V of thread ROOT. */
#define bupc_allv_broadcast(TYPE, v, root) __BUPC_VALUE (TYPE, v, broadcast, root, sizeof (TYPE))

/* Element MYTHREAD of the THREADS values at SRC on thread ROOT; SRC of the others is ignored. */
#define bupc_allv_scatter(TYPE, root, src)                                                \
  __extension__({                                                                         \
    TYPE __bupc_result;                                                                   \
    upct_value_scatter (&__bupc_result, src, root, sizeof (TYPE), BUPC_COLLECTIVEV_SYNC); \
    __BUPC_RESULT (TYPE, __bupc_result)                                                   \
  })

/* Stores V of thread i in DST[i], on thread ROOT or, if ROOT is -1, on all threads; returns DST.
   DST of the other threads is ignored. */
#define bupc_allv_gather(TYPE, v, root, dst)                                                   \
  __extension__({                                                                              \
    TYPE __bupc_value = (v);                                                                   \
    TYPE *__bupc_dst = (dst);                                                                  \
    upct_value_gather (__bupc_dst, &__bupc_value, root, sizeof (TYPE), BUPC_COLLECTIVEV_SYNC); \
    __BUPC_RESULT (TYPE *, __bupc_dst)                                                         \
  })

/* The same on all threads. A thread with a null DST stores nothing. */
#define bupc_allv_gather_all(TYPE, v, dst)                                                   \
  __extension__({                                                                            \
    TYPE __bupc_value = (v);                                                                 \
    TYPE *__bupc_dst = (dst);                                                                \
    upct_value_gather_all (__bupc_dst, &__bupc_value, sizeof (TYPE), BUPC_COLLECTIVEV_SYNC); \
    __BUPC_RESULT (TYPE *, __bupc_dst)                                                       \
  })

/* V of the thread whose TOTHREAD is MYTHREAD. It is an error if there is not exactly one. */
#define bupc_allv_permute(TYPE, v, tothread) \
  __BUPC_VALUE (TYPE, v, permute, tothread, sizeof (TYPE))

#ifdef BUPC_USE_UPC_NAMESPACE
#define upc_allv_reduce bupc_allv_reduce
#define upc_allv_reduce_all bupc_allv_reduce_all
#define upc_allv_prefix_reduce bupc_allv_prefix_reduce
#define upc_allv_broadcast bupc_allv_broadcast
#define upc_allv_scatter bupc_allv_scatter
#define upc_allv_gather bupc_allv_gather
#define upc_allv_gather_all bupc_allv_gather_all
#define upc_allv_permute bupc_allv_permute
#endif

#endif
