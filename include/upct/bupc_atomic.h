/* upct/bupc_atomic.h: atomic operations without domains, as in Berkeley UPC. Part of
   bupc_extensions.h.

       bupc_atomicX_OP_MODE (p, ...)

   X names the type: I int, U and UI unsigned int, L long, UL unsigned long, X long long, UX
   unsigned long long, I32, U32, I64, U64 those of stdint.h, F float, D double.

       read ()                           returns *p
       set (v)                           *p = v; returns nothing
       swap (v)                          *p = v
       cswap (oldv, newv)                if (*p == oldv) *p = newv
       fetchadd (v)                      *p += v
       fetchand, fetchor, fetchxor (v)   *p op= v; integers only
       fetchnot ()                       *p = ~*p; integers only
       mswap (mask, v)                   *p = (*p & ~mask) | (v & mask); integers only

   All but set return what *p was before. Integers wrap around. cswap of floating types compares
   representations.

   MODE is relaxed or strict, as an access of that kind, and p a shared void *; or private or
   local, which are relaxed, and p a void *, to private memory or to shared memory that has been
   cast. Not collective; no call waits for another thread. *p is an object of the type, on any
   thread. Between two barriers an object that these operations access is accessed by them only. */

#ifndef _UPCT_BUPC_ATOMIC_H
#define _UPCT_BUPC_ATOMIC_H
#pragma GCC system_header

/* A strict read: a full fence before it, and where threads exceed CPUs a loop of such reads gives
   the CPU away. A strict store: a full fence behind it. */
#ifdef _UPCT_ACCESS_H
#define __BUPC_FENCE_strict() __upc_strict_fence ()
#define __BUPC_END_strict() __upc_strict_end ()
#define __BUPC_SAW_strict(value) __upc_saw (&value, sizeof value)
#else
#define __BUPC_FENCE_strict() \
  do                          \
    upc_fence;                \
  while (0)
#define __BUPC_END_strict() __BUPC_FENCE_strict ()
#define __BUPC_SAW_strict(value) ((void) 0)
#endif
#define __BUPC_FENCE_relaxed() ((void) 0)
#define __BUPC_END_relaxed() ((void) 0)
#define __BUPC_SAW_relaxed(value) ((void) 0)

#define __BUPC_ORDER_strict __ATOMIC_SEQ_CST
#define __BUPC_ORDER_relaxed __ATOMIC_RELAXED

/* The operations on type T: NAME##_OP##MODE of a POINTER, ordered as HOW says. Arguments that are
   passed on have names that programs do not define as macros. */
