/* upcrun: starts a program with THREADS and the rest of the run said on the
   command line. The program reads them from its environment; checking them here
   gives the message before anything starts. */

#include "tools/version.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  STATUS_USAGE = 2,
  STATUS_NOT_EXECUTABLE = 126, /* as a shell says it */
  STATUS_NOT_FOUND = 127,
  MAX_THREADS = 1024
};

static _Noreturn void __attribute__ ((format (printf, 2, 3)))
fail (int status, const char *format, ...)
{
  va_list args;

  fputs ("upcrun: error: ", stderr);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  exit (status);
}

/* A whole number of decimal digits from 1 to most, and what follows it; 0 if not. */
static unsigned long
read_number (const char *text, unsigned long most, const char **rest)
{
  char *end;
  unsigned long n;

  if (*text < '0' || *text > '9')
    return 0;
  errno = 0;
  n = strtoul (text, &end, 10);
  *rest = end;
  return errno || n > most ? 0 : n;
}

static void
check_threads (const char *text)
{
  const char *rest = "";

  if (!read_number (text, MAX_THREADS, &rest) || *rest)
    fail (STATUS_USAGE, "-n '%s': a number from 1 to %d", text, MAX_THREADS);
}

static void
check_heap (const char *text)
{
  const char *rest = "";
  unsigned long n = read_number (text, -1UL, &rest);
  const char *units = "KMG", *unit = *rest ? strchr (units, *rest & ~0x20) : NULL;
  int shift = unit ? 10 * (int) (unit - units + 1) : 0;

  if (!n || (unit ? rest[1] : rest[0]) || n > -1UL >> shift)
    fail (STATUS_USAGE, "-heap '%s': bytes, or a number with K, M or G behind it", text);
}

static void
check_bind (const char *text)
{
  if (strcmp (text, "none") != 0 && strcmp (text, "core") != 0)
    fail (STATUS_USAGE, "-bind '%s': none or core", text);
}

static const struct
{
  const char *name;
  const char *variable;
  void (*check) (const char *value);
  const char *argument;
  const char *help;
} switches[] = {
  { "-n", "UPC_THREADS", check_threads, "N", "THREADS, from 1 to 1024" },
  { "-heap", "UPC_SHARED_HEAP_SIZE", check_heap, "SIZE", "shared heap of each thread: bytes, or with K, M, G" },
  { "-bind", "UPC_BIND", check_bind, "none|core", "whether each thread stays on a core of its own" },
};

enum { SWITCHES = sizeof switches / sizeof *switches };

static _Noreturn void
print_help (void)
{
  puts ("usage: upcrun [switches] [--] program [arguments]\n"
        "Runs a UPC program. Without a switch, the environment and the program decide.\n");
  for (int i = 0; i < SWITCHES; i++)
    printf ("  %-6s %-10s %s\n", switches[i].name, switches[i].argument, switches[i].help);
  puts ("  --help            print this list\n"
        "  --version         print the version");
  exit (0);
}

static void
apply_switch (const char *name, const char *value)
{
  for (int i = 0; i < SWITCHES; i++)
    if (strcmp (name, switches[i].name) == 0)
      {
        if (!value)
          fail (STATUS_USAGE, "'%s' needs a value", name);
        switches[i].check (value);
        if (setenv (switches[i].variable, value, 1) != 0)
          fail (1, "%s: %s", switches[i].variable, strerror (errno));
        return;
      }
  fail (STATUS_USAGE, "unknown switch '%s'", name);
}

/* Reads the switches; returns the index of the program. */
static int
read_switches (int argc, char **argv)
{
  int i = 1;

  for (; i < argc && argv[i][0] == '-'; i += 2)
    {
      if (strcmp (argv[i], "--") == 0)
        return i + 1;
      if (strcmp (argv[i], "--help") == 0)
        print_help ();
      if (strcmp (argv[i], "--version") == 0)
        {
          puts ("upcrun (UPCT) " UPCT_VERSION);
          exit (0);
        }
      apply_switch (argv[i], argv[i + 1]);
      if (strcmp (argv[i], "-n") == 0)
        unsetenv ("THREADS");
    }
  return i;
}

/* PATH first, as a shell would; then the current folder, where programs that were
   just linked lie. */
static _Noreturn void
run (char **command)
{
  const char *name = command[0];
  int error;

  execvp (name, command);
  error = errno;
  if (error == ENOENT && !strchr (name, '/'))
    {
      char *here = malloc (strlen (name) + 3);

      if (!here)
        fail (1, "out of memory");
      sprintf (here, "./%s", name);
      execv (here, command);
      error = errno;
    }
  fail (error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE, "cannot run '%s': %s", name,
        strerror (error));
}

int
main (int argc, char **argv)
{
  int program = read_switches (argc, argv);

  if (program >= argc)
    fail (STATUS_USAGE, "no program given");
  run (argv + program);
}
