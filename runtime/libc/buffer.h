/* Memory that a function keeps in each UPC thread that calls it, from the first call to the end
   of the process. */

#ifndef UPCR_LIBC_BUFFER_H
#define UPCR_LIBC_BUFFER_H

#include <stddef.h>

/* Zero at first. */
struct upcr_buffer
{
  void *memory;
  size_t bytes;
};

/* Makes it BYTES large and returns it; NULL (ENOMEM) leaves it as it was. */
void *upcr_buffer_resize (struct upcr_buffer *buffer, size_t bytes);

/* For lookups that fail with ERANGE: a first size, then twice as much. */
void *upcr_buffer_grow (struct upcr_buffer *buffer);

#endif
