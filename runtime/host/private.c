/* The private variables that compiled code shares with the runtime. upc-privatize rewrites this
   file as it does a program, so each UPC thread has them in its private block. On processors
   without a second base (UPCR_PRIVATE_STORAGE) they are thread-local. Other files declare them
   with UPCR_PRIVATE (host.h), which is not included here, as it declares another type. */

#include "runtime/arch/arch.h"

/* Which UPC thread the calling thread belongs to: data in the private block everywhere, for that is
   what objects of C declare. */
int MYTHREAD;

/* Nesting depth of upc_forall, which compiled code saves and restores. */
UPCR_PRIVATE_STORAGE int __upc_forall_depth;

/* The names by which objects of upcc read both. Objects for threads read the others as TLS
   (runtime/start/thread_local.c), and ld lets no symbol be both. */
#if UPCR_PRIVATE_IN_BLOCKS
extern int __upc_mythread __attribute__ ((alias ("MYTHREAD")));
#else
UPCR_PRIVATE_STORAGE int __upc_mythread;
#endif
extern UPCR_PRIVATE_STORAGE int __upc_depth __attribute__ ((alias ("__upc_forall_depth")));

/* The cache that inlined code of GNU and Clang UPC looks into: the two pages that it used
   last (runtime/abi/pointer.c). All ones is no page. */
UPCR_PRIVATE_STORAGE unsigned long __upc_page1_ref = -1ul;
UPCR_PRIVATE_STORAGE unsigned long __upc_page2_ref = -1ul;
UPCR_PRIVATE_STORAGE void *__upc_page1_base;
UPCR_PRIVATE_STORAGE void *__upc_page2_base;

/* Is it between the begin and the end of an access region (runtime/bupc/region.c)? */
UPCR_PRIVATE_STORAGE _Bool upcr_is_in_access_region;

/* Has the UPC thread made other threads? */
UPCR_PRIVATE_STORAGE _Bool upcr_has_threads;

/* From where the linker has put private data to the calling UPC thread's. */
UPCR_PRIVATE_STORAGE long upcr_private_delta;
