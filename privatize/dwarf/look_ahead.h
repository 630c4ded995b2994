/* What must be known about the entries of a unit before they are changed. Each function takes a
   copy of the unit, and reads the entries again. */

#ifndef PRIVATIZE_LOOK_AHEAD_H
#define PRIVATIZE_LOOK_AHEAD_H

#include "privatize/dwarf/strings.h"

/* The offsets of the entries that other entries complete. */
struct hash_table *collect_specified (struct unit unit);

/* The offsets of the variables that upc2c has added to functions. Their names are `__upc_`, a word
   and numbers. Debuggers would list them among those of the program. */
struct hash_table *collect_helpers (struct unit unit, const struct strings *strings);
/* Whether DIE, of UNIT, is one of HELPERS, or what an inlined call has in its place. */
bool is_helper (const struct hash_table *helpers, const struct unit *unit, const struct die *die);

#endif
