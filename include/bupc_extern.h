/* bupc_extern.h: Berkeley UPC's interface for C and C++ code whose main is not UPC's.

   UPCT links such a main like any other: it runs in all UPC threads from the start, each with its own
   statics. So bupc_init does nothing, and bupc_init_reentrant calls PMAIN in the calling UPC thread,
   and ends the thread with the value that PMAIN returns.

   The other functions are those of upc.h, for code without shared types. */

#ifndef _BUPC_EXTERN_H
#define _BUPC_EXTERN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void bupc_init (int *__argc, char ***__argv);
void bupc_init_reentrant (int *__argc, char ***__argv, int (*__pmain) (int, char **))
    __attribute__ ((__noreturn__));
extern void bupc_exit (int __status) __asm__("exit") __attribute__ ((__noreturn__));

/* Return MYTHREAD, THREADS, and a variable of the environment. */
int bupc_extern_mythread (void);
int bupc_extern_threads (void);
extern char *bupc_extern_getenv (const char *__name) __asm__("getenv");

/* upc_notify, upc_wait and upc_barrier with the value ID. */
void bupc_extern_notify (int __id);
void bupc_extern_wait (int __id);
void bupc_extern_barrier (int __id);

/* Allocate shared memory: BYTES with affinity to the caller; or, collectively, BLOCKS blocks of BYTES.
   The second returns the address of the first block that has affinity to the caller. */
void *bupc_extern_alloc (size_t __bytes);
void *bupc_extern_all_alloc (size_t __blocks, size_t __bytes);

/* Frees a block that bupc_extern_alloc returned to thread OWNER. A block of bupc_extern_all_alloc is
   freed by one thread, with OWNER 0. */
void bupc_extern_free (void *__address, int __owner);

#ifdef __cplusplus
}
#endif

#endif
