/* The arch room: what depends on the processor, a folder for each with the same header. All
   other rooms are written in C alone.

   Each arch.h defines, inline:

   upcr_pause ()                       the hint that this is a loop that waits
   upcr_fence_after_rmw ()             a full fence, just after an atomic read-modify-write
   upcr_prefetch (p)                   starts to load the cache line of P
   upcr_counter ()                     the counter that ticks are taken from
   upcr_counter_is_invariant ()        does it run at one rate, the same on all CPUs?
   UPCR_COUNTER_CLOCKSOURCE            the kernel's name for it
   upcr_address_end ()                 where the addresses end that the kernel gives programs
   upcr_race_checked_end ()            and those below that ThreadSanitizer lets shared data have
   upcr_stack_pointer (context)        of the thread that a signal interrupted
   UPCR_OLD_WAITS                      system calls that wait and that newer processors lack
   upcr_has_fast_string_copy ()        is upcr_string_copy as fast as memcpy?
   upcr_string_copy (dst, src, bytes)  by one instruction
   UPCR_PAGE_BYTES                     page.h
   UPCR_PRIVATE_SEGMENT                qualifies declarations of the variables that compiled code
                                       shares with the runtime (runtime/host/private.c),
   UPCR_PRIVATE_STORAGE                and their definitions
   upcr_set_private_base (delta)       from here on private data is DELTA from where the linker has
                                       put it; NULL, or why that cannot be
   upcr_takes_negative_base ()         may DELTA be negative?
   UPCR_PRIVATE_IN_BLOCKS              do those variables lie there, too? A new thread has the
                                       blocks of the one that makes it then
   UPCR_TLS_FIXUPS_OF_IMAGE            does upc-privatize say of thread-local addresses where the
                                       initial values are, not the variables?
   UPCR_WIDE_VECTORS                   target for vectors wider than the least the processor has
   upcr_has_wide_vectors ()            does the CPU have them?  */

#ifndef UPCR_ARCH_H
#define UPCR_ARCH_H

#include "runtime/arch/page.h"

#if defined __x86_64__
#include "runtime/arch/x86_64/arch.h"
#elif defined __aarch64__
#include "runtime/arch/aarch64/arch.h"
#else
#error "UPCT does not know this processor: runtime/arch has no folder for it"
#endif

#endif
