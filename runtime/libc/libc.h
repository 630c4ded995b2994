/* Functions of libc that keep state between calls. Here each UPC thread has its own state, as in
   a process of its own. upc-privatize gives these names to the program's undefined references,
   so shared libraries and the runtime itself still call libc. Results are those of glibc, call
   by call.

   upc-privatize rewrites the files of this folder as it does a program: their statics are
   private data, which the threads that a UPC thread creates share. */

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
#define VARIABLE(type, name) extern type upcr_##name;
#define COMPILER NAMED
#include "runtime/libc/functions.def"

/* For a static of this folder that is one for all UPC threads. */
#define UPCR_OF_PROCESS __attribute__ ((section ("upc_process")))

/* upcr_exit ends the UPC thread that the calling thread belongs to, after its handlers in
   reverse order and the destructors of its objects: each UPC thread has its handlers, which see
   its own statics, as in a process of its own. They run in the calling thread. The process ends
   when all UPC threads have.

   upcr_cxa_thread_atexit: as in a process, the destructors of thread_local objects of a thread
   that ends run before its other handlers.

   upcr_pthread_create: threads that the program creates belong to the UPC thread that created
   them, and share its private data. */

/* Runs what upcr_exit does before the end. */
void upcr_run_exit_handlers (int status);

/* The same as upcr_pthread_create for a shared library, whose threads upcr_await_created_threads does
   not await. */
int upcr_library_pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                                 void *(*start) (void *), void *argument);
int upcr_library_thrd_create (thrd_t *thread, thrd_start_t start, void *argument);

/* Waits until the threads have ended that the calling UPC thread has created: after
   pthread_exit, as a process does then. */
void upcr_await_created_threads (void);

/* What a plugin (plugin.h) tells of itself and wants to know, when it is loaded. */
struct upcr_plugin_image
{
  char *shared_start, *shared_end; /* its image of static shared data */
  int *mythread;
  int **depth;
  char **image;  /* from where on distances in the image are offsets */
  int *is_first; /* it stores the initial values of its static shared data */
};

/* Called by plugins' first constructor. */
void upct_plugin_begin (const struct upcr_plugin_image *image);

/* Frees the static shared data of plugins, at the end of the run. A program that opens none does
   without. */
void upcr_plugins_end (void) __attribute__ ((weak));

/* How many threads of the calling UPC thread there are besides its first one. */
int upcr_created_threads (void);

#endif
