/* upc_castable.h: private pointers to other threads' shared objects (UPC 1.3, optional
   library, 7.7). Here every thread can reach every shared object by one. */

#ifndef _UPC_CASTABLE_H
#define _UPC_CASTABLE_H

#ifndef __UPC__
#error upc_castable.h is for UPC source: C has no shared types
#endif

#include <stddef.h>

#ifndef __UPC_CASTABLE__
#define __UPC_CASTABLE__ 1
#endif

/* Kinds of shared memory. */
#define UPC_CASTABLE_ALL_ALLOC 1    /* of upc_all_alloc */
#define UPC_CASTABLE_GLOBAL_ALLOC 2 /* of upc_global_alloc */
#define UPC_CASTABLE_ALLOC 4        /* of upc_alloc */
#define UPC_CASTABLE_STATIC 8       /* static shared variables */
#define UPC_CASTABLE_ALL 15

typedef struct upc_thread_info_struct
{
  int guaranteedCastable; /* kinds of memory that are always castable */
  int probablyCastable;   /* kinds that may be */
  /* Of our own: where UPC_BIND=core has bound the thread, as logical indexes in this
     machine's order; -1 where it has not, or nothing is known. */
  int core;
  int numaNode;
} upc_thread_info_t;

/* The address of *PTR, good for the object's lifetime, in the calling thread and, here,
   any other. A null pointer for a null pointer. (7.7.2.1) */
extern void *upc_cast (const shared void *__ptr);

/* What the calling thread can cast of THREADID's. A THREADID that is no thread is an
   error. (7.7.2.2) */
extern upc_thread_info_t upc_thread_info (size_t __threadid);

#endif
