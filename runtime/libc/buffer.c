/* Memory for functions that return a pointer to it. */

#include "runtime/libc/buffer.h"

#include <stdlib.h>

#define FIRST_BYTES 1024

void *
upcr_buffer_resize (struct upcr_buffer *buffer, size_t bytes)
{
  void *memory = realloc (buffer->memory, bytes);

  if (!memory)
    return NULL;
  buffer->memory = memory;
  buffer->bytes = bytes;
  return memory;
}

void *
upcr_buffer_grow (struct upcr_buffer *buffer)
{
  return upcr_buffer_resize (buffer, buffer->memory ? 2 * buffer->bytes : FIRST_BYTES);
}
