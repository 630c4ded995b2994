/* The lock of the checked heap. Threads that report errors take it, too. */

#include "runtime/shared/checked.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
upcr_checked_lock (void)
{
  pthread_mutex_lock (&lock);
}

bool
upcr_checked_try_lock (void)
{
  return pthread_mutex_trylock (&lock) == 0;
}

void
upcr_checked_unlock (void)
{
  pthread_mutex_unlock (&lock);
}
