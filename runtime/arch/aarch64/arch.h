/* 64-bit ARM. See runtime/arch/arch.h. */

#ifndef UPCR_ARCH_AARCH64_H
#define UPCR_ARCH_AARCH64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* yield does nothing on processors whose cores have one thread, which are most. isb waits until the
   instructions before it are done, some tens of cycles, about as long as x86-64's pause. */
static inline void
upcr_pause (void)
{
  __asm__ volatile("isb" : : : "memory");
}

/* An exclusive pair orders a load after it with its load only, and a store before it with its store
   only (Arm ARM, B2.3): what a full fence is for, a store before and a load after it, may still
   change places. dmb is what compilers make of atomic_thread_fence, which they refuse to make for
   ThreadSanitizer. */
static inline void
upcr_fence_after_rmw (void)
{
  __asm__ volatile("dmb ish" : : : "memory");
}

/* Not __builtin_prefetch, as on x86-64. */
static inline void
upcr_prefetch (const void *p)
{
  __asm__ volatile("prfm pldl1keep, %0" : : "Q"(*(const char *) p));
}

/* The virtual counter. isb: it would else be read before the instructions in front of it, and
   readings of one thread could go backwards. */
static inline uint64_t
upcr_counter (void)
{
  uint64_t count;

  __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
  return count;
}

#define UPCR_COUNTER_CLOCKSOURCE "arch_sys_counter"

static inline bool
upcr_counter_is_invariant (void)
{
  return true;
}

/* Where a program's addresses end. Sanitizers take it from the stack, too: 39 bits in some kernels and in
   qemu, else 48. */
static inline uintptr_t
upcr_address_end (void)
{
  return 1ul << ((uintptr_t) __builtin_frame_address (0) >> 39 ? 48 : 39);
}

/* Where those end that ThreadSanitizer lets data have near the program. */
static inline uintptr_t
upcr_race_checked_end (void)
{
  return upcr_address_end () == 1ul << 48 ? 8ul << 30 : 4ul << 30;
}

static inline uintptr_t
upcr_stack_pointer (const ucontext_t *context)
{
  return context->uc_mcontext.sp;
}

enum
{
  UPCR_GENERAL_REGISTERS = 31,
  UPCR_REGISTERS = UPCR_GENERAL_REGISTERS + 2
};

static inline uint64_t
upcr_register (const ucontext_t *context, int i)
{
  if (i < UPCR_GENERAL_REGISTERS)
    return context->uc_mcontext.regs[i];
  return i == UPCR_GENERAL_REGISTERS ? context->uc_mcontext.sp : context->uc_mcontext.pc;
}

enum
{
  UPCR_RED_ZONE_BYTES = 0
};

/* Linux has them on older processors alone. */
#define UPCR_OLD_WAITS

static inline bool
upcr_has_fast_string_copy (void)
{
  return false;
}

/* Not memcpy: it is a sanitizer's, who may not have begun. */
static inline void
upcr_string_copy (void *dst, const void *src, size_t bytes)
{
  char *to = dst;
  const char *from = src;

  for (; bytes >= 16; bytes -= 16)
    __asm__ volatile("ldp x9, x10, [%1], #16\n\tstp x9, x10, [%0], #16"
                     : "+r"(to), "+r"(from)
                     :
                     : "x9", "x10", "memory");
  for (; bytes; bytes--)
    __asm__ volatile("ldrb w9, [%1], #1\n\tstrb w9, [%0], #1"
                     : "+r"(to), "+r"(from)
                     :
                     : "x9", "memory");
}

/* There is no second base. Private data is reached by way of a thread-local variable; what a
   UPC thread has but once is such a variable itself. */
#define UPCR_PRIVATE_SEGMENT __thread
#define UPCR_PRIVATE_STORAGE __thread
#define UPCR_PRIVATE_IN_BLOCKS 0
#define UPCR_TLS_FIXUPS_OF_IMAGE 1

/* What upc-privatize's code adds (runtime/link/upc-crtbegin.S). */
extern __thread long __upc_private_delta __attribute__ ((visibility ("hidden")));

static inline bool
upcr_takes_negative_base (void)
{
  return true;
}

/* In a program that code has 12 bits for where the variable is, and the words within 2 KiB of it, which linkers do not
   check: a thread-local variable with a large alignment moves them away. */
static inline const char *
upcr_set_private_base (long delta)
{
#ifndef UPCR_LIBRARY
  if ((char *) &__upc_private_delta - (char *) __builtin_thread_pointer () >= 2048)
    return "a thread-local variable of the program has too large an alignment";
#endif
  __upc_private_delta = delta;
  return NULL;
}

#define UPCR_WIDE_VECTORS "+simd"

/* Those of 16 bytes are the widest whose size is known. */
static inline bool
upcr_has_wide_vectors (void)
{
  return false;
}

#endif
