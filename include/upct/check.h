/* upct/check.h: the checks in what upcc -fupc-check compiled. The driver includes it behind
   upct/access.h; for generated code only.

   The index of a declared array is compared with its extent. Where a pointer-to-shared leads is
   looked up in the shadow of the segment (upct/shadow.h). */

#ifndef _UPCT_CHECK_H
#define _UPCT_CHECK_H
#pragma GCC system_header

#include <upct/strip.h>
#include <upct/shadow.h>

#ifndef __UPC_CHECK
#define __UPC_CHECK __UPC_CALL
#endif

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

/* What a partition's stride has beyond any offset. */
#define __UPC_STRIDE_SLACK (__UPC_STRIDE - (1ul << __UPC_PARTITION_BITS))

/* A byte of the shadow, as a type of its own: stores of the program's types do not change it, so that
   compilers look up once what a loop accesses again and again. What may free a block is a call. */
typedef struct
{
  unsigned char __value : 8;
} __upc_shadow_byte;

/* The shadow of ADDRESS. */
__UPC_CHECK const __upc_shadow_byte *
__upc_shadow_of (unsigned long __address)
{
  return (const __upc_shadow_byte *) (__UPC_SHADOW_BASE - __UPC_SEGMENT_BASE / __UPC_SHADOW_UNIT
                                      + __address / __UPC_SHADOW_UNIT);
}

/* Whether UNIT, the shadow of ADDRESS, has BYTES more from there on. One comparison does: no sum is
   larger than what a whole unit has. */
__UPC_CHECK int
__upc_has_bytes (unsigned int __unit, unsigned long __address, unsigned long __bytes)
{
  return __unit >= __upc_shadow_part + __address % __UPC_SHADOW_UNIT + __bytes;
}

/* Whether BYTES from ADDRESS on lie in a block; of more than a unit of the shadow, the first and the
   last byte. Words are aligned, and lie in one unit. Most units are whole: nothing else is asked of
   those. */
__UPC_CHECK int
__upc_is_addressable (unsigned long __address, unsigned long __bytes)
{
  unsigned long __last = __address + __bytes - 1;
  unsigned int __unit = __upc_shadow_of (__address)->__value, __last_unit;

  if (__bytes <= __UPC_SHADOW_UNIT && (__bytes & (__bytes - 1)) == 0)
    return __builtin_expect (__unit == __upc_shadow_whole, 1)
           || __upc_has_bytes (__unit, __address, __bytes);
  __last_unit = __upc_shadow_of (__last)->__value;
  return __builtin_expect ((__unit & __last_unit) == __upc_shadow_whole, 1)
         || (__upc_has_bytes (__unit, __address, 1) && __upc_has_bytes (__last_unit, __last, 1));
}

/* Whether ADDRESS, OFFSET bytes from where a pointer-to-shared leads, may have a shadow. Where a packed
   pointer leads always may. That of a thread that is not there has none: the look-up crashes, and the
   report of the crash names the thread. */
__UPC_CHECK int
__upc_has_shadow (unsigned long __address, long __offset)
{
#ifndef __UPC_PTS_STRUCT__
  if (__builtin_constant_p (__offset) && (unsigned long) __offset < __UPC_STRIDE_SLACK)
    return 1;
#endif
  (void) __offset;
  return __address - __UPC_SEGMENT_BASE < __UPC_STRIDE << __UPC_THREAD_BITS;
}

/* The same as a byte of the shadow, of several: they need not be aligned. */
typedef struct
{
  unsigned short __value : 16;
} __attribute__ ((__packed__)) __upc_shadow_two;

typedef struct
{
  unsigned int __value : 32;
} __attribute__ ((__packed__)) __upc_shadow_four;

/* Whether the UNITS of the shadow from ADDRESS on, 1 to 8, are whole. They are constant: this is one
   comparison. */
__UPC_CHECK int
__upc_is_record (unsigned long __address, unsigned int __units)
{
  const __upc_shadow_byte *__first = __upc_shadow_of (__address), *__end = __first + __units;

  if (__units == 1)
    return __first->__value == __upc_shadow_whole;
  if (__units < 4)
    return (((const __upc_shadow_two *) __first)->__value
            & ((const __upc_shadow_two *) (__end - 2))->__value)
           == 0xffff;
  return (((const __upc_shadow_four *) __first)->__value
          & ((const __upc_shadow_four *) (__end - 4))->__value)
         == ~0u;
}

/* BASE, of which BYTES from OFFSET on are accessed. Where UNITS is not 0 so many units from FIRST on,
   which have these bytes and others of the same record, are looked at before: compilers do so once
   for several accesses. */
__UPC_CHECK void *
__upc_checked (void *__base, long __first, unsigned int __units, long __offset,
               unsigned long __bytes, const char *__what, const char *__file, int __line)
{
  unsigned long __record = (unsigned long) __base + (unsigned long) __first;
  unsigned long __address = (unsigned long) __base + (unsigned long) __offset;

  if (__units > 0
      && __builtin_expect (
          __upc_has_shadow (__record, __first) && __upc_is_record (__record, __units), 1))
    return __base;
  if (__builtin_expect (
          !__upc_has_shadow (__address, __offset) || !__upc_is_addressable (__address, __bytes), 0))
    __upc_access_failed ((const void *) __address, __bytes, __what, __file, __line);
  return __base;
}

