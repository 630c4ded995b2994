/* upct/check.h: the checks in what upcc -fupc-check compiled. The driver includes it behind
   upct/access.h; for generated code only.

   The index of a declared array is compared with its extent. Where a pointer-to-shared leads is
   looked up in the shadow of the segment (upct/shadow.h). */

#ifndef _UPCT_CHECK_H
#define _UPCT_CHECK_H
#pragma GCC system_header

#include <upct/strip.h>
#include <upct/shadow.h>

/* Each of these ends the run with one line that begins with FILE and LINE. */

/* INDEX is not below COUNT, the extent of ARRAY. */
extern void __upc_index_failed (long __index, unsigned long __count, const char *__array,
                                const char *__file, int __line)
    __attribute__ ((__cold__, __noreturn__));

/* A pointer-to-shared TYPE to an object of THREAD becomes a private pointer. */
extern void __upc_cast_failed (unsigned long __thread_index, const char *__type, const char *__file,
                               int __line) __attribute__ ((__cold__, __noreturn__));

/* A generic pointer-to-shared with PHASE becomes TYPE, whose blocks have BLOCK elements. */
extern void __upc_phase_failed (unsigned long __phase, unsigned long __block, const char *__type,
                                const char *__file, int __line)
    __attribute__ ((__cold__, __noreturn__));

/* BYTES at ADDRESS may not be accessed. A null pointer-to-shared in the struct form leads to an
   address out of the segment. Each object that is compiled with checks has this function, as it
   refers to one that makes the heap a checked one. */
static __attribute__ ((__noinline__, __used__, __cold__, __noreturn__)) void
__upc_access_failed (const volatile void *__address, unsigned long __bytes, const char *__what,
                     const char *__file, int __line)
{
  unsigned long __at = (unsigned long) __address - __UPC_SEGMENT_BASE;

#ifdef __UPC_PTS_STRUCT__
  if (__at >= (__UPC_STRIDE << __UPC_THREAD_BITS))
    __at += __upc_image ();
#endif
  __upc_bad_access (__at / __UPC_STRIDE, __at % __UPC_STRIDE, __bytes, __what, __file, __line);
}

/* Whether BYTES from ADDRESS on lie in a block; of more than a unit of the shadow, the first and
   the last byte. */
__UPC_INLINE int
__upc_is_addressable (const volatile void *__address, unsigned long __bytes)
{
  unsigned long __at = (unsigned long) __address - __UPC_SEGMENT_BASE;
  unsigned long __end = (unsigned long) __upc_threads * __UPC_STRIDE;
  unsigned long __last = __at + __bytes - 1;
  unsigned long __first_bytes = 1;

  if (__at >= __end)
    return 0;
  /* Words are aligned, and lie in one unit. One comparison does: no sum is larger than
     what a whole unit has. */
  if (__bytes <= __UPC_SHADOW_UNIT && (__bytes & (__bytes - 1)) == 0)
    __first_bytes = __bytes;
  if (*(const unsigned char *) (__UPC_SHADOW_BASE + __at / __UPC_SHADOW_UNIT)
      < __upc_shadow_part + __at % __UPC_SHADOW_UNIT + __first_bytes)
    return 0;
  return __first_bytes == __bytes
         || (__last < __end
             && *(const unsigned char *) (__UPC_SHADOW_BASE + __last / __UPC_SHADOW_UNIT)
                    >= __upc_shadow_part + __last % __UPC_SHADOW_UNIT + 1);
}

/* BASE, of which BYTES from OFFSET on are accessed. */
__UPC_INLINE void *
__upc_checked (void *__base, long __offset, unsigned long __bytes, const char *__what,
               const char *__file, int __line)
{
  const char *__address = (const char *) __base + __offset;

  if (__builtin_expect (!__upc_is_addressable (__address, __bytes), 0))
    __upc_access_failed (__address, __bytes, __what, __file, __line);
  return __base;
}

