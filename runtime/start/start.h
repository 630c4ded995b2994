/* The start room: what starts and ends a run. The UPC threads, their private data, the CPUs
   that they are bound to.

   arch, host and diag are below it. */

#ifndef UPCR_START_H
#define UPCR_START_H

#include "runtime/host/host.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- The UPC threads (threads.c) ---- */

/* Runs BODY in every UPC thread, this one being thread 0, with copies of the
   arguments, and returns the status of the run: the first nonzero one in thread
   order. A thread ends when BODY returns or upcr_thread_end is called in it. */
typedef int upcr_thread_body (int argc, char **argv, char **envp);
int upcr_threads_run (upcr_thread_body *body, int argc, char **argv, char **envp);

/* A hook, or NULL. Thread 0 calls it again and again when it has ended and waits for the
   others. */
extern void (*upcr_when_idle) (void);

/* Ends the calling UPC thread with STATUS, from any depth of calls. */
_Noreturn void upcr_thread_end (int status);

/* Is thread 0 a thread of its own, for which the process's initial thread only waits? */
bool upcr_has_separate_thread_0 (void);

/* The thread-local storage of the program and its libraries, which glibc takes out of
   each thread's stack. */
size_t upcr_tls_bytes (void);

/* The function of libc, or of a sanitizer, that a program without upc-threads.o would call;
   that object takes the names of those that create and join threads
   (runtime/link/upc-threads.c). */
void *upcr_next_function (const char *name) __attribute__ ((weak));

/* The same, whether upc-threads.o is linked in or not. */
#define UPCR_NEXT(function) \
  (upcr_next_function ? (__typeof (function) *) upcr_next_function (#function) : function)

/* ---- Memory (memory.c) ---- */

/* End the run with one line where there is too little memory for malloc to work: before its
   first call; and for the threads, when their stacks are there. */
void upcr_require_memory (void);
void upcr_require_memory_for_threads (void);

/* ---- The thread count of the program (pgminfo.c) ---- */

/* The THREADS that objects were compiled for, or 0 when all take any. Ends the
   run when two objects disagree, naming both. */
int upcr_static_threads (void);

/* The same of a section's contents, for tests. */
int upcr_static_threads_of (const char *info, size_t bytes);

/* ---- Binding threads to cores, UPC_BIND=core (bind.c) ---- */

/* Reads the topology; ends the run where that is not possible. */
void upcr_bind_init (void);

/* Binds the calling thread to the core of thread INDEX: core INDEX modulo the
   cores this process may use, in the machine's order. */
void upcr_bind_thread (int index);

/* The core that upcr_bind_thread binds thread INDEX to, and the first NUMA node near it, as
   logical indexes. Left as they are where threads are not bound. */
void upcr_bound_cpu (int index, int *core, int *numa_node);

/* ---- Private data (private.c): the calling thread's copy of the program's private data, as
   far as upc-privatize leaves work for run time ---- */

/* Stores the pointers to private data in the thread's copy, and the results of the resolvers
   of indirect functions. Before it, a pointer initialised with the address of a static is
   null, and such a function cannot be called. */
void upcr_private_fix (void);

/* Runs the constructors in the order of a linker, as libc would. */
void upcr_private_construct (int argc, char **argv, char **envp);

/* Runs the destructors, the last one first. */
void upcr_private_destruct (void);

/* The first two. */
void upcr_private_begin (int argc, char **argv, char **envp);

/* ---- The per-thread bss (bss.c): large zero data of the program. upc-privatize keeps it out
   of the thread-local segment, which libc clears; each thread has zero pages for it at a
   constant offset above its thread pointer ---- */

/* The bytes that must be mapped above the stack of each thread, its thread pointer being
   just below: a multiple of pages, 0 when the program has no per-thread bss. */
size_t upcr_bss_bytes (void);

/* Describes an address where the calling thread's bss would be. Threads that shared
   libraries create have none. See upcr_describe_address. */
int upcr_bss_describe (const void *address, char *buffer, unsigned long bytes);

/* Calls VISIT with each range of memory of the calling thread's private data, and with
   DATA. */
void upcr_each_private_range (void (*visit) (void *start, size_t bytes, void *data), void *data);

/* Tells LeakSanitizer, where it is linked in, that what the calling thread's private data
   points to is in use, even when the thread has ended: a process would not lose its statics
   either. */
void upcr_private_keep (void);

#endif
