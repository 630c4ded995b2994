/* The names of entries of .debug_info, which are in the entries or in sections of strings. */

#ifndef PRIVATIZE_DWARF_STRINGS_H
#define PRIVATIZE_DWARF_STRINGS_H

#include "privatize/dwarf/dies.h"

/* The strings of a unit. The relocations of the sections are sorted. */
struct strings
{
  const struct object *object;
  const struct section *info, *offsets; /* .debug_str_offsets, or NULL */
  uint64_t base;                        /* of the unit's there, or UINT64_MAX */
};

/* The name in the symbol table of the variable of DIE, or NULL. */
const char *linkage_name (const struct strings *strings, const struct die *die);

#endif
