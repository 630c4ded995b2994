/* upct/network.h: shared data in programs of several processes (upcc -fupc-network=mpi). The driver
   includes it after upct/access.h. The segment is at the same addresses in all processes. Each process
   has the partitions of its own threads, and of the processes of its node that share memory with it;
   these are neighbours. So an access computes the address as in a program of one process, and then
   tests whether that is near. All accesses of the program go through this test. */

#ifndef _UPCT_NETWORK_H
#define _UPCT_NETWORK_H

/* Where the partitions begin that are near, and their bytes; where those of the process itself do. */
#ifndef __UPC_FIXED
#define __UPC_FIXED
#endif
extern __UPC_FIXED unsigned long __upc_near_start;
extern __UPC_FIXED unsigned long __upc_near_bytes;
extern __UPC_FIXED unsigned long __upc_own_start;
extern __UPC_FIXED unsigned long __upc_own_bytes;

extern void __upc_remote_load (void *__value, const void *__shared, unsigned long __bytes);
extern void __upc_remote_store (void *__shared, const void *__value, unsigned long __bytes);

/* The bits of VALUE that MASK has: of a bit-field's record. */
extern void __upc_store_bits (void *__shared, const void *__value, const void *__mask,
                              unsigned long __bytes);
/* From shared memory to shared memory. */
extern void __upc_transfer (void *__to, const void *__from, unsigned long __bytes);
/* What the thread has stored is there. */
extern void __upc_flush (void);

#ifdef _UPCT_ACCESS_H
#pragma GCC system_header

__UPC_INLINE int
__upc_is_near (const volatile void *__shared)
{
  return (unsigned long) __shared - __upc_near_start < __upc_near_bytes;
}

/* Are all threads of this process, or of others of its node that share memory with it? */
__UPC_INLINE int
__upc_all_are_near (void)
{
  return __upc_near_bytes == (unsigned long) __upc_threads * __UPC_STRIDE;
}

__UPC_INLINE int
__upc_is_own (const volatile void *__shared)
{
  return (unsigned long) __shared - __upc_own_start < __upc_own_bytes;
}

/* What lies in the calling thread's partition where SHARED lies in another one. */
__UPC_INLINE const void *
__upc_own_piece (const void *__shared)
{
  return (const void *) (__UPC_SEGMENT_BASE + (unsigned long) __upc_mythread * __UPC_STRIDE
                         + ((unsigned long) __shared - __UPC_SEGMENT_BASE) % __UPC_STRIDE);
}

/* Is the calling thread the first one of its process? */
__UPC_INLINE int
__upc_is_first_here (void)
{
  return __UPC_SEGMENT_BASE + (unsigned long) __upc_mythread * __UPC_STRIDE == __upc_own_start;
}

__UPC_INLINE void
__upc_load (void *__value, const volatile void *__shared, unsigned long __bytes)
{
  if (__builtin_expect (__upc_is_near (__shared), 1))
    __builtin_memcpy (__value, (const void *) __shared, __bytes);
  else
    __upc_remote_load (__value, (const void *) __shared, __bytes);
}

__UPC_INLINE void
__upc_store (volatile void *__shared, const void *__value, unsigned long __bytes)
{
  if (__builtin_expect (__upc_is_near (__shared), 1))
    __builtin_memcpy ((void *) __shared, __value, __bytes);
  else
    __upc_remote_store ((void *) __shared, __value, __bytes);
}

/* Behind the fence of a strict load, which a loop may repeat until another thread has stored. */
__UPC_INLINE void
__upc_load_strictly (void *__value, const volatile void *__shared, unsigned long __bytes)
{
  __upc_flush ();
  __upc_load (__value, __shared, __bytes);
  __asm__ __volatile__("" : : : "memory");
  if (__bytes <= sizeof (unsigned long))
    __upc_saw (__value, __bytes);
  __upc_strict_fence ();
}

__UPC_INLINE void
__upc_store_strictly (volatile void *__shared, const void *__value, unsigned long __bytes)
{
  __upc_flush ();
  __upc_store (__shared, __value, __bytes);
  __upc_flush ();
}
#endif

#include <upct/atomic_object.h>
#include <upct/batch.h>

#endif
