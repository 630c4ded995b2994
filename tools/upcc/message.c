/* What upcc has to say, and the one way out when something is wrong. */

#include "tools/upcc/upcc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void
print (const char *kind, const char *format, va_list args)
{
  fprintf (stderr, "upcc: %s: ", kind);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
}

void
note (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  print ("note", format, args);
  va_end (args);
}

void
fail (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  print ("error", format, args);
  va_end (args);
  exit (STATUS_FAILED);
}

void
fail_usage (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  print ("error", format, args);
  va_end (args);
  exit (STATUS_USAGE);
}
