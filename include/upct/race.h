/* upct/race.h: reports of code of upcc -fupc-check=race to the race detector (runtime/race). The
   driver includes it after upct/access.h; for generated code only.

   Relaxed accesses are reported before they are done. So is everything that orders threads and
   is not a call of the library: strict accesses and C's atomic operations. */

#ifndef _UPCT_RACE_H
#define _UPCT_RACE_H
#pragma GCC system_header

#include <upct/access.h>
#include <upct/granule.h>

/* The same that __upc_race_access does; ADDRESS. */
__UPC_INLINE void *
__upc_race_told (const volatile void *__address, unsigned long __bytes, int __is_write,
                 const char *__site)
{
  unsigned long __first = (unsigned long) __address / __UPC_GRANULE;
  unsigned long __last = ((unsigned long) __address + __bytes - 1) / __UPC_GRANULE;

  if (__first != __last || __builtin_expect (__upc_is_chosen (__first), 0))
    __upc_race_access (__address, __bytes, __is_write, __site);
  return (void *) __address;
}

__UPC_INLINE void *
__upc_race_read (const volatile void *__address, unsigned long __bytes, const char *__site)
{
  return __upc_race_told (__address, __bytes, 0, __site);
}

__UPC_INLINE void *
__upc_race_write (const volatile void *__address, unsigned long __bytes, const char *__site)
{
  return __upc_race_told (__address, __bytes, 1, __site);
}

/* An access by a private pointer, which may be one to shared data. */
__UPC_INLINE void *
__upc_race_private (const volatile void *__address, unsigned long __bytes, int __is_write,
                    const char *__site)
{
  if (__builtin_expect (
          (unsigned long) __address - __UPC_SEGMENT_BASE < __UPC_STRIDE << __UPC_THREAD_BITS, 0))
    __upc_race_told (__address, __bytes, __is_write, __site);
  return (void *) __address;
}

/* The same of a function of C that accesses BYTES. */
__UPC_INLINE void
__upc_race_range (const void *__address, unsigned long __bytes, int __is_write, const char *__site)
{
  if (__bytes > 0)
    __upc_race_private (__address, __bytes, __is_write, __site);
}

/* C's functions of these names. */

__UPC_INLINE void *
__upc_race_memcpy (void *__dst, const void *__src, unsigned long __bytes, const char *__site)
{
  __upc_race_range (__src, __bytes, 0, __site);
  __upc_race_range (__dst, __bytes, 1, __site);
  return __builtin_memcpy (__dst, __src, __bytes);
}

__UPC_INLINE void *
__upc_race_memmove (void *__dst, const void *__src, unsigned long __bytes, const char *__site)
{
  __upc_race_range (__src, __bytes, 0, __site);
  __upc_race_range (__dst, __bytes, 1, __site);
  return __builtin_memmove (__dst, __src, __bytes);
}

__UPC_INLINE void *
__upc_race_memset (void *__dst, int __byte, unsigned long __bytes, const char *__site)
{
  __upc_race_range (__dst, __bytes, 1, __site);
  return __builtin_memset (__dst, __byte, __bytes);
}

__UPC_INLINE int
__upc_race_memcmp (const void *__a, const void *__b, unsigned long __bytes, const char *__site)
{
  __upc_race_range (__a, __bytes, 0, __site);
  __upc_race_range (__b, __bytes, 0, __site);
  return __builtin_memcmp (__a, __b, __bytes);
}

__UPC_INLINE unsigned long
__upc_race_strlen (const char *__text, const char *__site)
{
  unsigned long __bytes = __builtin_strlen (__text);

  __upc_race_range (__text, __bytes + 1, 0, __site);
  return __bytes;
}

__UPC_INLINE char *
__upc_race_strcpy (char *__dst, const char *__src, const char *__site)
{
  __upc_race_range (__dst, __upc_race_strlen (__src, __site) + 1, 1, __site);
  return __builtin_strcpy (__dst, __src);
}

/* The same that __upc_race_strip does. */
__UPC_INLINE void
__upc_race_strip_told (const char *__address, long __stride, unsigned long __left,
                       unsigned long __bytes, int __is_write, const char *__site)
{
  const char *__end = __address + (long) (__left - 1) * __stride;
  unsigned long __first = (unsigned long) (__stride < 0 ? __end : __address) / __UPC_GRANULE;
  unsigned long __last = ((unsigned long) (__stride < 0 ? __address : __end) + __bytes - 1)
                         / __UPC_GRANULE;

  if (__builtin_expect (__upc_race_next (__first) <= __last, 0))
    __upc_race_strip (__address, __stride, __left, __bytes, __is_write, __site);
}

/* Before a strict access, and behind one. */
__UPC_INLINE void
__upc_race_fence (void)
{
  __upc_race_release ();
  __upc_strict_fence ();
  __upc_race_acquire ();
}

/* Behind a strict read. */
__UPC_INLINE void
__upc_race_saw (const void *__value, unsigned long __bytes)
{
  __upc_race_acquire ();
  __upc_saw (__value, __bytes);
}

/* C's atomic operations, in headers of UPC and in the program. They order threads more in the
   detector's eyes than in the program, if they are relaxed: what looks like a race to it is one. */
