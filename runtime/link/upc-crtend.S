/* Last object of a link: the end of the static shared data. */
	.section upc_shared,"aw",@progbits
	.globl __upc_shared_end
__upc_shared_end:
	.section .note.GNU-stack,"",@progbits
