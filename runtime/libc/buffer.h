/* Memory that a function keeps in each thread that calls it: nothing before the
   first call, freed when the thread ends. */

#ifndef UPCR_LIBC_BUFFER_H
#define UPCR_LIBC_BUFFER_H

#include <stddef.h>

/* Of static __thread storage, zero at first. */
struct upcr_thread_buffer
{
  void *memory;
  size_t bytes;
  struct upcr_thread_buffer *next; /* of this thread, that has memory too */
};

/* Makes it BYTES large and returns it; NULL (ENOMEM) leaves it as it was. */
void *upcr_buffer_resize (struct upcr_thread_buffer *buffer, size_t bytes);

/* For lookups that fail with ERANGE: a first size, then twice as much. */
void *upcr_buffer_grow (struct upcr_thread_buffer *buffer);

#endif
