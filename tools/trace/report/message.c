#include "tools/trace/report/report.h"

#include <stdarg.h>
#include <stdlib.h>

static void
say (const char *who, const char *kind, const char *format, va_list args)
{
  fflush (stdout);
  fprintf (stderr, "%s: %s: ", who, kind);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
}

void
fail (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  say ("upc-trace", "error", format, args);
  va_end (args);
  exit (1);
}

void
fail_file (const char *path, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  say (path, "error", format, args);
  va_end (args);
  exit (1);
}

void
warn_file (const char *path, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  say (path, "warning", format, args);
  va_end (args);
}
