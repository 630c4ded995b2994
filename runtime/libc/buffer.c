/* Memory of threads, in a list that the end of the thread frees. */

#include "runtime/libc/buffer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#define FIRST_BYTES 1024

static pthread_key_t key;
static int key_error;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread struct upcr_thread_buffer *list;

/* Another destructor may call such a function afterwards: it finds nothing there, and
   glibc runs this again. */
static void
free_list (void *unused)
{
  (void) unused;
  while (list)
    {
      struct upcr_thread_buffer *buffer = list;
      list = buffer->next;
      free (buffer->memory);
      *buffer = (struct upcr_thread_buffer){ 0 };
    }
}

static void
make_key (void)
{
  key_error = pthread_key_create (&key, free_list);
}

void *
upcr_buffer_resize (struct upcr_thread_buffer *buffer, size_t bytes)
{
  void *memory;

  pthread_once (&once, make_key);
  if (!buffer->memory && (key_error || pthread_setspecific (key, &list)))
    {
      errno = ENOMEM;
      return NULL;
    }
  memory = realloc (buffer->memory, bytes);
  if (!memory)
    return NULL;
  if (!buffer->memory)
    {
      buffer->next = list;
      list = buffer;
    }
  buffer->memory = memory;
  buffer->bytes = bytes;
  return memory;
}

void *
upcr_buffer_grow (struct upcr_thread_buffer *buffer)
{
  return upcr_buffer_resize (buffer, buffer->memory ? 2 * buffer->bytes : FIRST_BYTES);
}
