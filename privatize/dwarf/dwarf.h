/* Debug and unwind information: what the other folders want of it. */

#ifndef PRIVATIZE_DWARF_DWARF_H
#define PRIVATIZE_DWARF_DWARF_H

#include "privatize/elf/elf.h"

/* A row of the line table where a line begins: a debugger may stop the program there. */
struct line_row
{
  uint32_t section;
  uint64_t offset;
};

struct line_rows
{
  struct line_row *list; /* by section and offset */
  size_t count, capacity;
  bool *is_unknown; /* by section: it has line numbers that cannot be read */
};

/* lines.c */
struct line_rows collect_line_rows (const struct object *object);
/* The index of the first row at or after OFFSET of SECTION. */
size_t find_line_row (const struct line_rows *rows, uint32_t section, uint64_t offset);

/* thunk_frames.c: unwind information for the thunks. */
void add_thunk_frames (struct object *object);
/* unwind_pointers.c: what the unwinder reads stays shared by all threads. */
void copy_unwind_pointers (struct object *object);
/* debug_info.c: where a debugger finds private and shared variables. */
void rewrite_debug_info (struct object *object);

#endif
