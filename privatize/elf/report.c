/* Errors in one place of an object. */

#include "privatize/elf/object.h"

#include <stdarg.h>
#include <stdio.h>

/* More lines than this help nobody. */
enum
{
  SHOWN_ERRORS = 50
};

void
report_error (struct object *object, const struct section *section, uint64_t offset,
              const char *format, ...)
{
  va_list args;

  if (++object->error_count > SHOWN_ERRORS)
    return;
  fflush (stdout);
  fprintf (stderr, "%s:%s+0x%llx: error: ", object->path, section->name,
           (unsigned long long) offset);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
}
