/* Who a thread is and where in the source it stands: variables that compiled code and messages
   read. */

#include "runtime/host/host.h"

int THREADS = 1;
__thread int MYTHREAD;

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

/* Nesting depth of upc_forall, which compiled code saves and restores. */
__thread int __upc_forall_depth;

/* The names by which objects of upcc read both: as TLS. Objects for the process model
   read the others as plain data, and ld lets no symbol be both. */
extern __thread int __upc_mythread __attribute__ ((alias ("MYTHREAD")));
extern __thread int __upc_depth __attribute__ ((alias ("__upc_forall_depth")));

__thread bool upcr_in_upc_thread;
__thread struct upcr_location upcr_here;
__thread const void *upcr_caller;
const char *upcr_program = "upc";
