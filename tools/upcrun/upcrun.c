/* upcrun: starts a program with THREADS and the other variables of a run given as
   switches. The program reads them from its environment; checking them here gives the
   message before anything starts. */

#include "tools/upcrun/upcrun.h"

#include "tools/common/common.h"
#include "tools/version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char program_name[] = "upcrun";

enum
{
  STATUS_NOT_EXECUTABLE = 126, /* as a shell says it */
  STATUS_NOT_FOUND = 127
};

static _Noreturn void
print_help (void)
{
  puts ("usage: upcrun [switches] [--] program [arguments]\n"
        "Runs a UPC program. Without a switch, the environment and the program decide.\n");
  print_switches (stdout, HELP);
  puts ("  --help            print this list\n"
        "  --manual=PART     print a part of the manual: switches or variables, as roff, or\n"
        "                    variables.md\n"
        "  --version         print the version");
  exit (0);
}

static _Noreturn void
print_manual (const char *part)
{
  if (strcmp (part, "switches") == 0)
    print_switches (stdout, ROFF);
  else if (strcmp (part, "variables") == 0)
    print_variables (stdout, ROFF);
  else if (strcmp (part, "variables.md") == 0)
    print_variables (stdout, MARKDOWN);
  else
    fail_usage ("invalid value '%s' for --manual; expected switches, variables or variables.md",
                part);
  exit (0);
}

static _Noreturn void
print_version (void)
{
  puts ("upcrun (UPCT) " UPCT_VERSION);
  exit (0);
}

static const struct upcr_variable *
find_switch (const char *name)
{
  for (int i = 0; i < upcr_variable_count; i++)
    if (upcr_variables[i].upcrun && strcmp (name, upcr_variables[i].upcrun) == 0)
      return &upcr_variables[i];
  fail_usage ("unknown switch '%s'", name);
}

/* Variables for the same option are taken out of the environment. */
static void
set_variable (const struct upcr_variable *variable, const char *value)
{
  for (int i = 0; i < upcr_variable_count; i++)
    if (upcr_variables[i].type == variable->type && upcr_variables[i].field == variable->field)
      unsetenv (upcr_variables[i].name);
  if (setenv (variable->name, value, 1) != 0)
    fail ("%s: %s", variable->name, strerror (errno));
}

static void
apply_switch (const char *name, const char *value)
{
  const struct upcr_variable *variable = find_switch (name);
  char expected[UPCR_VARIABLE_TEXT_BYTES];
  size_t unused;

  if (!value)
    fail_usage ("missing argument to '%s'", name);
  if (!upcr_variable_parse (variable, value, &unused))
    {
      upcr_variable_expected (variable, expected);
      fail_usage ("invalid value '%s' for %s; expected %s", value, name, expected);
    }
  set_variable (variable, value);
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
        print_version ();
      if (starts_with (argv[i], "--manual="))
        print_manual (argv[i] + 9);
      apply_switch (argv[i], argv[i + 1]);
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
      execv (arena_format ("./%s", name), command);
      error = errno;
    }
  fail_status (error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE, "cannot run '%s': %s",
               name, strerror (error));
}

int
main (int argc, char **argv)
{
  int program = read_switches (argc, argv);

  if (program >= argc)
    fail_usage ("no program given");
  run (argv + program);
}
