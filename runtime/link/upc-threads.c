/* The functions with which libraries that are not rewritten (shared ones, or the compiler's own)
   create threads, defined in the program. Each new thread gets its own data beside the private data
   that it shares and, on processors without a second base, the distance to the private data. A
   separate object; for programs without a dynamic linker it is compiled with UPCR_STATIC. */

#include "runtime/libc/libc.h"
#include "runtime/start/start.h"

#ifdef UPCR_STATIC
/* libc's own name; the public one is weak in archives. */
__typeof__ (pthread_create) __pthread_create;

int
upcr_next_pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start) (void *), void *argument)
{
  return __pthread_create (thread, attributes, start, argument);
}
#else
#include <dlfcn.h>

/* A sanitizer that is linked in, rather than a shared library, lets the program define the
   public name. */
__typeof__ (pthread_create) __interceptor_pthread_create __attribute__ ((weak));

int
upcr_next_pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start) (void *), void *argument)
{
  __typeof__ (pthread_create) *next = __interceptor_pthread_create;

  if (!next)
    next = (__typeof__ (next)) dlsym (RTLD_NEXT, "pthread_create");
  return next (thread, attributes, start, argument);
}
#endif

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*start) (void *),
                void *argument)
{
  return upcr_library_pthread_create (thread, attributes, start, argument);
}

int
thrd_create (thrd_t *thread, thrd_start_t start, void *argument)
{
  return upcr_library_thrd_create (thread, start, argument);
}
