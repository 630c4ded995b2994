/* The start room: the start and the end of a run. The UPC threads, their private data, the CPUs
   that they are bound to.

   The rooms below it are arch, host and diag. */

#ifndef UPCR_START_H
#define UPCR_START_H

#include "runtime/host/host.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- The UPC threads (threads.c) ---- */

/* Runs BODY in every UPC thread, this one being thread 0, with copies of the
   arguments, and returns the status of the run: the first nonzero one in thread
   order. A thread ends when BODY returns or upcr_thread_end is called in it. */
typedef int upcr_thread_body (int argc, char **argv, char **envp);
int upcr_threads_run (upcr_thread_body *body, int argc, char **argv, char **envp);

/* The same in parts, for a process whose main is not UPC's: BODY runs in threads 1 and up. Thread 0
   is whatever thread of the process is between upcr_thread_0_enter and upcr_thread_0_leave; its
   private data is what all of them see. */
void upcr_threads_start (upcr_thread_body *body, int argc, char **argv, char **envp);
void upcr_thread_0_enter (void);
void upcr_thread_0_leave (void);
/* Waits for the end of the others. */
int upcr_threads_await (void);

/* Set in such a process: the end of a UPC thread before the others is the end of all. */
extern bool upcr_is_hosted;

/* In a process that was forked after the start there are no other threads. */
bool upcr_is_forked (void);

/* A hook, or NULL. Thread 0 calls it again and again when it has ended and waits for the
   others. */
extern void (*upcr_when_idle) (void);

/* The calling POSIX thread ends its UPC thread, whose first one it need not be. The first call
   of a UPC thread returns, and so do later ones in the same POSIX thread; any other waits for
   the end of the process. */
void upcr_thread_claim_end (void);

/* Ends the calling UPC thread with STATUS, from any depth of calls. Its other POSIX threads go on
   until the process ends or they enter a call of the runtime that may wait for other UPC
   threads. */
_Noreturn void upcr_thread_end (int status);

/* How many POSIX threads are left of UPC threads that another than their first one has ended.
   Nobody waits for them. Written before the end, read after it. */
extern _Atomic int upcr_left_threads;

/* How many threads the runtime has made for itself. They wake nobody. Incremented when they are
   there. */
extern _Atomic int upcr_helper_threads;

/* The thread-local storage of the program and its libraries, which glibc takes out of
   each thread's stack. */
size_t upcr_tls_bytes (void);

/* Where upc-threads.o is linked in, which takes the name pthread_create for the threads of shared
   libraries (runtime/link/upc-threads.c): libc's, or a sanitizer's. */
int upcr_next_pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                              void *(*start) (void *), void *argument) __attribute__ ((weak));

/* The same in any program. */
static inline int
upcr_create_posix_thread (pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start) (void *), void *argument)
{
  return (upcr_next_pthread_create ? upcr_next_pthread_create : pthread_create) (thread, attributes,
                                                                                 start, argument);
}

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

/* ---- Private data: blocks (block.c) ---- */

/* Makes the blocks of threads 1 to THREADS - 1, in place of those there are. Ends the run where
   there is no memory for them. */
void upcr_blocks_map (int threads);

/* Makes the calling POSIX thread, and those that it makes, belong to UPC thread INDEX. Private
   data has its initial values from here on; in thread 0 it has them anyway. */
void upcr_block_begin (int index);

/* The UPC thread is about to make another POSIX thread: sets upcr_has_threads. */
void upcr_block_share (void);

/* Has any UPC thread of this process done so? */
extern atomic_bool upcr_any_has_threads;

/* By the initial thread, before there are UPC threads: the POSIX threads that it has made are not the program's. */
void upcr_block_disown (void);

/* The UPC thread that a POSIX thread belongs to: what the one that makes another hands on. */
struct upcr_owner
{
  int index;
  long delta; /* of its block */
};

struct upcr_owner upcr_block_owner (void);

/* Makes the calling POSIX thread one of OWNER's, and sets what it has of its own (thread_local.c).
   Until then it has no private data where the processor's base is not inherited. */
void upcr_block_begin_posix_thread (struct upcr_owner owner);

extern __thread int upcr_tls_MYTHREAD;

/* What debuggers add to the address that the linker has given a private variable, to find that
   of the thread. */
extern __thread long upcr_debug_base;

/* Calls VISIT with each range of memory of the calling thread's block, and with ARGUMENT. Thread
   0 has none: its private data is where the program is. */
void upcr_each_private_range (void (*visit) (void *start, size_t bytes, void *argument),
                              void *argument);

/* Where THREAD's private data first has the WORDS at VALUE, behind AFTER if that is not NULL; NULL:
   nowhere. Both addresses are those of thread 0's data. Threads may be writing there. */
const void *upcr_private_find (int thread, const void *after, const uint64_t *value, size_t words);

/* Tells LeakSanitizer, where it is linked in, that what the calling thread's block, and its
   thread-local data of the program, points to is in use, even when the thread has ended: a process
   would not lose its statics either. */
void upcr_private_keep (void);
/* The same of what the BYTES at START point to. */
void upcr_keep_range (const void *start, size_t bytes);

/* Describes an address beside a block. See upcr_describe_address. */
int upcr_block_describe (const void *address, char *buffer, unsigned long bytes);

/* ---- Private data: what runs in each thread (private.c) ---- */

/* Calls the resolvers of indirect functions that use private data. Before it, such a function
   cannot be called. */
void upcr_private_resolve (void);

/* Runs the constructors in the order of a linker, as libc would. */
void upcr_private_construct (int argc, char **argv, char **envp);

/* Runs the destructors, the last one first. */
void upcr_private_destruct (void);

#endif
