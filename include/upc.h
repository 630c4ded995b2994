/* upc.h: the core library of UPC (UPC 1.3, 7.2). For UPC source; C has no shared types.

   A collective function is called by every thread, in the same order as the thread's other
   collective calls, and not between upc_notify and upc_wait. A single-valued argument is
   the same on all threads.

   An error that the runtime detects ends the run with a message that names the function and
   the source line, and exit status 1. With UPC_CHECK=1 in the environment the runtime also
   makes the checks that cost time. */

#ifndef _UPC_H
#define _UPC_H

#ifndef __UPC__
#error upc.h is for UPC source: C has no shared types
#endif

#include <stddef.h>
#include <stdlib.h>
#include <upc_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flushes open streams and ends all threads at once. Not collective. The status of the first
   call is the exit status of the program. (7.2.1) */
extern void upc_global_exit (int __status) __attribute__ ((__noreturn__));

/* Shared memory. Sizes are in bytes. Each function that allocates returns a pointer with
   phase 0, aligned for every type, to memory with indeterminate contents; or a null
   pointer-to-shared if the size is zero or there is not enough memory. */

/* Allocates NBLOCKS blocks of NBYTES bytes, distributed like
   `shared [NBYTES] char[NBLOCKS * NBYTES]` with the first block on thread 0. Not collective:
   each call makes an allocation. (7.2.2.1) */
extern shared void *upc_global_alloc (size_t __nblocks, size_t __nbytes);

/* Same layout as upc_global_alloc. Collective, with single-valued arguments: all threads get
   the same pointer to one allocation. (7.2.2.2) */
extern shared void *upc_all_alloc (size_t __nblocks, size_t __nbytes);

/* Allocates NBYTES bytes with affinity to the calling thread. Not collective. (7.2.2.3) */
extern shared void *upc_alloc (size_t __nbytes);

/* upc_alloc (NBLOCKS * NBYTES). Not collective. UPC 1.0 and 1.1 only; new code calls
   upc_alloc. */
extern shared void *upc_local_alloc (size_t __nblocks, size_t __nbytes);

/* Frees what one of the functions above returned, on any thread. Does nothing if PTR is null.
   Not collective: exactly one thread calls it. It is an error if PTR is not the start of an
   allocated block. (7.2.2.4) */
extern void upc_free (shared void *__ptr);

/* Frees the block at PTR after all threads have entered. Does nothing if PTR is null.
   Collective, with a single-valued argument. Errors as for upc_free. A program of UPC 1.2, which
   has no such function, may have its own. (7.2.2.5) */
#pragma upct extension on
extern void upc_all_free (shared void *__ptr);
#pragma upct extension off

/* Fields of a pointer-to-shared. Not collective. All fields of a null pointer are 0. (7.2.3) */

/* The thread that *PTR has affinity to. (7.2.3.1) */
extern size_t upc_threadof (shared void *__ptr);

/* The position of *PTR within its block, in elements. (7.2.3.2) */
extern size_t upc_phaseof (shared void *__ptr);

/* PTR with phase 0. (7.2.3.3) */
extern shared void *upc_resetphase (shared void *__ptr);

/* The "local address" of *PTR: for elements with affinity to one thread, differences of these
   numbers are distances in bytes. (7.2.3.4) */
extern size_t upc_addrfield (shared void *__ptr);

/* The number of bytes that have affinity to THREADID in a shared object of TOTALSIZE bytes
   with blocks of NBYTES bytes; NBYTES is 0 for an indefinite block size. (7.2.3.5) */
extern size_t upc_affinitysize (size_t __totalsize, size_t __nbytes, size_t __threadid);

/* Locks. They are fair: every waiting thread gets the lock eventually. (7.2.4) */
struct upc_lock_struct;
typedef shared struct upc_lock_struct upc_lock_t;

/* Creates an unlocked lock; null if there is not enough memory. Not collective: each call
   makes a lock. (7.2.4.2) */
extern upc_lock_t *upc_global_lock_alloc (void);

/* Creates an unlocked lock; null if there is not enough memory. Collective: all threads get
   the same lock. (7.2.4.3) */
extern upc_lock_t *upc_all_lock_alloc (void);

/* Waits until the lock is free and acquires it. Not collective. It is an error if the calling
   thread holds the lock. (7.2.4.6) */
extern void upc_lock (upc_lock_t *__ptr);

/* Acquires the lock if it is free: returns 1 if it did, 0 if another thread holds the lock.
   Not collective. It is an error if the calling thread holds the lock. (7.2.4.7) */
extern int upc_lock_attempt (upc_lock_t *__ptr);

/* Releases the lock. Not collective. It is an error if the calling thread does not hold the
   lock. (7.2.4.8) */
extern void upc_unlock (upc_lock_t *__ptr);

/* Destroys the lock, held or not. Does nothing if PTR is null. Not collective: exactly one
   thread calls it. It is an error if a thread waits for the lock; with UPC_CHECK=1, also if a
   thread holds it. (7.2.4.4) */
extern void upc_lock_free (upc_lock_t *__ptr);

/* Destroys the lock after all threads have entered. Does nothing if PTR is null. Collective,
   with a single-valued argument. Errors as for upc_lock_free. As upc_all_free, it may be the
   program's own. (7.2.4.5) */
#pragma upct extension on
extern void upc_all_lock_free (upc_lock_t *__ptr);
#pragma upct extension off

/* Blocking copies. N is in bytes and may be 0. Each shared range has affinity to one thread,
   whatever the type of the pointer; ranges do not overlap. Not collective. (7.2.5) */

/* Copies N bytes from shared to shared, shared to private, and private to shared memory. */
extern void upc_memcpy (shared void *restrict __dst, shared const void *restrict __src, size_t __n);
extern void upc_memget (void *restrict __dst, shared const void *restrict __src, size_t __n);
extern void upc_memput (shared void *restrict __dst, const void *restrict __src, size_t __n);

/* Stores C, converted to unsigned char, into each of N bytes. */
extern void upc_memset (shared void *__dst, int __c, size_t __n);

/* For loops that wait for another thread's store: lets other threads run if there are more
   threads than CPUs. Not collective. UPC 1.0 only. */
extern void upc_poll (void);

#ifdef __cplusplus
}
#endif

#ifndef BUPC_DISABLE_EXTENSIONS
#include <bupc_extensions.h>
#endif

#endif
