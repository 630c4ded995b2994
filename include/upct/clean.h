/* upct/clean.h: whether AddressSanitizer would complain of a strip (tools/upc2c/write/outlined.c). Part of
   upct/access.h.

   Its shadow has a byte for 8 bytes of memory: 0, so many of them from the first on that may be accessed,
   or more than 127 for none. Where it lies is a part of its binary interface. */

#ifndef _UPCT_CLEAN_H
#define _UPCT_CLEAN_H
#pragma GCC system_header

#include <upct/segment.h>

/* Only gcc makes vectors before it puts its checks in, and has nested functions. */
#if defined __SANITIZE_ADDRESS__ && defined __OPTIMIZE__ && !defined __clang__
#pragma upct outline

#ifdef __aarch64__
#define __UPC_ASAN_SHADOW (1ul << 36)
#else
#define __UPC_ASAN_SHADOW 0x7fff8000ul
#endif

typedef unsigned long __upc_shadow_word __attribute__ ((__may_alias__, __aligned__ (1)));

/* Whether a strip may be accessed, what is between its elements included: of its first and its last iteration the
   elements of BYTES are at FIRST and LAST, in whatever order. */
static __inline__ __attribute__ ((__always_inline__, __unused__, __no_sanitize__ ("address"))) int
__upc_is_clean (const char *__first, const char *__last, unsigned long __bytes)
{
  unsigned long __low = (unsigned long) (__first < __last ? __first : __last);
  unsigned long __high = (unsigned long) (__first < __last ? __last : __first) + __bytes - 1;
  const signed char *__unit = (const signed char *) ((__low >> 3) + __UPC_ASAN_SHADOW);
  const signed char *__end = (const signed char *) ((__high >> 3) + __UPC_ASAN_SHADOW);

  for (; __end - __unit >= 32; __unit += 32)
    {
      const __upc_shadow_word *__word = (const __upc_shadow_word *) __unit;

      if (__word[0] | __word[1] | __word[2] | __word[3])
        return 0;
    }
  for (; __end - __unit >= 8; __unit += 8)
    if (*(const __upc_shadow_word *) __unit)
      return 0;
  /* Little-endian: the bytes before __end. */
  if (__end > __unit && *(const __upc_shadow_word *) __unit << (64 - 8 * (__end - __unit)))
    return 0;
  return *__end == 0 || (signed char) (__high & 7) < *__end;
}

#endif

#endif
