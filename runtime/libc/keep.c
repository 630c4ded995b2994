/* Memory of threads, in a list that the end of the thread frees. */

#include "runtime/libc/keep.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#define FIRST_BYTES 1024

static pthread_key_t key;
static int key_error;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread struct upcr_kept *list;

/* Another destructor may call such a function afterwards: it finds nothing kept, and
   glibc runs this again. */
static void
free_list (void *unused)
{
  (void) unused;
  while (list)
    {
      struct upcr_kept *kept = list;
      list = kept->next;
      free (kept->memory);
      *kept = (struct upcr_kept){ 0 };
    }
}

static void
make_key (void)
{
  key_error = pthread_key_create (&key, free_list);
}

void *
upcr_keep (struct upcr_kept *kept, size_t bytes)
{
  void *memory;

  pthread_once (&once, make_key);
  if (!kept->memory && (key_error || pthread_setspecific (key, &list)))
    {
      errno = ENOMEM;
      return NULL;
    }
  memory = realloc (kept->memory, bytes);
  if (!memory)
    return NULL;
  if (!kept->memory)
    {
      kept->next = list;
      list = kept;
    }
  kept->memory = memory;
  kept->bytes = bytes;
  return memory;
}

void *
upcr_keep_more (struct upcr_kept *kept)
{
  return upcr_keep (kept, kept->memory ? 2 * kept->bytes : FIRST_BYTES);
}
