/* Between the files that rewrite debug information. */

#ifndef PRIVATIZE_DWARF_LOCATIONS_H
#define PRIVATIZE_DWARF_LOCATIONS_H

#include "privatize/elf/elf.h"

/* Locations that refer to .debug_addr by an index. */
void rewrite_indexed_locations (struct object *object);

#endif
