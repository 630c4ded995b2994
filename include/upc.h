/* upc.h: the core library of UPC (UPC 1.3, section 7.2). For UPC source; C has no
   shared types.

   Where a function is collective, every thread must call it, in the same order as
   its other collective calls, and not between upc_notify and upc_wait. Wrong use
   that the runtime finds ends the run with one line that names the place, and
   exit status 1. */

#ifndef _UPC_H
#define _UPC_H

#ifndef __UPC__
#error upc.h is for UPC source: C has no shared types
#endif

#include <stddef.h>
#include <upc_types.h>

/* Ends all threads at once; open streams are flushed. Any thread may call it; the
   status of the first call is the status of the run. (7.2.1) */
extern void upc_global_exit (int __status) __attribute__ ((__noreturn__));

/* Shared memory. A null pointer-to-shared where there is no memory or the size is
   zero; else aligned for every type, with phase 0. Contents are indeterminate. */

/* NBLOCKS blocks of NBYTES bytes dealt out from thread 0 on, as `shared [NBYTES]
   char[NBLOCKS * NBYTES]`. Not collective: each call is an allocation of its own.
   (7.2.2.1) */
extern shared void *upc_global_alloc (size_t __nblocks, size_t __nbytes);

/* The same, collective and with the same arguments on all threads: one allocation,
   one pointer. (7.2.2.2) */
extern shared void *upc_all_alloc (size_t __nblocks, size_t __nbytes);

/* NBYTES bytes with affinity to the calling thread. Not collective. (7.2.2.3) */
extern shared void *upc_alloc (size_t __nbytes);

/* upc_alloc of NBLOCKS * NBYTES bytes; of UPC 1.0 and 1.1. */
extern shared void *upc_local_alloc (size_t __nblocks, size_t __nbytes);

/* Frees what any of them returned, whichever thread called it; null is nothing.
   One thread calls it. A pointer that is no block, or was freed, is an error.
   (7.2.2.4) */
extern void upc_free (shared void *__ptr);

/* The same, collective: the block lives until all threads have entered. (7.2.2.5) */
extern void upc_all_free (shared void *__ptr);

/* Parts of a pointer-to-shared. Of a null pointer all are 0. (7.2.3) */

/* The thread that PTR's object has affinity to. */
extern size_t upc_threadof (shared void *__ptr);

/* The position within the block, in elements. */
extern size_t upc_phaseof (shared void *__ptr);

/* PTR with phase 0. */
extern shared void *upc_resetphase (shared void *__ptr);

/* The "local address": differences between elements of one thread are distances in
   bytes. */
extern size_t upc_addrfield (shared void *__ptr);

/* How many of the TOTALSIZE bytes of a shared object with blocks of NBYTES bytes
   (0: indefinite) have affinity to THREADID. */
extern size_t upc_affinitysize (size_t __totalsize, size_t __nbytes, size_t __threadid);

/* Locks. Waiting is fair; a lock that its holder takes again, or that another
   thread releases, is an error. (7.2.4) */
struct upc_lock_struct;
typedef shared struct upc_lock_struct upc_lock_t;

/* A new lock, unlocked; each call makes one. */
extern upc_lock_t *upc_global_lock_alloc (void);

/* The same, collective: one lock for all threads. */
extern upc_lock_t *upc_all_lock_alloc (void);

/* Waits until the lock is free and takes it. */
extern void upc_lock (upc_lock_t *__ptr);

/* Takes the lock if it is free. 1: taken; 0: another thread has it. */
extern int upc_lock_attempt (upc_lock_t *__ptr);

/* Releases a lock that the calling thread holds. */
extern void upc_unlock (upc_lock_t *__ptr);

/* Ends a lock, held or not; null is nothing. One thread calls it. Threads that
   wait for it make it an error; with UPC_CHECK=1 in the environment so does one
   that holds it. */
extern void upc_lock_free (upc_lock_t *__ptr);

/* The same, collective: the lock lives until all threads have entered. */
extern void upc_all_lock_free (upc_lock_t *__ptr);

/* Copies of N bytes from SRC to DST, which may be none; upc_memset stores C, as an unsigned char,
   in each of N bytes. Each shared range has affinity to one thread, whatever the pointer's
   type, and ranges do not overlap. (7.2.5) */
extern void upc_memcpy (shared void *restrict __dst, shared const void *restrict __src, size_t __n);
extern void upc_memget (void *restrict __dst, shared const void *restrict __src, size_t __n);
extern void upc_memput (shared void *restrict __dst, const void *restrict __src, size_t __n);
extern void upc_memset (shared void *__dst, int __c, size_t __n);

/* For loops that wait for another thread's store: where CPUs are short it lets other
   threads run. Of UPC 1.0. */
extern void upc_poll (void);

#endif
