/* What every file of the tool uses: fatal errors, memory, text. */

#ifndef PRIVATIZE_MESSAGES_H
#define PRIVATIZE_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* `FILE: error: …`, and exit status 1. */
_Noreturn void fail (const char *path, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
/* They end the program when there is no memory. */
void *allocate (size_t count, size_t size);
void *resize (void *memory, size_t count, size_t size);
char *join_text (const char *first, const char *second);
char *copy_text (const char *text);

static inline bool
starts_with (const char *text, const char *prefix)
{
  return strncmp (text, prefix, strlen (prefix)) == 0;
}

#endif
