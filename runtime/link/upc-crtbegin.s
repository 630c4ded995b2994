# First object of a link: the start of the static shared data. The first page
# belongs to nobody, so that offset 0 is null and faults.
	.section upc_shared,"aw",@progbits
	.balign 4096
	.globl __upc_shared_start
__upc_shared_start:
	.zero 4096
	.section .note.GNU-stack,"",@progbits
