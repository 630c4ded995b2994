/* Sections of data and symbols: which become private, and how they are changed. */

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

/* got.c: what the GOT is to have an entry for gets a symbol, where linkers look at that alone. */
void name_got_places (struct object *object);

/* groups.c: each section can be dropped, with what is added for it. */
void group_sections (struct object *object);

/* words.c: the private word that holds what WANTED says, for the text of section TEXT. Returns
   its symbol and addend; where such words are thread-local and there is no room, those of the runtime's variable. */
Elf64_Rela find_word (struct object *object, uint32_t text, const Elf64_Rela *wanted);
/* Whether WORD is that variable. */
bool is_delta_word (const struct object *object, const Elf64_Rela *word);

/* fixups.c: a thread-local symbol at the start of SECTION. */
uint32_t tls_symbol (struct object *object, uint32_t section);

/* apart.c: keeps a definition of SYMBOL's name from the runtime, if the runtime means something
   else by it. In a program of several objects, IS_RENAMED says whether the name may become
   another one in all of them. */
void keep_apart (struct object *object, struct symbol *symbol, bool is_renamed);
/* Whether SYMBOL defines a function that is to replace malloc or its kind. */
bool replaces_allocator (const struct object *object, const struct symbol *symbol);

/* tables.c: private sections become entries of a table for the runtime. */
void list_private (struct object *object);

/* fixups.c: pointers to private data become entries of tables for the runtime. */
void make_fixups (struct object *object);

/* constructors.c: they become entries of tables for the runtime. */
void collect_constructors (struct object *object);

/* size.c: ends with a message where the private data of OBJECTS, one program, is more than
   code can reach. */
void check_size (const struct object *objects, size_t count);

#endif
