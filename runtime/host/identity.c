/* The identity of a thread and its place in the source: variables that compiled code and
   messages read. */

#include "runtime/host/host.h"
#include <upct/segment.h>

#include <dlfcn.h>

int THREADS = 1;

/* The name by which objects of upcc read it: a C file may call something of its own THREADS. */
extern int __upc_threads __attribute__ ((alias ("THREADS")));

/* For the access code of compiled programs, which divides by multiplying. */
unsigned long __upc_threads_reciprocal = UPCR_RECIPROCAL (1);

/* And which looks addresses up, where THREADS is a power of two and not large: its logarithm, or 0, and
   where the partitions begin. */
int __upc_threads_log2;
char *__upc_partitions[__UPC_MOST_PARTITIONS];

void
upcr_set_threads (int threads)
{
  THREADS = threads;
  __upc_threads_reciprocal = UPCR_RECIPROCAL (threads);
  __upc_threads_log2 = 0;
  if (threads > __UPC_MOST_PARTITIONS || (threads & (threads - 1)) != 0)
    return;
  __upc_threads_log2 = __builtin_ctz (threads);
  for (int t = 0; t < threads; t++)
    __upc_partitions[t] = (char *) (__UPC_SEGMENT_BASE + t * __UPC_STRIDE);
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

UPCR_PRIVATE int __upc_forall_depth;

int *
upcr_forall_depth (void)
{
  long delta = UPCR_PRIVATE_IN_BLOCKS ? upcr_private_delta : 0;

  return (int *) ((uintptr_t) &__upc_forall_depth + delta);
}
