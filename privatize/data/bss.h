/* The per-thread bss, between the files of this folder. */

#ifndef PRIVATIZE_DATA_BSS_H
#define PRIVATIZE_DATA_BSS_H

#include "privatize/elf/elf.h"

/* Moves the zero data of OBJECT to where plan_bss wants it. */
void move_to_bss (struct object *object);

#endif
