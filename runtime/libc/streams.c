/* C++'s standard streams, which belong to the process. Each file that includes <iostream> has an
   object whose constructor creates them if nobody has. libstdc++ counts those objects, but the
   second thread does not wait until the first has created the streams.

   A separate file, as are all that need more than libc: it is linked only if it is called. */

#include "runtime/libc/libc.h"

#include <pthread.h>

/* std::ios_base::Init::Init () */
void _ZNSt8ios_base4InitC1Ev (void *self);

void
upcr_ios_init (void *self)
{
  static UPCR_OF_PROCESS pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;

  pthread_mutex_lock (&one_by_one);
  _ZNSt8ios_base4InitC1Ev (self);
  pthread_mutex_unlock (&one_by_one);
}
