/* x86-64. See runtime/arch/arch.h. */

#ifndef UPCR_ARCH_X86_64_H
#define UPCR_ARCH_X86_64_H

#include <asm/hwcap2.h>
#include <asm/prctl.h>
#include <cpuid.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static inline void
upcr_pause (void)
{
  __builtin_ia32_pause ();
}

/* The instruction was locked, which is a full fence: only the compiler is to be stopped. */
static inline void
upcr_fence_after_rmw (void)
{
  atomic_signal_fence (memory_order_seq_cst);
}

/* Not __builtin_prefetch: gcc takes a function that does nothing else for one without effect,
   and leaves out its calls. */
static inline void
upcr_prefetch (const void *p)
{
  __asm__ volatile("prefetcht0 %0" : : "m"(*(const char *) p));
}

/* Ordered with other readings of the counter, but not with the loads and stores before it:
   waiting for those takes longer than the reading. */
static inline uint64_t
upcr_counter (void)
{
  return __builtin_ia32_rdtsc ();
}

#define UPCR_COUNTER_CLOCKSOURCE "tsc"

static inline bool
upcr_counter_is_invariant (void)
{
  enum
  {
    ADVANCED_POWER_MANAGEMENT = 0x80000007,
    INVARIANT_TSC = 1 << 8
  };
  unsigned a, b, c, d;

  return __get_cpuid (ADVANCED_POWER_MANAGEMENT, &a, &b, &c, &d) && (d & INVARIANT_TSC);
}

static inline uintptr_t
upcr_address_end (void)
{
  return 1ul << 47;
}

static inline uintptr_t
upcr_race_checked_end (void)
{
  return 512ul << 30;
}

static inline uintptr_t
upcr_stack_pointer (const ucontext_t *context)
{
  return context->uc_mcontext.gregs[REG_RSP];
}

/* The registers that the program computes with. */
enum
{
  UPCR_REGISTERS = REG_RIP + 1
};

static inline uint64_t
upcr_register (const ucontext_t *context, int i)
{
  return context->uc_mcontext.gregs[i];
}

/* How far below the stack pointer functions may have data. */
enum
{
  UPCR_RED_ZONE_BYTES = 128
};

#define UPCR_OLD_WAITS SYS_pause, SYS_poll, SYS_select, SYS_epoll_wait,

/* ERMS: leaf 7, EBX bit 9. */
static inline bool
upcr_has_fast_string_copy (void)
{
  unsigned a, b, c, d;

  return __get_cpuid_count (7, 0, &a, &b, &c, &d) && b & 1 << 9;
}

static inline void
upcr_string_copy (void *dst, const void *src, size_t bytes)
{
  __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
}

/* By way of a segment register, which a new thread has from the one that makes it. */
#define UPCR_PRIVATE_SEGMENT __seg_gs
#define UPCR_PRIVATE_STORAGE
#define UPCR_PRIVATE_IN_BLOCKS 1
#define UPCR_TLS_FIXUPS_OF_IMAGE 0

static inline bool
upcr_takes_negative_base (void)
{
  return getauxval (AT_HWCAP2) & HWCAP2_FSGSBASE;
}

/* The kernel takes a base that is an address, wrgsbase any; what is below the program needs a
   negative one. */
static inline const char *
upcr_set_private_base (long delta)
{
  if (delta >= 0)
    return syscall (SYS_arch_prctl, ARCH_SET_GS, delta) == 0 ? NULL : strerror (errno);
  if (!upcr_takes_negative_base ())
    return strerror (EOPNOTSUPP);
  __asm__ volatile("wrgsbase %0" : : "r"(delta));
  return NULL;
}

#define UPCR_WIDE_VECTORS "avx2"

static inline bool
upcr_has_wide_vectors (void)
{
  return __builtin_cpu_supports (UPCR_WIDE_VECTORS);
}

#endif
