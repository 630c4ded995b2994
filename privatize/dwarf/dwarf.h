/* Debug and unwind information, for the other folders. */

#ifndef PRIVATIZE_DWARF_DWARF_H
#define PRIVATIZE_DWARF_DWARF_H

#include "privatize/elf/elf.h"

/* A row of the line table. */
struct line_row
{
  uint32_t section;
  uint32_t table; /* the section that it is in */
  uint64_t offset;
  uint64_t unit;     /* where its unit begins in the table */
  uint64_t from, to; /* the operation that made it, there */
  uint64_t step;     /* what its unit counts addresses in */
  uint64_t file, line, column;
  bool is_statement; /* a debugger may stop the program there */
  bool begins_line;  /* the first statement of others of its line */
  bool is_repeated;  /* and there are later ones of the same line, by text.c */
  bool ends;         /* the sequence: the code before it has no more lines */
};

struct line_rows
{
  struct line_row *list; /* by section and offset: those that end, then in order of the table */
  size_t count, capacity;
  bool *is_unknown; /* by section: it has line numbers that cannot be read */
};

/* lines.c */
struct line_rows collect_line_rows (const struct object *object);
/* The index of the first row at or after OFFSET of SECTION. */
size_t find_line_row (const struct line_rows *rows, uint32_t section, uint64_t offset);

/* describe.c: whether describe_thunks can describe thunks of OBJECT to a debugger. */
bool can_describe_thunks (struct object *object);
/* Gives the thunks the line numbers, scopes and variables of the code that they do the
   work of. */
void describe_thunks (struct object *object);

/* thunk_frames.c: unwind information for the thunks. */
void add_thunk_frames (struct object *object);
/* unwind_pointers.c: what the unwinder reads stays shared by all threads. */
void copy_unwind_pointers (struct object *object);
/* debug_info.c: where a debugger finds private and shared variables. */
void rewrite_debug_info (struct object *object);

#endif
