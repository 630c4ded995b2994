/* Who a thread is and where in the source it stands: variables that compiled code and messages
   read. */

#include "runtime/host/host.h"

#include <dlfcn.h>

int THREADS = 1;

/* The name by which objects of upcc read it: a C file may call something of its own THREADS. */
extern int __upc_threads __attribute__ ((alias ("THREADS")));

/* For the access code of compiled programs, which divides by multiplying. */
unsigned long __upc_threads_reciprocal = UPCR_RECIPROCAL (1);

void
upcr_set_threads (int threads)
{
  THREADS = threads;
  __upc_threads_reciprocal = UPCR_RECIPROCAL (threads);
}

__thread bool upcr_in_upc_thread;
__thread struct upcr_location upcr_here;
__thread const void *upcr_caller;
const char *upcr_program = "upc";

/* Called before a sanitizer has begun, too. */
__attribute__ ((no_sanitize ("address", "thread", "undefined"))) const char *
upcr_own_file (void)
{
#ifdef UPCR_LIBRARY
  Dl_info info;

  if (dladdr (&THREADS, &info))
    return info.dli_fname;
#endif
  return "/proc/self/exe";
}
