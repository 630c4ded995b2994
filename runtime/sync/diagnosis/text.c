/* Texts of reports. */

#include "runtime/sync/diagnosis/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void
upcr_text_add (struct upcr_text *text, const char *format, ...)
{
  va_list args;
  int n;

  va_start (args, format);
  n = vsnprintf (text->bytes + text->used, text->size - text->used, format, args);
  va_end (args);
  if (n > 0)
    text->used += n;
  if (text->used > text->size - 1)
    text->used = text->size - 1;
}

void
upcr_text_print (struct upcr_text *text)
{
  text->bytes[text->used++] = '\n';
  if (write (STDERR_FILENO, text->bytes, text->used) < 0)
    return;
}
