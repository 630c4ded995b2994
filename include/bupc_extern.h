/* bupc_extern.h: UPC for C and C++ code whose main is not UPC's, as Berkeley UPC has it.

   Here such a main is linked as any other: it runs in all UPC threads from the start, with statics of
   their own. So bupc_init has nothing to do, and bupc_init_reentrant calls PMAIN in the UPC thread that
   calls it, and ends the thread with its value.

   The other functions are those of upc.h for code without shared types. */

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

/* MYTHREAD, THREADS, and a variable of the environment. */
int bupc_extern_mythread (void);
int bupc_extern_threads (void);
extern char *bupc_extern_getenv (const char *__name) __asm__("getenv");

/* upc_notify, upc_wait and upc_barrier with the value ID. */
void bupc_extern_notify (int __id);
void bupc_extern_wait (int __id);
void bupc_extern_barrier (int __id);

/* Shared memory: BYTES with affinity to the caller; or collectively BLOCKS of BYTES, of which a
   call returns the address of the caller's own first one. */
void *bupc_extern_alloc (size_t __bytes);
void *bupc_extern_all_alloc (size_t __blocks, size_t __bytes);

/* Frees what bupc_extern_alloc has returned to thread OWNER; for bupc_extern_all_alloc one thread frees,
   and OWNER is 0. */
void bupc_extern_free (void *__address, int __owner);

#ifdef __cplusplus
}
#endif

#endif
