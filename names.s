	.section .debug_gdb_scripts,"MS",@progbits,1
	.byte 1
	.asciz "/work/wt/h20/build/share/gdb/auto-load/upct-gdb.py"
	.section .note.GNU-stack,"",@progbits
