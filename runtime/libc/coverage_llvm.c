/* Coverage of objects compiled by clang --coverage. Each registers a function that adds its
   counters to its file. */

#include "runtime/host/host.h"
#include "runtime/libc/libc.h"

#include <pthread.h>

static UPCR_OF_PROCESS pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;

/* clang's library keeps the file that is being written in variables of its own. */
static void
write_counters (void *write)
{
  pthread_mutex_lock (&one_by_one);
  ((void (*) (void)) write) ();
  pthread_mutex_unlock (&one_by_one);
}

void
upcr_llvm_gcov_init (void (*write) (void), void (*reset) (void))
{
  (void) reset;
  if (upcr_cxa_atexit (write_counters, write, NULL))
    upcr_fatal ("no memory for the coverage of this thread");
}
