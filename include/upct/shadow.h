/* upct/shadow.h: the shadow of the shared segment, as programs with checked accesses read it
   (-fupc-check). The runtime writes the shadow (runtime/shared/checked.h).

   One byte shadows __UPC_SHADOW_UNIT bytes of a partition. It says how many of them a program may access
   and, if that is all of them, for how many units from there on that is so. So one byte answers for a
   structure, or for a strip of some kilobytes. The shadow is readable wherever a partition has memory, as
   far as offsets go. */

#ifndef _UPCT_SHADOW_H
#define _UPCT_SHADOW_H
#pragma GCC system_header

#include <upct/segment.h>

#define __UPC_SHADOW_UNIT 16
/* How many bytes before what is accessed a check may look at. */
#define __UPC_LOOK_BEFORE 64
#define __UPC_SHADOW_STRIDE (__UPC_STRIDE / __UPC_SHADOW_UNIT)
/* Below the segment, for as many threads as there can be. */
#define __UPC_SHADOW_BASE (__UPC_SEGMENT_BASE - (1ul << __UPC_THREAD_BITS) * __UPC_SHADOW_STRIDE)

enum
{
  __upc_shadow_nobody = 0,   /* no object */
  __upc_shadow_freed = 1,    /* of a block that was freed */
  __upc_shadow_front = 2,    /* red zone in front of a block */
  __upc_shadow_behind = 3,   /* red zone behind a block or a static object */
  __upc_shadow_part = 0x10,  /* plus N: the first N bytes, 1 to 15, are an object's */
  __upc_shadow_whole = 0x20, /* plus N: all bytes of this unit and of the next N are an object's */
  __upc_shadow_most = 0xff   /* such a one: they are at least as many */
};

/* How many bytes of the unit with this SHADOW byte belong to an object, from its first one on. */
#define __UPC_SHADOW_BYTES(__shadow)                                \
  ((__shadow) >= __upc_shadow_whole ? __UPC_SHADOW_UNIT             \
   : (__shadow) > __upc_shadow_part ? (__shadow) -__upc_shadow_part \
                                    : 0)

/* Ends the run: it says which object an access of BYTES at OFFSET of the partition of thread OWNER
   misses, and how. WHAT is the access, such as "read of a[i]", and FILE NULL where its line is not
   known. A program that refers to this function has a checked heap. */
extern void __upc_bad_access (unsigned long __owner, unsigned long __offset, unsigned long __bytes,
                              const char *__what, const char *__file, int __line)
    __attribute__ ((__noreturn__, __cold__));

#endif
