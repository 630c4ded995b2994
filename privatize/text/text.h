/* Rewriting of instructions and of functions. */

#ifndef PRIVATIZE_TEXT_TEXT_H
#define PRIVATIZE_TEXT_TEXT_H

#include "privatize/elf/elf.h"

/* text.c: has each instruction rewritten that reaches private data. */
void rewrite_text (struct object *object);
/* thunk_names.c: local symbols for the thunks of each function. */
void name_thunks (struct object *object);
/* ifunc.c: resolvers that need a thread are asked by each. */
void rewrite_ifuncs (struct object *object);

#endif
