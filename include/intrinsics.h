/* intrinsics.h: the atomic memory operations of Cray's compilers. For UPC source; C has no shared
   types.

   P points to a long, private or shared, on any thread. A function is the same as the one with the
   suffix _upc. The operations are relaxed; _amo_aflush is a fence. Of a pair, the form af… returns
   the value of *P before the operation, the form a…f the value after it. Not collective.

       add                    *p += v
       and, or, xor           *p op= v
       nand                   *p = ~(*p & v)
       min, max               the smaller, the larger of *p and v
       ax (andm, xorm)        *p = (*p & andm) ^ xorm
       swap (v), cswap (c, v) *p = v; if (*p == c) *p = v

   All are macros that evaluate each argument once. */

#ifndef _INTRINSICS_H
#define _INTRINSICS_H

#ifndef __UPC__
#error intrinsics.h is for UPC source: C has no shared types
#endif

#include <upc.h>

#ifdef __UPC_NETWORK__

/* For memory that may belong to another process. */
#include <upct/atomic_at.h>

__UPC_INLINE long
__amo_get (volatile long *__p)
{
  long __old;

  __upc_atomic_at ((void *) __p, sizeof (long), 0, __UPC_AT_get, &__old, 0, 0, 0);
  return __old;
}

__UPC_INLINE long
__amo_swap (volatile long *__p, long __v)
{
  long __old;

  __upc_atomic_at ((void *) __p, sizeof (long), 0, __UPC_AT_set, &__old, &__v, 0, 0);
  return __old;
}

__UPC_INLINE long
__amo_cswap (volatile long *__p, long __old, long __v)
{
  long __was;

  __upc_atomic_at ((void *) __p, sizeof (long), 0, __UPC_AT_cswap, &__was, &__old, &__v, 0);
  return __was;
}

__UPC_INLINE void
__amo_flush (void)
{
  upc_fence;
}

/* By compare-and-swap: NEW is computed of __old. */
#define __AMO_LOOP(new)                                                   \
  long __old = __amo_get (__p), __was;                                    \
  for (; (__was = __amo_cswap (__p, __old, new)) != __old; __old = __was) \
    ;

#define __AMO_FETCH(name, computed)                                \
  __UPC_INLINE long __amo_f##name (volatile long *__p, long __v)   \
  {                                                                \
    __AMO_LOOP (computed)                                          \
    return __old;                                                  \
  }                                                                \
  __UPC_INLINE long __amo_##name##f (volatile long *__p, long __v) \
  {                                                                \
    long __old = __amo_f##name (__p, __v);                         \
    return computed;                                               \
  }

__AMO_FETCH (add, (long) ((unsigned long) __old + __v))
__AMO_FETCH (and, __old &__v)
__AMO_FETCH (nand, ~(__old &__v))
__AMO_FETCH (or, __old | __v)
__AMO_FETCH (xor, __old ^ __v)

#else

#define __AMO_FETCH(name, operation)                                  \
  __UPC_INLINE long __amo_f##name (volatile long *__p, long __v)      \
  {                                                                   \
    return __atomic_fetch_##operation (__p, __v, __ATOMIC_RELAXED);   \
  }                                                                   \
  __UPC_INLINE long __amo_##name##f (volatile long *__p, long __v)    \
  {                                                                   \
    return __atomic_##operation##_fetch (__p, __v, __ATOMIC_RELAXED); \
  }

__AMO_FETCH (add, add)
__AMO_FETCH (and, and)
__AMO_FETCH (nand, nand)
__AMO_FETCH (or, or)
__AMO_FETCH (xor, xor)

