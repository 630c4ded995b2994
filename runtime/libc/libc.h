/* Functions of libc that keep state between calls, with that state per
   thread: each UPC thread finds what a process of its own would. upc-privatize gives
   the program's undefined references these names, so shared
   libraries and the runtime itself go on calling libc. Results are those of glibc,
   call by call.

   Threads that the program created have state of their own, too. */

#ifndef UPCR_LIBC_LIBC_H
#define UPCR_LIBC_LIBC_H

#include <aliases.h>
#include <getopt.h>
#include <grp.h>
#include <link.h>
#include <mntent.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pthread.h>
#include <pwd.h>
#include <rpc/netdb.h>
#include <search.h>
#include <shadow.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>

struct gcov_info;

#define FUNCTION(type, name, parameters) type upcr_##name parameters;
#define NAMED(type, symbol, name, parameters) type upcr_##name parameters;
#define VARIABLE(type, name) extern __thread type upcr_##name;
#define COMPILER NAMED
#include "runtime/libc/functions.def"

/* upcr_exit ends the calling UPC thread, after its handlers in reverse order and the
   destructors of its objects: each thread has its handlers, which see its own statics, as in
   a process of its own. The process ends when all threads have. In a thread that the program
   created itself, the process ends.

   upcr_cxa_thread_atexit: as in a process, the destructors of thread_local objects of a thread
   that ends run before its other handlers.

   upcr_pthread_create: threads that the program creates belong to the UPC thread that created
   them. They have its MYTHREAD, and copies of their own of the private data with its initial
   values. Their stacks have space for that besides what the program asked for. */

/* The same for a shared library, whose threads upcr_await_created_threads does not await. */
int upcr_library_pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                                 void *(*start) (void *), void *argument);
int upcr_library_thrd_create (thrd_t *thread, thrd_start_t start, void *argument);

/* Waits until the threads have ended that the calling UPC thread has created: after
   pthread_exit, as a process does then. */
void upcr_await_created_threads (void);

#endif
