/* Where thunks do the work of a range of the text. */

#ifndef PRIVATIZE_DWARF_PIECES_H
#define PRIVATIZE_DWARF_PIECES_H

#include "privatize/elf/elf.h"

/* Bytes FROM to TO of the thunks. */
struct piece
{
  uint64_t from, to;
};

/* By text section: that of its thunks which are described, or 0. */
uint32_t *collect_thunks (const struct object *object);
/* The first entry of the unwind map of CODE for OFFSET of the text, or for what is after it. */
size_t find_thunk (const struct section *code, uint64_t offset);
/* The next piece for the text up to END, from entry *I on. Thunks that are called have none: a
   debugger is to pass over them. */
bool next_piece (const struct section *code, uint64_t end, size_t *i, struct piece *piece);

#endif