/* INDEX of ARRAY, which has COUNT elements. */
__UPC_CHECK long
__upc_index (long __index, unsigned long __count, const char *__array, const char *__file,
             int __line)
{
  if (__builtin_expect ((unsigned long) __index >= __count, 0))
    __upc_index_failed (__index, __count, __array, __file, __line);
  return __index;
}

/* The same for a strip of a loop, in which INDEX moves by STEP: the strip ends before that leaves
   the array. */
__UPC_CHECK void
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
__UPC_CHECK int
__upc_stays_in_bounds (long __index, long __step, unsigned long __iterations, unsigned long __count)
{
  return (unsigned long) __index + (unsigned long) __step * __iterations < __count;
}

/* Whether the units of eight bytes of the shadow are whole. */
__UPC_CHECK int
__upc_are_whole (const unsigned char *__shadow)
{
  unsigned long __eight;

  __builtin_memcpy (&__eight, __shadow, sizeof __eight);
  return __eight == ~0ul;
}

/* Whether all units of the shadow from FROM up to END, which are in one partition, are whole. There
   are eight or more. */
__UPC_CHECK int
__upc_is_whole (unsigned long __from, unsigned long __end)
{
  const unsigned char *__shadow = (const unsigned char *) __upc_shadow_of (__from);
  const unsigned char *__behind = (const unsigned char *) __upc_shadow_of (__end);

  if (__from - __UPC_SEGMENT_BASE >= __UPC_STRIDE << __UPC_THREAD_BITS)
    return 0;
  for (; __behind - __shadow >= 32; __shadow += 32)
    if (!(__upc_are_whole (__shadow) & __upc_are_whole (__shadow + 8)
          & __upc_are_whole (__shadow + 16) & __upc_are_whole (__shadow + 24)))
      return 0;
  for (; __behind - __shadow >= 8; __shadow += 8)
    if (!__upc_are_whole (__shadow))
      return 0;
  /* The rest, and some of what was looked at. */
  return __upc_are_whole (__behind - 8);
}

/* Whether the first UNITS + 1 units of the shadow of ADDRESS, eight at most, are whole. */
__UPC_CHECK int
__upc_are_first_whole (unsigned long __address, unsigned long __units)
{
  unsigned long __eight;

  __builtin_memcpy (&__eight, __upc_shadow_of (__address), sizeof __eight);
  /* 56 - 8 * __units, in one instruction less. */
  return ~__eight << (8 * __units ^ 56) == 0;
}

/* Whether the bytes from LOW to HIGH, the last one, lie in one block. */
static __inline__ __attribute__ ((__noinline__, __unused__)) int
__upc_is_range (unsigned long __low, unsigned long __high)
{
  unsigned long __units = __high / __UPC_SHADOW_UNIT - __low / __UPC_SHADOW_UNIT;

  if (__units >= 8)
    return __upc_is_whole (__low, __high) && __upc_is_addressable (__high, 1);
  return __upc_is_addressable (__high, 1)
         && (__units == 0 || __upc_are_first_whole (__low, __units - 1));
}

/* The same. Most are short, and have whole units alone. */
__UPC_CHECK int
__upc_is_likely_range (unsigned long __low, unsigned long __high)
{
  unsigned long __units = __high / __UPC_SHADOW_UNIT - __low / __UPC_SHADOW_UNIT;

  return (__units < 8 && __builtin_expect (__upc_are_first_whole (__low, __units), 1))
         || __upc_is_range (__low, __high);
}

/* As many accesses of BYTES as are LEFT, from ADDRESS on by STRIDE. */
static __attribute__ ((__noinline__, __unused__, __cold__)) void
__upc_each_checked (const char *__address, long __stride, unsigned long __left,
                    unsigned long __bytes, const char *__what, const char *__file, int __line)
{
  for (; __left > 0; __left--, __address += __stride)
    __upc_checked ((void *) __address, 0, 0, 0, __bytes, __what, __file, __line);
}

/* The accesses of a strip: as many of BYTES as are LEFT, from ADDRESS on by STRIDE. What is between
   them is looked at first, all at once. */
__UPC_CHECK void
__upc_strip_checked (const char *__address, long __stride, unsigned long __left,
                     unsigned long __bytes, const char *__what, const char *__file, int __line)
{
  unsigned long __first = (unsigned long) __address;
  unsigned long __last = __first + (__left - 1) * (unsigned long) __stride;
  unsigned long __low = __stride < 0 ? __last : __first, __high = __stride < 0 ? __first : __last;

  if (__builtin_expect (!__upc_has_shadow (__first, 0)
                            || !__upc_is_likely_range (__low, __high + __bytes - 1),
                        0))
    __upc_each_checked (__address, __stride, __left, __bytes, __what, __file, __line);
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
__UPC_CHECK __upc_pts
__upc_in_phase (__upc_pts __p, unsigned long __block, const char *__type, const char *__file,
                int __line)
{
  if (__builtin_expect (__upc_phase (__p) >= __block, 0))
    __upc_phase_failed (__upc_phase (__p), __block, __type, __file, __line);
  return __p;
}

#endif
