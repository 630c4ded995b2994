/* Sections of data and symbols: which become private, and what becomes of them. */

#ifndef PRIVATIZE_DATA_DATA_H
#define PRIVATIZE_DATA_DATA_H

#include "privatize/elf/elf.h"

/* classify.c */
void classify_sections (struct object *object);
/* Makes private what points to private data, and so on. */
void propagate_private (struct object *object);

/* symbols.c */
void rename_symbols (struct object *object);
void find_private_symbols (struct object *object);
void mark_private_symbols (struct object *object);

/* apart.c: keeps a definition of SYMBOL's name from the runtime, if the runtime means something
   else by it. In a program of several objects, IS_RENAMED says whether the name may become
   another one in all of them. */
void keep_apart (struct object *object, struct symbol *symbol, bool is_renamed);
/* Whether SYMBOL defines a function that is to replace malloc or its kind. */
bool replaces_allocator (const struct object *object, const struct symbol *symbol);

/* thread_local.c: private sections become sections of thread-local storage. */
void make_thread_local (struct object *object);

/* fixups.c: pointers to private data become entries of a table for the runtime. */
void make_fixups (struct object *object);

/* constructors.c: they become entries of tables for the runtime. */
void collect_constructors (struct object *object);

/* bss.c: lays out the per-thread bss of OBJECTS, one program, if it is to have one, and
   checks the range: nothing may be farther from the thread pointer than code can reach. With
   KNOWS_THREADS the runtime knows the threads of shared libraries. */
void plan_bss (struct object *objects, size_t count, bool knows_threads);

#endif
