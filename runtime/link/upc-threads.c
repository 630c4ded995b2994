/* Tells the runtime of every thread of the process: the functions by which shared libraries
   create threads are defined here, and call libc's. An object of its own, for programs with a
   dynamic linker; others have no shared libraries. */

#include "runtime/libc/libc.h"
#include "runtime/start/start.h"

#include <dlfcn.h>
#include <string.h>

/* The names of a sanitizer that is linked in rather than a shared library. It lets the program
   define the public ones. */
#define INTERCEPTOR(name) extern char __interceptor_##name[] __attribute__ ((weak));
#define INTERCEPTED(name)       \
  {                             \
#name, __interceptor_##name \
  }

INTERCEPTOR (pthread_create)
INTERCEPTOR (pthread_join)
INTERCEPTOR (pthread_tryjoin_np)
INTERCEPTOR (pthread_timedjoin_np)
INTERCEPTOR (pthread_clockjoin_np)
INTERCEPTOR (pthread_detach)

void *
upcr_next_function (const char *name)
{
  const struct
  {
    const char *name;
    void *function;
  } intercepted[] = {
    INTERCEPTED (pthread_create),       INTERCEPTED (pthread_join),
    INTERCEPTED (pthread_tryjoin_np),   INTERCEPTED (pthread_timedjoin_np),
    INTERCEPTED (pthread_clockjoin_np), INTERCEPTED (pthread_detach),
  };

  for (size_t i = 0; i < sizeof intercepted / sizeof *intercepted; i++)
    if (intercepted[i].function && strcmp (name, intercepted[i].name) == 0)
      return intercepted[i].function;
  return dlsym (RTLD_NEXT, name);
}

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

int
pthread_join (pthread_t thread, void **result)
{
  return upcr_pthread_join (thread, result);
}

int
pthread_tryjoin_np (pthread_t thread, void **result)
{
  return upcr_pthread_tryjoin_np (thread, result);
}

int
pthread_timedjoin_np (pthread_t thread, void **result, const struct timespec *limit)
{
  return upcr_pthread_timedjoin_np (thread, result, limit);
}

int
pthread_clockjoin_np (pthread_t thread, void **result, clockid_t clock,
                      const struct timespec *limit)
{
  return upcr_pthread_clockjoin_np (thread, result, clock, limit);
}

int
pthread_detach (pthread_t thread)
{
  return upcr_pthread_detach (thread);
}

int
thrd_join (thrd_t thread, int *result)
{
  return upcr_thrd_join (thread, result);
}

int
thrd_detach (thrd_t thread)
{
  return upcr_thrd_detach (thread);
}
