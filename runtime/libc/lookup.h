/* Lookups that return an entry, with its text, in memory of the library. They use glibc's _r
   functions, with as much memory as these ask for. */

#ifndef UPCR_LIBC_LOOKUP_H
#define UPCR_LIBC_LOOKUP_H

#include "runtime/libc/buffer.h"

#include <errno.h>

/* upcr_NAME PARAMETERS by CALL, an expression of entry, buffer and result that is
   ERANGE while the buffer is too small. */
#define UPCR_LOOKUP(type, name, parameters, call)      \
  struct type *upcr_##name parameters                  \
  {                                                    \
    static struct type entry;                          \
    static struct upcr_buffer buffer;                  \
    struct type *result = NULL;                        \
                                                       \
    if (!buffer.memory && !upcr_buffer_grow (&buffer)) \
      return NULL;                                     \
    while ((call) == ERANGE)                           \
      if (!upcr_buffer_grow (&buffer))                 \
        return NULL;                                   \
    return result;                                     \
  }

/* What all the _r functions take last. */
#define UPCR_ENTRY &entry, buffer.memory, buffer.bytes, &result

#endif
