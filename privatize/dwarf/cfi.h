/* Call-frame instructions, written to the end of a section of unwind tables whose CIEs
   have the factors 1 and CFI_DATA_FACTOR. */

#ifndef PRIVATIZE_CFI_H
#define PRIVATIZE_CFI_H

#include "privatize/dwarf/frames.h"

enum
{
  DW_CFA_NOP = 0x00,
  DW_CFA_DEF_CFA = 0x0c,
  CFI_DATA_FACTOR = -8
};

void put_byte (struct section *section, unsigned byte);
void put_number (struct section *section, uint32_t number);
void put_advance (struct section *section, uint64_t bytes);
bool are_same_rules (const struct rules *a, const struct rules *b);
/* True when put_changes can say RULES; compilers make no other ones. */
bool can_say (const struct rules *rules);
/* The instructions from rules FROM to rules TO. */
void put_changes (struct section *section, const struct rules *from, const struct rules *to);

#endif