__UPC_INLINE void
__upc_race_end_order (const char *__nothing)
{
  (void) __nothing;
  __upc_race_acquire ();
}

#define __UPC_ORDERED(operation)                                                               \
  __extension__({                                                                              \
    __attribute__ ((__cleanup__ (__upc_race_end_order), __unused__)) const char __upc_end = 0; \
    __upc_race_release ();                                                                     \
    operation;                                                                                 \
  })

#define __atomic_load_n(...) __UPC_ORDERED (__atomic_load_n (__VA_ARGS__))
#define __atomic_load(...) __UPC_ORDERED (__atomic_load (__VA_ARGS__))
#define __atomic_store_n(...) __UPC_ORDERED (__atomic_store_n (__VA_ARGS__))
#define __atomic_store(...) __UPC_ORDERED (__atomic_store (__VA_ARGS__))
#define __atomic_exchange_n(...) __UPC_ORDERED (__atomic_exchange_n (__VA_ARGS__))
#define __atomic_exchange(...) __UPC_ORDERED (__atomic_exchange (__VA_ARGS__))
#define __atomic_compare_exchange_n(...) __UPC_ORDERED (__atomic_compare_exchange_n (__VA_ARGS__))
#define __atomic_compare_exchange(...) __UPC_ORDERED (__atomic_compare_exchange (__VA_ARGS__))
#define __atomic_add_fetch(...) __UPC_ORDERED (__atomic_add_fetch (__VA_ARGS__))
#define __atomic_sub_fetch(...) __UPC_ORDERED (__atomic_sub_fetch (__VA_ARGS__))
#define __atomic_and_fetch(...) __UPC_ORDERED (__atomic_and_fetch (__VA_ARGS__))
#define __atomic_or_fetch(...) __UPC_ORDERED (__atomic_or_fetch (__VA_ARGS__))
#define __atomic_xor_fetch(...) __UPC_ORDERED (__atomic_xor_fetch (__VA_ARGS__))
#define __atomic_nand_fetch(...) __UPC_ORDERED (__atomic_nand_fetch (__VA_ARGS__))
#define __atomic_fetch_add(...) __UPC_ORDERED (__atomic_fetch_add (__VA_ARGS__))
#define __atomic_fetch_sub(...) __UPC_ORDERED (__atomic_fetch_sub (__VA_ARGS__))
#define __atomic_fetch_and(...) __UPC_ORDERED (__atomic_fetch_and (__VA_ARGS__))
#define __atomic_fetch_or(...) __UPC_ORDERED (__atomic_fetch_or (__VA_ARGS__))
#define __atomic_fetch_xor(...) __UPC_ORDERED (__atomic_fetch_xor (__VA_ARGS__))
#define __atomic_fetch_nand(...) __UPC_ORDERED (__atomic_fetch_nand (__VA_ARGS__))
#define __atomic_test_and_set(...) __UPC_ORDERED (__atomic_test_and_set (__VA_ARGS__))
#define __atomic_clear(...) __UPC_ORDERED (__atomic_clear (__VA_ARGS__))
#define __atomic_thread_fence(...) __UPC_ORDERED (__atomic_thread_fence (__VA_ARGS__))
#define __sync_fetch_and_add(...) __UPC_ORDERED (__sync_fetch_and_add (__VA_ARGS__))
#define __sync_fetch_and_sub(...) __UPC_ORDERED (__sync_fetch_and_sub (__VA_ARGS__))
#define __sync_fetch_and_or(...) __UPC_ORDERED (__sync_fetch_and_or (__VA_ARGS__))
#define __sync_fetch_and_and(...) __UPC_ORDERED (__sync_fetch_and_and (__VA_ARGS__))
#define __sync_fetch_and_xor(...) __UPC_ORDERED (__sync_fetch_and_xor (__VA_ARGS__))
#define __sync_add_and_fetch(...) __UPC_ORDERED (__sync_add_and_fetch (__VA_ARGS__))
#define __sync_sub_and_fetch(...) __UPC_ORDERED (__sync_sub_and_fetch (__VA_ARGS__))
#define __sync_or_and_fetch(...) __UPC_ORDERED (__sync_or_and_fetch (__VA_ARGS__))
#define __sync_and_and_fetch(...) __UPC_ORDERED (__sync_and_and_fetch (__VA_ARGS__))
#define __sync_xor_and_fetch(...) __UPC_ORDERED (__sync_xor_and_fetch (__VA_ARGS__))
#define __sync_bool_compare_and_swap(...) __UPC_ORDERED (__sync_bool_compare_and_swap (__VA_ARGS__))
#define __sync_val_compare_and_swap(...) __UPC_ORDERED (__sync_val_compare_and_swap (__VA_ARGS__))
#define __sync_lock_test_and_set(...) __UPC_ORDERED (__sync_lock_test_and_set (__VA_ARGS__))
#define __sync_lock_release(...) __UPC_ORDERED (__sync_lock_release (__VA_ARGS__))
#define __sync_synchronize(...) __UPC_ORDERED (__sync_synchronize (__VA_ARGS__))

#endif
