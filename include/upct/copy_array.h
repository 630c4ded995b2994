/* upct/copy_array.h: the interface between the runtime and loops that make private copies of
   shared arrays (upct/copied.h). */

#ifndef _UPCT_COPY_ARRAY_H
#define _UPCT_COPY_ARRAY_H

#define __UPC_FIRST_READS 1024ul /* before so many nothing is copied */
#define __UPC_NEVER_COPIED (~0ul)

/* What the loop looks at. A compiler keeps it in registers, as nothing has its address. */
typedef struct
{
  char *__at;           /* the copy, or the array itself if that is contiguous; or null */
  unsigned long __left; /* reads until that is asked for */
} __upc_copied;

typedef struct
{
  void *__memory;
  unsigned long __asked; /* reads since the start of the loop, when it is asked for next */
} __upc_copy;

typedef struct
{
  unsigned long __count; /* elements; 0: those of the block of the heap that a pointer leads to */
  unsigned long __block; /* elements in a block of the layout, which is not indefinite */
  unsigned long __bytes; /* of an element */
} __upc_copied_array;

/* Pointers-to-shared by which the loop stores; those of which FORWARD has the bit store nothing before
   where they point. */
typedef struct
{
  const void *__pointers;
  unsigned __count, __forward;
} __upc_stores;

#endif
