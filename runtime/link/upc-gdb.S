/* Tells gdb which script to load for a program (tools/gdb/upct-gdb.py): 1, and the file's name. */
  .section .debug_gdb_scripts, "MS", @progbits, 1
  .byte 1
  .asciz SCRIPT
  .section .note.GNU-stack, "", @progbits
