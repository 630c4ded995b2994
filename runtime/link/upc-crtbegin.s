# First object of a link: the start of the static shared data. The first page
# belongs to nobody, so that offset 0 is null and faults.
	.section upc_shared,"aw",@progbits
	.balign 4096
	.globl __upc_shared_start
__upc_shared_start:
	.zero 4096

# The first thread-local variable of the program, which debug information refers to by its
# offset, 0: how far the thread's private data is from where the debugger has the program.
	.section .tdata,"awT",@progbits
	.balign 8
	.globl upcr_debug_base
	.type upcr_debug_base, @object
	.size upcr_debug_base, 8
upcr_debug_base:
	.quad 0
	.section .note.GNU-stack,"",@progbits
