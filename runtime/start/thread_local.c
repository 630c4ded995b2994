/* Data of each POSIX thread beside the private data of its UPC thread, which it shares:
   thread-local variables, set by upcr_block_begin_posix_thread.

   Objects of GNU and Clang UPC that were compiled for threads read the variables of
   runtime/host/private.c as TLS; upc-privatize renames them there. */

#include "runtime/arch/arch.h"
#include "runtime/start/start.h"

__thread int upcr_tls_MYTHREAD;
__thread int upcr_tls___upc_forall_depth;
__thread unsigned long upcr_tls___upc_page1_ref = -1ul;
__thread unsigned long upcr_tls___upc_page2_ref = -1ul;
__thread void *upcr_tls___upc_page1_base;
__thread void *upcr_tls___upc_page2_base;

/* Those of upc-crtbegin.o have the addresses that debuggers and rewritten code expect; these are
   for shared libraries, and for programs without it. */
__attribute__ ((weak)) __thread long upcr_debug_base;
#if !UPCR_PRIVATE_IN_BLOCKS
__attribute__ ((weak)) __thread long __upc_private_delta;
#endif
