/* upct/access.h: access to shared data by compiled UPC programs. The driver includes it before
   the program, and the translator's output calls these functions, which are all inline. It uses
   only builtin types, no other headers, and names that C reserves for implementations. It is C89
   with GNU extensions, so that any -std accepts it. This file has statements and strict
   accesses. upct/pointer.h, upct/arithmetic.h and upct/forall.h have what their names say.

   A relaxed access is a C lvalue of the element's type at an address that these functions
   compute. So the C compiler can do with such loads and stores everything that it does with
   others.

   Block sizes and element sizes are constants in all calls by the translator, so that branches
   on them and divisions by them fold away. Element sizes are those of the ultimate element type,
   and so are the units of indexes and distances.

   A division by THREADS, if that is not a constant, is a multiplication by a reciprocal that the
   runtime keeps (see runtime/host/host.h). */

#ifndef _UPCT_ACCESS_H
#define _UPCT_ACCESS_H
#pragma GCC system_header

#include <upct/clean.h>
#include <upct/copied.h>
#include <upct/lanes.h>
#include <upct/crossing.h>
#include <upct/forall.h>
#include <upct/nest.h>
#include <upct/piece.h>
#include <upct/recent.h>
#include <upct/residue.h>
#include <upct/tabled.h>
#include <upct/window.h>

/* Where no tool and no check looks at the library's calls, copies that are only begun can be done in line. */
#if !defined __UPC_PUPC_INST__ && !defined __UPC_CHECK__ && !defined __UPC_RACE__
#define __UPC_COPIES_AT_ONCE 1
#endif

/* Synchronization statements. */
extern void __upc_notify (int __id);
extern void __upc_wait (int __id);
extern void __upc_barrier (int __id);
extern void __upc_fence (void);
#if defined __STDC_VERSION__ && __STDC_VERSION__ > 201710L
#pragma upct c23
#endif
#ifdef __clang__
#pragma upct clang
#endif
#if defined __AVX2__ || defined __ARM_FEATURE_SVE
#pragma upct masks
#endif

/* The value of a barrier that has none. */
enum
{
  __upc_no_id = -__INT_MAX__ - 1
};

/* The order of the loads and stores of strict accesses. */
enum
{
  __upc_strict = __ATOMIC_SEQ_CST
};

/* Strict accesses: the order of UPC 1.3, 5.1.2.3 is that of a full fence before
   a load, and behind a store; as in runtime/abi/access.h. */
__UPC_INLINE void
__upc_strict_fence (void)
{
#ifdef __UPC_TSAN
  /* ThreadSanitizer does not see fences: every one meets every other here. */
  extern unsigned int __upc_fence_word __asm__("upcr_fence_word");

  __atomic_fetch_add (&__upc_fence_word, 1, __ATOMIC_ACQ_REL);
#else
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
#endif
}

/* Behind a strict store or read-modify-write, which on x86 is a full fence itself. Elsewhere what
   follows it could come before it. */
__UPC_INLINE void
__upc_strict_end (void)
{
#ifndef __x86_64__
  __upc_strict_fence ();
#endif
}

/* Behind a strict read of BYTES at VALUE: where threads exceed CPUs, a loop of such
   reads gives the CPU away (runtime/sync/sync.h). */
extern int __upc_oversubscribed;
extern void __upc_strict_read (unsigned long __value);

__UPC_INLINE void
__upc_saw (const void *__value, unsigned long __bytes)
{
  unsigned long __bits = 0;

  if (__builtin_expect (__atomic_load_n (&__upc_oversubscribed, __ATOMIC_RELAXED), 0))
    {
      __builtin_memcpy (&__bits, __value, __bytes);
      __upc_strict_read (__bits);
    }
}

/* Behind a call that may free shared data: AddressSanitizer is to look again at what it knows. The
   function is one that it always has. */
__UPC_INLINE void
__upc_called (void)
{
#ifdef __UPC_ASAN
  extern int __asan_address_is_poisoned (const volatile void *);

  (void) __asan_address_is_poisoned (0);
#endif
}

#endif
