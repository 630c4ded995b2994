/* Writes DWARF: bytes and numbers at the end of a section. */

#ifndef PRIVATIZE_DWARF_PUT_H
#define PRIVATIZE_DWARF_PUT_H

#include "privatize/elf/elf.h"

void put_byte (struct section *section, unsigned byte);
/* Four bytes. */
void put_number (struct section *section, uint32_t number);
void put_uleb (struct section *section, uint64_t number);
void put_sleb (struct section *section, int64_t number);

#endif
