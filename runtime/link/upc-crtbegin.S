#include "runtime/arch/page.h"

/* First object of a link: the start of the static shared data. The first page
   belongs to nobody, so that offset 0 is null and faults. */
	.section upc_shared,"aw",@progbits
	.balign UPCR_PAGE_BYTES
	.globl __upc_shared_start
__upc_shared_start:
	.zero UPCR_PAGE_BYTES

/* The first thread-local variable of the program, which debug information refers to by its
   offset, 0: how far the thread's private data is from where the debugger has the program. */
	.section .tdata,"awT",@progbits
	.balign 8
	.globl upcr_debug_base
	.type upcr_debug_base, @object
	.size upcr_debug_base, 8
upcr_debug_base:
	.quad 0
#ifdef __aarch64__
/* How far the thread's private data is from where the linker has put it: code that upc-privatize
   rewrites reads it by its offset from the thread pointer, which must be below 4096. */
	.globl __upc_private_delta
	.hidden __upc_private_delta
	.type __upc_private_delta, @object
	.size __upc_private_delta, 8
__upc_private_delta:
	.quad 0
#endif
	.section .note.GNU-stack,"",@progbits
