/* Messages in gcc's form:

       upcc: error: …
       file.upc:12:7: error: …
          12 |   x = p;
             |       ^
 */

#include "tools/common/common.h"

#include <stdio.h>
#include <stdlib.h>

/* Longer lines say nothing to a reader. */
enum
{
  MAX_LINE_SHOWN = 400
};

void
show_message (const char *where, const char *kind, const char *format, va_list args)
{
  fflush (stdout);
  fprintf (stderr, "%s: %s: ", where, kind);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
}

/* The line, and a caret under the column. Tabs stay tabs in both lines, so that the caret
   stands right at any tab width. */
static void
show_line (const struct source_location *location)
{
  if (!location->text || location->length == 0 || location->length > MAX_LINE_SHOWN)
    return;
  fprintf (stderr, "%5u | %.*s\n      | ", location->line, (int) location->length, location->text);
  for (size_t i = 0; i + 1 < location->column; i++)
    fputc (i < location->length && location->text[i] == '\t' ? '\t' : ' ', stderr);
  fputs ("^\n", stderr);
}

void
show_message_at (const struct source_location *location, const char *kind, const char *format,
                 va_list args)
{
  fflush (stdout);
  fprintf (stderr, "%s:%u:%u: %s: ", location->file, location->line, location->column, kind);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  show_line (location);
}

void
note (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (program_name, "note", format, args);
  va_end (args);
}

void
warn_file (const char *file, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (file, "warning", format, args);
  va_end (args);
}

void
fail (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (program_name, "error", format, args);
  va_end (args);
  exit (STATUS_FAILED);
}

void
fail_usage (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (program_name, "error", format, args);
  va_end (args);
  exit (STATUS_USAGE);
}

void
fail_status (int status, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (program_name, "error", format, args);
  va_end (args);
  exit (status);
}

void
fail_file (const char *file, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (file, "error", format, args);
  va_end (args);
  exit (STATUS_FAILED);
}