/* By compare-and-swap: NEW is computed of __old. */
#define __AMO_LOOP(new)                                                                          \
  long __old = __atomic_load_n (__p, __ATOMIC_RELAXED);                                          \
  while (!__atomic_compare_exchange_n (__p, &__old, new, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) \
    ;

__UPC_INLINE long
__amo_swap (volatile long *__p, long __v)
{
  return __atomic_exchange_n (__p, __v, __ATOMIC_RELAXED);
}

__UPC_INLINE long
__amo_cswap (volatile long *__p, long __old, long __v)
{
  __atomic_compare_exchange_n (__p, &__old, __v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return __old;
}

__UPC_INLINE void
__amo_flush (void)
{
  upc_fence;
}

#endif

__UPC_INLINE long
__amo_fmin (volatile long *__p, long __v)
{
  __AMO_LOOP (__old < __v ? __old : __v)
  return __old;
}

__UPC_INLINE long
__amo_fmax (volatile long *__p, long __v)
{
  __AMO_LOOP (__old > __v ? __old : __v)
  return __old;
}

__UPC_INLINE long
__amo_minf (volatile long *__p, long __v)
{
  long __old = __amo_fmin (__p, __v);

  return __old < __v ? __old : __v;
}

__UPC_INLINE long
__amo_maxf (volatile long *__p, long __v)
{
  long __old = __amo_fmax (__p, __v);

  return __old > __v ? __old : __v;
}

__UPC_INLINE unsigned long
__amo_fax (volatile long *__p, long __and, long __xor)
{
  __AMO_LOOP ((__old & __and) ^ __xor)
  return __old;
}

/* A cast in the macro itself would be one of the program's to -fupc-check, which wants the object to have affinity to the
   thread: clang does not say what comes from a header's macro. */
__UPC_INLINE volatile long *
__amo_private (volatile void *__p)
{
  return __p;
}

__UPC_INLINE volatile long *
__amo_shared (volatile shared void *__p)
{
  return (volatile long *) (volatile shared long *) __p;
}

#define __AMO_AT(p) \
  (__extension__ _Generic ((p), long *: __amo_private, unsigned long *: __amo_private, \
    volatile long *: __amo_private, volatile unsigned long *: __amo_private,          \
    long long *: __amo_private, unsigned long long *: __amo_private,                  \
    void *: __amo_private, default: __amo_shared) (p))

#define _amo_aadd(p, v) ((void) __amo_fadd (__AMO_AT (p), v))
#define _amo_afadd(p, v) __amo_fadd (__AMO_AT (p), v)
#define _amo_aaddf(p, v) __amo_addf (__AMO_AT (p), v)
#define _amo_afand(p, v) __amo_fand (__AMO_AT (p), v)
#define _amo_aandf(p, v) __amo_andf (__AMO_AT (p), v)
#define _amo_afnand(p, v) __amo_fnand (__AMO_AT (p), v)
#define _amo_anandf(p, v) __amo_nandf (__AMO_AT (p), v)
#define _amo_afor(p, v) __amo_for (__AMO_AT (p), v)
#define _amo_aorf(p, v) __amo_orf (__AMO_AT (p), v)
#define _amo_afxor(p, v) __amo_fxor (__AMO_AT (p), v)
#define _amo_axorf(p, v) __amo_xorf (__AMO_AT (p), v)
#define _amo_aax(p, andm, xorm) ((void) __amo_fax (__AMO_AT (p), andm, xorm))
#define _amo_afax(p, andm, xorm) __amo_fax (__AMO_AT (p), andm, xorm)
#define _amo_aswap(p, v) __amo_swap (__AMO_AT (p), v)
#define _amo_acswap(p, c, v) __amo_cswap (__AMO_AT (p), c, v)
#define _amo_aflush(p) ((void) (p), __amo_flush ())

#define _amo_aadd_upc(p, v) _amo_aadd (p, v)
#define _amo_afadd_upc(p, v) _amo_afadd (p, v)
#define _amo_aaddf_upc(p, v) _amo_aaddf (p, v)
#define _amo_afand_upc(p, v) _amo_afand (p, v)
#define _amo_aandf_upc(p, v) _amo_aandf (p, v)
#define _amo_afnand_upc(p, v) _amo_afnand (p, v)
#define _amo_anandf_upc(p, v) _amo_anandf (p, v)
#define _amo_afor_upc(p, v) _amo_afor (p, v)
#define _amo_aorf_upc(p, v) _amo_aorf (p, v)
#define _amo_afxor_upc(p, v) _amo_afxor (p, v)
#define _amo_axorf_upc(p, v) _amo_axorf (p, v)
#define _amo_aax_upc(p, andm, xorm) _amo_aax (p, andm, xorm)
#define _amo_afax_upc(p, andm, xorm) _amo_afax (p, andm, xorm)
#define _amo_aswap_upc(p, v) _amo_aswap (p, v)
#define _amo_acswap_upc(p, c, v) _amo_acswap (p, c, v)
#define _amo_aflush_upc(p) _amo_aflush (p)
#define _amo_amin_upc(p, v) ((void) __amo_fmin (__AMO_AT (p), v))
#define _amo_afmin_upc(p, v) __amo_fmin (__AMO_AT (p), v)
#define _amo_aminf_upc(p, v) __amo_minf (__AMO_AT (p), v)
#define _amo_amax_upc(p, v) ((void) __amo_fmax (__AMO_AT (p), v))
#define _amo_afmax_upc(p, v) __amo_fmax (__AMO_AT (p), v)
#define _amo_amaxf_upc(p, v) __amo_maxf (__AMO_AT (p), v)

#endif
