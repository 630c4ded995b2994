/* upct/clean.h: whether AddressSanitizer would accept all accesses of a strip
   (tools/upc2c/write/outlined.c). Part of upct/access.h.

   Its shadow has a byte for each 8 bytes of memory: 0 if all may be accessed, the number of accessible
   bytes from the first on, or more than 127 for none. The place of the shadow is a part of its binary
   interface. */

#ifndef _UPCT_CLEAN_H
#define _UPCT_CLEAN_H
#pragma GCC system_header

#include <upct/strip.h>

/* Only gcc makes vectors before it puts its checks in, and has nested functions. */
#if defined __SANITIZE_ADDRESS__ && defined __OPTIMIZE__ && !defined __clang__
#pragma upct outline

#ifdef __aarch64__
#define __UPC_ASAN_SHADOW (1ul << 36)
#else
#define __UPC_ASAN_SHADOW 0x7fff8000ul
#endif

typedef unsigned long __upc_shadow_word __attribute__ ((__may_alias__, __aligned__ (1)));

/* From __LOW to __HIGH, included: what may be accessed, as long as nothing more is poisoned. */
typedef struct
{
  unsigned long __low, __high;
} __upc_clean_range;

enum
{
  __UPC_MOST_AHEAD = 4096
};

#define __UPC_OF_SHADOW static __inline__ __attribute__ ((__unused__, __no_sanitize__ ("address")))

/* Whether the bytes from LOW to HIGH may be accessed. */
__UPC_OF_SHADOW __attribute__ ((__noinline__)) int
__upc_are_all_clean (unsigned long __low, unsigned long __high)
{
  const signed char *__unit = (const signed char *) ((__low >> 3) + __UPC_ASAN_SHADOW);
  const signed char *__end = (const signed char *) ((__high >> 3) + __UPC_ASAN_SHADOW);
  unsigned long __last;

  for (; __end - __unit >= 32; __unit += 32)
    {
      const __upc_shadow_word *__word = (const __upc_shadow_word *) __unit;

      if (__word[0] | __word[1] | __word[2] | __word[3])
        return 0;
    }
  for (; __end - __unit >= 8; __unit += 8)
    if (*(const __upc_shadow_word *) __unit)
      return 0;
  /* Those up to __end, which is the highest byte: little-endian. */
  __last = *(const __upc_shadow_word *) (__end - 7) >> 8 * (7 - (__end - __unit));
  return __last == 0 || (__last << 8 == 0 && (signed char) (__high & 7) < *__end);
}

/* The same. What is in one word is most often clean as a whole. */
__UPC_OF_SHADOW __attribute__ ((__always_inline__)) int
__upc_are_clean (unsigned long __low, unsigned long __high)
{
  return ((__high >> 3) - (__low >> 3) < 8
          && *(const __upc_shadow_word *) ((__low >> 3) + __UPC_ASAN_SHADOW) == 0)
         || __upc_are_all_clean (__low, __high);
}

/* The same of one element. */
__UPC_OF_SHADOW __attribute__ ((__always_inline__)) int
__upc_is_one_clean (const char *__at, unsigned long __bytes)
{
  const unsigned long __low = (unsigned long) __at, __high = __low + __bytes - 1;

  return (*(const signed char *) ((__low >> 3) + __UPC_ASAN_SHADOW) == 0
          && (__bytes == 1 || *(const signed char *) ((__high >> 3) + __UPC_ASAN_SHADOW) == 0))
         || __upc_are_all_clean (__low, __high);
}

/* Whether a strip may be accessed, what is between its elements included: the lowest one is at LOWEST, the highest one, of
   BYTES, at LAST. */
__UPC_OF_SHADOW __attribute__ ((__always_inline__)) int
__upc_is_clean (const char *__lowest, const char *__last, unsigned long __bytes)
{
  return __upc_are_clean ((unsigned long) __lowest, (unsigned long) __last + __bytes - 1);
}

/* Whether COUNT elements of BYTES may be accessed, the first one at FIRST and each BLOCKS blocks of SIZE further, and what is
   between those on each thread. Every THREADS-th one is on the same thread. */
