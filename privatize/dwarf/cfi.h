/* Call-frame instructions, written to the end of a section of unwind tables whose CIEs
   have the factors 1 and CFI_DATA_FACTOR. */

#ifndef PRIVATIZE_DWARF_CFI_H
#define PRIVATIZE_DWARF_CFI_H

#include "privatize/dwarf/frames.h"

enum
{
  CFI_DATA_FACTOR = -8
};

void put_advance (struct section *section, uint64_t bytes);
bool are_same_rules (const struct rules *a, const struct rules *b);
/* True when put_changes can say RULES; compilers make no other ones. */
bool can_say (const struct rules *rules);
/* The instructions from rules FROM to rules TO. */
void put_changes (struct section *section, const struct rules *from, const struct rules *to);

#endif
