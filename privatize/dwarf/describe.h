/* Declarations of the files that describe thunks to a debugger. */

#ifndef PRIVATIZE_DWARF_DESCRIBE_H
#define PRIVATIZE_DWARF_DESCRIBE_H

#include "privatize/dwarf/lists.h"
#include "privatize/dwarf/pieces.h"
#include "privatize/dwarf/splice.h"

struct description
{
  struct object *object;
  uint32_t *thunks; /* by text section, as collect_thunks has them */
  struct list_sections sections;
  uint32_t abbreviations; /* .debug_abbrev */
};

/* description.c: without THUNKS. */
struct description open_description (struct object *object);
/* The thunks of the text that PLACE is in, or NULL; sets *INDEX to their section. */
const struct section *thunks_of (const struct description *d, struct place place, uint32_t *index);
/* Calls VISIT for each unit of .debug_info. False when one cannot be read. */
bool for_each_unit (const struct description *d, void *to,
                    void (*visit) (const struct description *d, struct unit *unit, void *to));

/* thunk_lines.c: rows of .debug_line. */
void describe_lines (const struct description *d);
/* thunk_lists.c: entries of the lists of ranges and locations that there are. */
void describe_lists (const struct description *d);
/* thunk_scopes.c: lists of ranges where there was one range. */
void describe_scopes (const struct description *d);
/* thunk_aranges.c: entries of .debug_aranges. */
void describe_aranges (const struct description *d);

#endif
