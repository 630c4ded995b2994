/* Errors and warnings: one line that names the source location and the thread. A run that cannot
   continue ends with a nonzero status, after everything written so far is flushed. */

#include "runtime/host/host.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum
{
  LINE_BYTES = 1024
};

bool (*upcr_find_location) (struct upcr_location *location);

void
upcr_print_message (const char *kind, const char *text)
{
  char line[LINE_BYTES];
  int n = snprintf (line, sizeof line - 1, "%s: %s: %s", upcr_program, kind, text);

  if (n > LINE_BYTES - 2)
    n = LINE_BYTES - 2;
  line[n++] = '\n';
  if (write (STDERR_FILENO, line, n) < 0)
    return;
}

/* Composes the line and writes it with one system call: lines of several threads
   never mix, and no stdio lock that another thread holds can stop it. */
static void
print_line (const char *kind, int with_thread, const char *format, va_list args)
{
  char line[LINE_BYTES];
  int n;

  if (upcr_here.file)
    n = snprintf (line, sizeof line, "%s:%d: %s: ", upcr_here.file, upcr_here.line, kind);
  else
    n = snprintf (line, sizeof line, "%s: %s: ", upcr_program, kind);
  if (with_thread && n < LINE_BYTES)
    n += snprintf (line + n, sizeof line - n, "thread %d: ", MYTHREAD);
  if (n < LINE_BYTES)
    n += vsnprintf (line + n, sizeof line - n, format, args);
  if (n > LINE_BYTES - 1)
    n = LINE_BYTES - 1;
  line[n++] = '\n';
  /* Nothing can be done about a closed stderr. */
  if (write (STDERR_FILENO, line, n) < 0)
    return;
}

static void
print_error (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  print_line ("error", 1, format, args);
  va_end (args);
}

void
upcr_print_error (const char *text)
{
  print_error ("%s", text);
}

/* Only one thread gets here, the one that ends the run. */
static void
find_location (void)
{
  struct upcr_location location;

  if (!upcr_here.file && upcr_find_location && upcr_find_location (&location))
    upcr_here = location;
}

void
upcr_await_debugger (void)
{
  char line[160];

  snprintf (line, sizeof line,
            "thread %d: process %d is stopped; attach a debugger, or go on with: kill -CONT %d",
            MYTHREAD, (int) getpid (), (int) getpid ());
  upcr_print_message ("note", line);
  raise (SIGSTOP);
}

/* Without the report of a crash: what is wrong has been said. */
static _Noreturn void
die (void)
{
  struct sigaction action = { .sa_handler = SIG_DFL };

  sigaction (SIGABRT, &action, NULL);
  abort ();
}

void
upcr_fail (void)
{
  if (upcr_options.freezes_on_error)
    upcr_await_debugger ();
  if (upcr_options.aborts)
    die ();
  upcr_end_process (1);
}

void
upcr_fatal_list (const char *format, va_list args)
{
  upcr_end_once ();
  find_location ();
  print_line ("error", 1, format, args);
  upcr_fail ();
}

void
upcr_fatal (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  upcr_fatal_list (format, args);
}

void
upcr_usage_error (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  print_line ("error", 0, format, args);
  va_end (args);
  upcr_end_process (2);
}

static void
warn (const char *format, va_list args)
{
  print_line ("warning", 1, format, args);
  if (!upcr_options.has_fatal_warnings)
    return;
  upcr_end_once ();
  upcr_fail ();
}

void
upcr_warning (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  warn (format, args);
  va_end (args);
}

void
upcr_complain (bool is_warning, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (!is_warning)
    upcr_fatal_list (format, args);
  warn (format, args);
  va_end (args);
}