/* INDEX of ARRAY, which has COUNT elements. */
__UPC_INLINE long
__upc_index (long __index, unsigned long __count, const char *__array, const char *__file,
             int __line)
{
  if (__builtin_expect ((unsigned long) __index >= __count, 0))
    __upc_index_failed (__index, __count, __array, __file, __line);
  return __index;
}

/* The same for a strip of a loop, in which INDEX moves by STEP: the strip ends before that leaves
   the array. */
__UPC_INLINE void
__upc_strip_bounds (unsigned long *__left, long __index, long __step, unsigned long __count,
                    const char *__array, const char *__file, int __line)
{
  unsigned long __at = __upc_index (__index, __count, __array, __file, __line);

  if (__step > 0)
    __upc_strip_limit (__left, (__count - 1 - __at) / (unsigned long) __step + 1);
  else if (__step < 0)
    __upc_strip_limit (__left, __at / -(unsigned long) __step + 1);
}

/* Whether INDEX, which is in bounds, is so after as many ITERATIONS, too. */
__UPC_INLINE int
__upc_stays_in_bounds (long __index, long __step, unsigned long __iterations, unsigned long __count)
{
  return (unsigned long) __index + (unsigned long) __step * __iterations < __count;
}

/* The first address from FROM up to END, which are in one partition, that is in no block; or END. */
static __inline__ __attribute__ ((__noinline__, __unused__)) const char *
__upc_end_of_block (const char *__from, const char *__end)
{
  const unsigned char *__shadow
      = (const unsigned char *) (__UPC_SHADOW_BASE
                                 + ((unsigned long) __from - __UPC_SEGMENT_BASE)
                                       / __UPC_SHADOW_UNIT);
  unsigned long __eight, __step;

  for (__from -= (unsigned long) __from % __UPC_SHADOW_UNIT; __from < __end;
       __from += __step * __UPC_SHADOW_UNIT, __shadow += __step)
    {
      __step = sizeof __eight;
      if (__end - __from >= (long) (__step * __UPC_SHADOW_UNIT))
        {
          __builtin_memcpy (&__eight, __shadow, __step);
          if (__eight == ~0ul)
            continue;
        }
      __step = 1;
      if (*__shadow != __upc_shadow_whole)
        return __from + (*__shadow > __upc_shadow_part ? *__shadow - __upc_shadow_part : 0);
    }
  return __end;
}

/* The accesses of a strip: as many of BYTES as are LEFT, from ADDRESS on by STRIDE. What is between
   them is looked at first, all at once. */
__UPC_INLINE void
__upc_strip_checked (const char *__address, long __stride, unsigned long __left,
                     unsigned long __bytes, const char *__what, const char *__file, int __line)
{
  const char *__last = __address + (long) (__left - 1) * __stride;
  const char *__low = __stride < 0 ? __last : __address;
  const char *__high = (__stride < 0 ? __address : __last) + __bytes;

  __upc_checked ((void *) __address, 0, __bytes, __what, __file, __line);
  if (__high - __low > __UPC_SHADOW_UNIT && __upc_end_of_block (__low, __high) < __high)
    for (; __left > 0; __left--, __address += __stride)
      __upc_checked ((void *) __address, 0, __bytes, __what, __file, __line);
}

/* The cast to a private pointer (UPC 1.3, 6.4.3): undefined for what has affinity to another
   thread. */
__UPC_INLINE void *
__upc_local_checked (__upc_pts __p, const char *__type, const char *__file, int __line)
{
  if (__builtin_expect (!__upc_is_mine (__p), 0) && __upc_is_set (__p))
    __upc_cast_failed (__upc_thread (__p), __type, __file, __line);
  return __upc_local (__p);
}

/* The conversion of a generic pointer-to-shared keeps the phase, which must be one of the new
   type's (UPC 1.3, 6.4.3). */
__UPC_INLINE __upc_pts
__upc_in_phase (__upc_pts __p, unsigned long __block, const char *__type, const char *__file,
                int __line)
{
  if (__builtin_expect (__upc_phase (__p) >= __block, 0))
    __upc_phase_failed (__upc_phase (__p), __block, __type, __file, __line);
  return __p;
}

#endif
