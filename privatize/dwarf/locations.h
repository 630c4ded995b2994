/* Declarations of the files that rewrite debug information. */

#ifndef PRIVATIZE_DWARF_LOCATIONS_H
#define PRIVATIZE_DWARF_LOCATIONS_H

#include "privatize/elf/elf.h"

enum
{
  PRIVATE_LOCATION_BYTES = 9 /* as DW_OP_addr x */
};

/* DW_OP_const4u x, DW_OP_lit0, DW_OP_GNU_push_tls_address, DW_OP_deref, DW_OP_plus: the program's
   first thread-local word (upcr_debug_base) is the distance of the selected thread's x from
   the linker's. */
extern const unsigned char private_location[PRIVATE_LOCATION_BYTES];

/* Whether x is an address of the program, which has 32 bits: compilers also compute with an address less
   a large number. */
bool fits_private_location (const Elf64_Rela *rela);

/* Entries of private variables whose expressions cannot be changed in place, or that are only
   declared. */
void rewrite_private_variables (struct object *object);

#endif