#define __BUPC_ATOMIC_ANY(name, T, mode, pointer, how)                          \
  __UPC_INLINE T name##_read##mode (pointer)                                    \
  {                                                                             \
    T __old;                                                                    \
    __BUPC_FENCE##how ();                                                       \
    __atomic_load ((T *) __p, &__old, __BUPC_ORDER##how);                       \
    __BUPC_SAW##how (__old);                                                    \
    return __old;                                                               \
  }                                                                             \
  __UPC_INLINE void name##_set##mode (pointer, T __v)                           \
  {                                                                             \
    __atomic_store ((T *) __p, &__v, __BUPC_ORDER##how);                        \
    __BUPC_END##how ();                                                         \
  }                                                                             \
  __UPC_INLINE T name##_swap##mode (pointer, T __v)                             \
  {                                                                             \
    T __old;                                                                    \
    __atomic_exchange ((T *) __p, &__v, &__old, __BUPC_ORDER##how);             \
    __BUPC_END##how ();                                                         \
    return __old;                                                               \
  }                                                                             \
  __UPC_INLINE T name##_cswap##mode (pointer, T __old, T __new)                 \
  {                                                                             \
    __atomic_compare_exchange ((T *) __p, &__old, &__new, 0, __BUPC_ORDER##how, \
                               __BUPC_ORDER##how);                              \
    __BUPC_END##how ();                                                         \
    return __old;                                                               \
  }

#define __BUPC_ATOMIC_FETCH(name, T, mode, pointer, how, op)           \
  __UPC_INLINE T name##_fetch##op##mode (pointer, T __v)               \
  {                                                                    \
    T __old = __atomic_fetch_##op ((T *) __p, __v, __BUPC_ORDER##how); \
    __BUPC_END##how ();                                                \
    return __old;                                                      \
  }

/* By compare-and-swap: NEW is computed of __old. */
#define __BUPC_ATOMIC_LOOP(T, how, new)                                                           \
  T *__at = (T *) __p, __old, __new;                                                              \
  __atomic_load (__at, &__old, __ATOMIC_RELAXED);                                                 \
  do                                                                                              \
    __new = new;                                                                                  \
  while (                                                                                         \
      !__atomic_compare_exchange (__at, &__old, &__new, 0, __BUPC_ORDER##how, __ATOMIC_RELAXED)); \
  __BUPC_END##how ();                                                                             \
  return __old;

#define __BUPC_ATOMIC_INTEGER(name, T, mode, pointer, how)               \
  __BUPC_ATOMIC_ANY (name, T, mode, pointer, how)                        \
  __BUPC_ATOMIC_FETCH (name, T, mode, pointer, how, add)                 \
  __BUPC_ATOMIC_FETCH (name, T, mode, pointer, how, and)                 \
  __BUPC_ATOMIC_FETCH (name, T, mode, pointer, how, or)                  \
  __BUPC_ATOMIC_FETCH (name, T, mode, pointer, how, xor)                 \
  __UPC_INLINE T name##_fetchnot##mode (pointer)                         \
  {                                                                      \
    T __old = __atomic_fetch_xor ((T *) __p, (T) -1, __BUPC_ORDER##how); \
    __BUPC_END##how ();                                                  \
    return __old;                                                        \
  }                                                                      \
  __UPC_INLINE T name##_mswap##mode (pointer, T __mask, T __v)           \
  {                                                                      \
    __BUPC_ATOMIC_LOOP (T, how, (__old & ~__mask) | (__v & __mask))      \
  }

#define __BUPC_ATOMIC_FLOATING(name, T, mode, pointer, how) \
  __BUPC_ATOMIC_ANY (name, T, mode, pointer, how)           \
  __UPC_INLINE T name##_fetchadd##mode (pointer, T __v)     \
  {                                                         \
    __BUPC_ATOMIC_LOOP (T, how, __old + __v)                \
  }

#ifdef __UPC_NETWORK__

/* Of shared memory that another process may have. */
#include <upct/atomic_at.h>

#define __BUPC_IS_strict 1
#define __BUPC_IS_relaxed 0
#define __BUPC_CALL(T, how, op, old, operand1, operand2)                                           \
  __upc_atomic_at ((void *) __p, sizeof (T), (T) 0.5 != 0, __UPC_AT_##op, old, operand1, operand2, \
                   __BUPC_IS##how)

#define __BUPC_SHARED_ANY(name, T, mode, pointer, how)          \
  __UPC_INLINE T name##_read##mode (pointer)                    \
  {                                                             \
    T __old;                                                    \
    __BUPC_CALL (T, how, get, &__old, 0, 0);                    \
    return __old;                                               \
  }                                                             \
  __UPC_INLINE void name##_set##mode (pointer, T __v)           \
  {                                                             \
    __BUPC_CALL (T, how, set, 0, &__v, 0);                      \
  }                                                             \
  __UPC_INLINE T name##_swap##mode (pointer, T __v)             \
  {                                                             \
    T __old;                                                    \
    __BUPC_CALL (T, how, set, &__old, &__v, 0);                 \
    return __old;                                               \
  }                                                             \
  __UPC_INLINE T name##_cswap##mode (pointer, T __old, T __new) \
  {                                                             \
    T __was;                                                    \
    __BUPC_CALL (T, how, cswap, &__was, &__old, &__new);        \
    return __was;                                               \
  }

#define __BUPC_SHARED_FETCH(name, T, mode, pointer, how, op) \
  __UPC_INLINE T name##_fetch##op##mode (pointer, T __v)     \
  {                                                          \
    T __old;                                                 \
    __BUPC_CALL (T, how, op, &__old, &__v, 0);               \
    return __old;                                            \
  }

#define __BUPC_SHARED_INTEGER(name, T, mode, pointer, how)     \
  __BUPC_SHARED_ANY (name, T, mode, pointer, how)              \
  __BUPC_SHARED_FETCH (name, T, mode, pointer, how, add)       \
  __BUPC_SHARED_FETCH (name, T, mode, pointer, how, and)       \
  __BUPC_SHARED_FETCH (name, T, mode, pointer, how, or)        \
  __BUPC_SHARED_FETCH (name, T, mode, pointer, how, xor)       \
  __UPC_INLINE T name##_fetchnot##mode (pointer)               \
  {                                                            \
    T __v = (T) -1, __old;                                     \
    __BUPC_CALL (T, how, xor, &__old, &__v, 0);                \
    return __old;                                              \
  }                                                            \
  __UPC_INLINE T name##_mswap##mode (pointer, T __mask, T __v) \
  {                                                            \
    T __old, __new, __was;                                     \
    __BUPC_CALL (T, how, get, &__was, 0, 0);                   \
    do                                                         \
      {                                                        \
        __old = __was;                                         \
        __new = (__old & ~__mask) | (__v & __mask);            \
        __BUPC_CALL (T, how, cswap, &__was, &__old, &__new);   \
      }                                                        \
    while (__was != __old);                                    \
    return __old;                                              \
  }

#define __BUPC_SHARED_FLOATING(name, T, mode, pointer, how) \
  __BUPC_SHARED_ANY (name, T, mode, pointer, how)           \
  __BUPC_SHARED_FETCH (name, T, mode, pointer, how, add)

#else
#define __BUPC_SHARED_INTEGER __BUPC_ATOMIC_INTEGER
#define __BUPC_SHARED_FLOATING __BUPC_ATOMIC_FLOATING
#endif

#define __BUPC_ATOMIC(kind, name, T)                                     \
  __BUPC_SHARED_##kind (name, T, _relaxed, shared void *__p, _relaxed)   \
      __BUPC_SHARED_##kind (name, T, _strict, shared void *__p, _strict) \
          __BUPC_ATOMIC_##kind (name, T, _private, void *__p, _relaxed)  \
              __BUPC_ATOMIC_##kind (name, T, _local, void *__p, _relaxed)

#pragma upct extension on
__BUPC_ATOMIC (INTEGER, bupc_atomicI, int)
__BUPC_ATOMIC (INTEGER, bupc_atomicU, unsigned int)
__BUPC_ATOMIC (INTEGER, bupc_atomicUI, unsigned int)
__BUPC_ATOMIC (INTEGER, bupc_atomicL, long)
__BUPC_ATOMIC (INTEGER, bupc_atomicUL, unsigned long)
__BUPC_ATOMIC (INTEGER, bupc_atomicX, long long)
__BUPC_ATOMIC (INTEGER, bupc_atomicUX, unsigned long long)
__BUPC_ATOMIC (INTEGER, bupc_atomicI32, int)
__BUPC_ATOMIC (INTEGER, bupc_atomicU32, unsigned int)
__BUPC_ATOMIC (INTEGER, bupc_atomicI64, long)
__BUPC_ATOMIC (INTEGER, bupc_atomicU64, unsigned long)
__BUPC_ATOMIC (FLOATING, bupc_atomicF, float)
__BUPC_ATOMIC (FLOATING, bupc_atomicD, double)
#pragma upct extension off

#endif
