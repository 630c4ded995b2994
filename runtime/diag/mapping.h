/* What is mapped at an address of which nothing else is known, from the system's list of
   mappings. */

#ifndef UPCR_MAPPING_H
#define UPCR_MAPPING_H

#include <stddef.h>
#include <stdint.h>

/* Writes `, mapped r-x from libc.so.6`, `, 16 bytes past the end of what is mapped from [heap]`, or
   nothing where no mapping is near. Takes no lock and calls no malloc. */
void upcr_mapping_text (uintptr_t address, char *text, size_t bytes);

#endif
