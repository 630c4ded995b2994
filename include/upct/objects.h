/* upct/objects.h: records of static shared objects, for messages, checks and debuggers. Part of
   upct/access.h.

   Each file has one for each object that it defines, in section upc_objects. An object of several
   tentative definitions has several, at one address. */

#ifndef _UPCT_OBJECTS_H
#define _UPCT_OBJECTS_H
#pragma GCC system_header

#include <upct/segment.h>

struct __upc_object
{
  /* Where the linker has put it, at the offset of __upc_shared_start's distance. */
  const volatile void *__image;
  /* Strings, one after the other: its declaration, its file, its name, and the lengths of its
     arrays, such as "[4*THREADS][8]", of which the last one is empty for no array. */
  const char *__text;
  unsigned long __count; /* elements; of all dimensions */
  unsigned long __bytes; /* of an element */
  unsigned long __block; /* elements of a block; 0: all are in one */
  unsigned long __room;  /* bytes of a partition that belong to nobody else, from its start on */
  unsigned int __line;
  unsigned int __times_threads;       /* COUNT is to be multiplied by THREADS */
} __attribute__ ((__aligned__ (64))); /* compilers align what is large, and leave gaps */

/* Behind each piece is then what belongs to nobody. */
#if defined __UPC_ASAN || defined __UPC_CHECK__
#pragma upct red_zones
#endif

#endif