__UPC_OF_SHADOW int
__upc_blocks_are_clean (const char *__first, long __blocks, unsigned long __size,
                        unsigned long __count, unsigned long __bytes)
{
  __upc_block_cursor __a = __upc_block_cursor_at ((unsigned long) __first);
  unsigned long __rounds = __upc_divide_by_threads (__count - 1);
  unsigned long __more = __count - 1 - __rounds * (unsigned long) __upc_threads, __i;

  for (__i = 0; __i < __count && __i < (unsigned long) __upc_threads; __i++)
    {
      long __distance = (long) (__i <= __more ? __rounds : __rounds - 1) * __blocks * (long) __size;

      if (!__upc_are_clean (__a.__at + (unsigned long) (__distance < 0 ? __distance : 0),
                            __a.__at + (unsigned long) (__distance < 0 ? 0 : __distance) + __bytes
                                - 1))
        return 0;
      __upc_block_cursor_advance (&__a, __blocks, __size);
    }
  return 1;
}

/* As far up as all is clean behind HIGH, which is; some BYTES at most. */
__UPC_OF_SHADOW unsigned long
__upc_clean_above (unsigned long __high, unsigned long __bytes)
{
  const signed char *__unit = (const signed char *) ((__high >> 3) + __UPC_ASAN_SHADOW);

  if (*__unit)
    return __high;
  for (__unit++; __bytes >= 64 && !*(const __upc_shadow_word *) __unit; __bytes -= 64)
    __unit += 8;
  return (((unsigned long) __unit - __UPC_ASAN_SHADOW) << 3) - 1;
}

/* The same downwards. */
__UPC_OF_SHADOW unsigned long
__upc_clean_below (unsigned long __low, unsigned long __bytes)
{
  const signed char *__unit = (const signed char *) ((__low >> 3) + __UPC_ASAN_SHADOW);

  for (; __bytes >= 64 && !*(const __upc_shadow_word *) (__unit - 8); __bytes -= 64)
    __unit -= 8;
  return ((unsigned long) __unit - __UPC_ASAN_SHADOW) << 3;
}

/* The same of a strip, of which RANGE has what is known. Of rows that follow each other that is most: what is looked
   at doubles. */
__UPC_OF_SHADOW __attribute__ ((__noinline__)) int
__upc_find_clean (__upc_clean_range *__range, const char *__lowest, const char *__last,
                  unsigned long __bytes)
{
  const unsigned long __low = (unsigned long) __lowest;
  const unsigned long __high = (unsigned long) __last + __bytes - 1;
  unsigned long __reach = __range->__high - __range->__low;

  if (__reach > __UPC_MOST_AHEAD)
    __reach = __UPC_MOST_AHEAD;
  if (__low >= __range->__low && __high > __range->__high && __low <= __range->__high + __reach
      && __upc_are_clean (__range->__high + 1, __high))
    __range->__high = __upc_clean_above (__high, __reach);
  else if (__high <= __range->__high && __low < __range->__low && __high + __reach >= __range->__low
           && __upc_are_clean (__low, __range->__low - 1))
    __range->__low = __upc_clean_below (__low, __reach);
  else if (__low >= __range->__low && __high <= __range->__high)
    return 1;
  else if (!__upc_are_clean (__low, __high))
    return 0;
  else
    *__range = (__upc_clean_range){ __low, __high };
  return 1;
}

#ifdef __UPC_PLUGIN__

/* It does not know how often memory has been poisoned: it looks each time. */
__UPC_OF_SHADOW unsigned long
__upc_count_poisonings (void)
{
  return 0;
}

__UPC_OF_SHADOW int
__upc_is_known_clean (const __upc_clean_range *__range, const char *__lowest, const char *__last,
                      unsigned long __bytes)
{
  (void) __range;
  return __upc_is_clean (__lowest, __last, __bytes);
}

#else

/* Counted behind it (runtime/shared/poison.h). */
extern unsigned long __upc_poisonings;

__UPC_OF_SHADOW __attribute__ ((__always_inline__)) unsigned long
__upc_count_poisonings (void)
{
  return __atomic_load_n (&__upc_poisonings, __ATOMIC_ACQUIRE);
}

/* Whether that is known. */
__UPC_OF_SHADOW __attribute__ ((__always_inline__)) int
__upc_is_known_clean (const __upc_clean_range *__range, const char *__lowest, const char *__last,
                      unsigned long __bytes)
{
  return ((unsigned long) __lowest >= __range->__low)
         & ((unsigned long) __last + __bytes - 1 <= __range->__high);
}

#endif

#endif

#endif
