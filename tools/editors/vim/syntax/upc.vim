" The words of UPC, beside those of C.
if exists("b:current_syntax")
  finish
endif
runtime! syntax/c.vim

syn keyword upcStorage    shared strict relaxed
syn keyword upcRepeat     upc_forall
syn keyword upcStatement  upc_barrier upc_notify upc_wait upc_fence
syn keyword upcOperator   upc_blocksizeof upc_elemsizeof upc_localsizeof
syn keyword upcConstant   MYTHREAD THREADS UPC_MAX_BLOCK_SIZE

hi def link upcStorage    StorageClass
hi def link upcRepeat     Repeat
hi def link upcStatement  Statement
hi def link upcOperator   Operator
hi def link upcConstant   Constant

let b:current_syntax = "upc"
