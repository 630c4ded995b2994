/* Errors at an offset of a section. */

#include "privatize/elf/elf.h"

#include <stdarg.h>

/* More lines would help nobody. */
enum
{
  SHOWN_ERRORS = 50
};

void
report_error (struct object *object, const struct section *section, uint64_t offset,
              const char *format, ...)
{
  const char *place;
  va_list args;

  if (++object->error_count > SHOWN_ERRORS)
    return;
  place = arena_format ("%s:%s+0x%llx", object->path, section->name, (unsigned long long) offset);
  va_start (args, format);
  show_message (place, "error", format, args);
  va_end (args);
}
