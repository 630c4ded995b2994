" :make calls make, or upcc for a file of its own; the messages have gcc's form.
let current_compiler = "upcc"
if !filereadable("Makefile") && !filereadable("makefile")
  CompilerSet makeprg=upcc\ -g\ %:S\ -o\ %:r:S\ $*
endif
CompilerSet errorformat=%E%f:%l:%c:\ fatal\ error:\ %m,%E%f:%l:%c:\ error:\ %m,%W%f:%l:%c:\ warning:\ %m,%I%f:%l:%c:\ note:\ %m,%Eupcc:\ error:\ %m,%-G%.%#
