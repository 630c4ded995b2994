/* upct/granule.h: the interface between the race detector (runtime/race) and code of upcc
   -fupc-check=race. Part of upct/race.h. */

#ifndef _UPCT_GRANULE_H
#define _UPCT_GRANULE_H
#pragma GCC system_header

/* Accesses are looked at by granules of 8 bytes, and of those at one of MASK + 1, a power of two. Which
   ones these are differs from run to run of granules, and changes with SEED. All threads look at the
   same ones, or no race would have two sides. */
#define __UPC_GRANULE 8
#define __UPC_RUN_BITS 10

extern struct __upc_race_sample
{
  unsigned long __seed;
  unsigned long __mask; /* below 1 << __UPC_RUN_BITS */
} __upc_race_sample;

#define __UPC_RACE_INLINE static __inline__ __attribute__ ((__always_inline__, __unused__))

/* Those of GRANULE's run that are looked at are this one, but for multiples of MASK + 1. */
__UPC_RACE_INLINE unsigned long
__upc_race_chosen (unsigned long __granule)
{
  return ((__granule >> __UPC_RUN_BITS) + __upc_race_sample.__seed) * 0x9e3779b97f4a7c15ul >> 50;
}

__UPC_RACE_INLINE int
__upc_is_chosen (unsigned long __granule)
{
  return ((__granule ^ __upc_race_chosen (__granule)) & __upc_race_sample.__mask) == 0;
}

/* The first one from GRANULE on that is looked at, in its run; or the first one of the next run, looked
   at or not. */
__UPC_RACE_INLINE unsigned long
__upc_race_next (unsigned long __granule)
{
  unsigned long __next = __granule
                         + ((__upc_race_chosen (__granule) - __granule) & __upc_race_sample.__mask);
  unsigned long __end = (__granule | ((1ul << __UPC_RUN_BITS) - 1)) + 1;

  return __next < __end ? __next : __end;
}

/* An access of BYTES at ADDRESS. SITE is two strings, one behind the other: the source line, such as
   "f.upc:7", and the C. */
extern void __upc_race_access (const volatile void *__address, unsigned long __bytes,
                               int __is_write, const char *__site);

/* LEFT accesses of BYTES each, by STRIDE from ADDRESS on. */
extern void __upc_race_strip (const char *__address, long __stride, unsigned long __left,
                              unsigned long __bytes, int __is_write, const char *__site);

/* What the thread did before is ordered before what another one does behind its next
   __upc_race_acquire. */
extern void __upc_race_release (void);
extern void __upc_race_acquire (void);

#endif
