/* upc_castable.h: private pointers to other threads' shared objects (UPC 1.3, optional library,
   7.7). For UPC source; C has no shared types. In a program of one process every thread can
   reach every shared object by a private pointer; in one of several processes (upcc
   -fupc-network=mpi), those of the threads of its node. */

#ifndef _UPC_CASTABLE_H
#define _UPC_CASTABLE_H

#ifndef __UPC__
#error upc_castable.h is for UPC source: C has no shared types
#endif

#include <stddef.h>

#ifndef __UPC_CASTABLE__
#define __UPC_CASTABLE__ 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of shared memory. (7.7.2.2) */
#define UPC_CASTABLE_ALL_ALLOC 1    /* of upc_all_alloc */
#define UPC_CASTABLE_GLOBAL_ALLOC 2 /* of upc_global_alloc */
#define UPC_CASTABLE_ALLOC 4        /* of upc_alloc */
#define UPC_CASTABLE_STATIC 8       /* static shared variables */
#define UPC_CASTABLE_ALL 15

typedef struct upc_thread_info_struct
{
  int guaranteedCastable; /* kinds of memory that are always castable */
  int probablyCastable;   /* kinds of memory that may be castable */
  /* Extension: the core and the NUMA node that UPC_BIND=core has bound the thread to, as
     hwloc's logical indexes; -1 if the thread is not bound or they are unknown. */
  int core;
  int numaNode;
} upc_thread_info_t;

/* The address of *PTR, valid for the lifetime of the object, in all threads of the process. Null
   if PTR is null, or if another node has the object. Not collective. (7.7.2.1) */
extern void *upc_cast (const shared void *__ptr);

/* Which shared memory of thread THREADID the calling thread can cast. Not collective. It is an
   error if THREADID is not less than THREADS. (7.7.2.2) */
extern upc_thread_info_t upc_thread_info (size_t __threadid);

#ifdef __cplusplus
}
#endif

#endif
