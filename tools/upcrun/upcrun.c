/* upcrun: starts a program with THREADS and the other variables of a run given as
   switches. The program reads them from its environment; checking them here gives the
   message before anything starts. */

#include "tools/upcrun/upcrun.h"

#include "tools/common/common.h"
#include "tools/upcrun/top.h"
#include "tools/version.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

const char program_name[] = "upcrun";

enum
{
  STATUS_NOT_EXECUTABLE = 126, /* as a shell says it */
  STATUS_NOT_FOUND = 127
};

static void
print_help (void)
{
  puts ("usage: upcrun [switches] [--] program [arguments]\n"
        "Runs a UPC program. Without a switch, the environment and the program decide. A value\n"
        "may follow its switch after a blank or an equals sign. Switches of Berkeley UPC's upcrun\n"
        "that say where processes run are accepted.\n");
  print_switches (stdout, HELP);
  puts ("  --help            print this list\n"
        "  --manual=PART     print a part of the manual: switches or variables, as roff, or\n"
        "                    variables.md\n"
        "  --version         print the version");
}

static void
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
}

static _Noreturn void
show (void)
{
  if (request.shows == 'h')
    print_help ();
  else if (request.shows == 'm')
    print_manual (request.part);
  else
    puts ("upcrun (UPCT) " UPCT_VERSION);
  exit (0);
}

/* Berkeley's upcrun takes a p before the number of -n and -np. */
static const char *
value_of (const char *name, const char *value)
{
  const char *letters = name + strspn (name, "-");
  bool is_count = strcmp (letters, "n") == 0 || strcmp (letters, "np") == 0;

  return is_count && *value == 'p' && value[1] ? value + 1 : value;
}

static const struct upcr_variable *
variable_of_switch (const char *name)
{
  for (int i = 0; i < upcr_variable_count; i++)
    if (upcr_variables[i].upcrun && strcmp (name, upcr_variables[i].upcrun) == 0)
      return &upcr_variables[i];
  return starts_with (name, "--") ? variable_of_switch (name + 1) : NULL;
}

/* By NAME, or by its name with one dash instead of two: Berkeley's upcrun takes both. */
static const struct switch_row *
find_row (const char *name)
{
  for (int i = 0; i < switch_row_count; i++)
    if (strcmp (name, switch_rows[i].name) == 0)
      return &switch_rows[i];
  return starts_with (name, "--") ? find_row (name + 1) : NULL;
}

/* A name of one letter, or -np, may have its number in the same word: -n4. Returns the length of the name
   of such a word, or 0. */
static size_t
length_before_number (const char *word)
{
  static const char *const names[] = { "-np", "-n", "-N", "-c", "-p" };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      const char *number = word + strlen (names[i]);

      if (starts_with (word, names[i]) && *number && !number[strspn (number, "0123456789")])
        return strlen (names[i]);
    }
  return 0;
}

/* A switch on the command line. */
struct given
{
  const char *name;
  const struct upcr_variable *variable; /* that it sets, or */
  const struct switch_row *row;
  const char *value; /* NULL: it has none */
  int words;
};

/* The switch at word[0], with its value after "=" or at word[1]. */
static struct given
parse_switch (char **word)
{
  size_t before_number = length_before_number (word[0]);
  size_t length = before_number ? before_number : strcspn (word[0], "=");
  struct given given = { .name = arena_format ("%.*s", (int) length, word[0]), .words = 1 };
  bool is_joined = word[0][length];
  const char *value = !is_joined ? word[1] : word[0] + length + !before_number;

  given.variable = variable_of_switch (given.name);
  given.row = given.variable ? NULL : find_row (given.name);
  if (!given.variable && !given.row)
    fail_usage ("unknown switch '%s'", word[0]);
  if (given.row && given.row->argument == NONE && is_joined)
    fail_usage ("'%s' takes no value", given.row->name);
  if (given.row && (given.row->argument == NONE || given.row->argument == OPTIONAL))
    {
      given.value = is_joined ? value : NULL;
      return given;
    }
  if (!value)
    fail_usage ("missing argument to '%s'", given.name);
  given.value = value_of (given.name, value);
  given.words = is_joined ? 1 : 2;
  return given;
}

static void
apply_given (const struct given *given)
{
  if (given->variable)
    set_variable (given->variable, given->name, given->value);
  else
    apply_row (given->row, given->value);
  if (request.shows)
    show ();
}

static bool
is_of_settings (const struct given *given)
{
  return given->row
         && (strcmp (given->row->name, "-conf") == 0 || strcmp (given->row->name, "-norc") == 0);
}

/* Which file of settings is to be read, before anything else. */
static void
apply_if_of_settings (const struct given *given)
{
  if (is_of_settings (given))
    apply_given (given);
}

/* Switches of one letter in one word, as in -qv and -vn 4: the last one may have a value. */
static bool
is_bundle (const char *word)
{
  size_t letters = *word == '-' ? strspn (word + 1, "qvtihV") : 0;
  const char *last = word + 1 + letters;

  if (letters == 0 || variable_of_switch (word) || find_row (word))
    return false;
  return *last ? strchr ("nNcp", *last) && !last[1 + strspn (last + 1, "0123456789")] : letters > 1;
}

typedef void given_act (const struct given *given);

/* Lets ACT have what word[0] says; returns how many words it took. */
static int
take_word (char **word, given_act *act)
{
  char *name = word[0];
  struct given given;

  for (; is_bundle (name); name = arena_format ("-%s", name + 2))
    {
      given = parse_switch ((char *[]){ arena_format ("-%c", name[1]), NULL });
      act (&given);
    }
  given = parse_switch ((char *[]){ name, word[1], NULL });
  act (&given);
  return given.words;
}

/* Lets ACT have the switches; returns the index of the program. */
static int
take_switches (int argc, char **argv, given_act *act)
{
  int i = 1;

  while (i < argc && argv[i][0] == '-')
    {
      if (strcmp (argv[i], "--") == 0)
        return i + 1;
      i += take_word (&argv[i], act);
    }
  return i;
}

static void
take_text (const char *source, const char *text, given_act *act)
{
  const char *word;
  char **words = NULL;
  size_t count = 0, capacity = 0;

  while (text && (word = next_switch (&text)))
    {
      words = arena_grow (words, count + 2, &capacity, sizeof *words);
      words[count++] = (char *) word;
    }
  for (size_t i = 0; i < count; i += take_word (&words[i], act))
    if (words[i][0] != '-')
      fail_usage ("%s: '%s' is no switch", source, words[i]);
}

static void
apply_switches (const char *source, const char *text)
{
  take_text (source, text, apply_given);
}

/* Where a shell would find NAME, or else a program in the current folder, which was just linked
   there. */
static const char *
find_program (const char *name)
{
  char *path = arena_format ("%s", getenv ("PATH") ? getenv ("PATH") : "/bin:/usr/bin"), *folder;

  while (!strchr (name, '/') && (folder = strsep (&path, ":")))
    {
      const char *file = arena_format ("%s/%s", *folder ? folder : ".", name);

      if (access (file, X_OK) == 0)
        return file;
    }
  return strchr (name, '/') ? name : arena_format ("./%s", name);
}

static bool
is_elf (const char *path)
{
  char magic[SELFMAG];
  FILE *file = fopen (path, "re");
  bool is = file && fread (magic, sizeof magic, 1, file) == 1
            && memcmp (magic, ELFMAG, SELFMAG) == 0;

  if (file)
    fclose (file);
  return is;
}

/* What the kernel does not know may be a script for the shell, by execvp, but no program for another
   processor. */
static _Noreturn void
run (char **command)
{
  const char *name = command[0], *file = find_program (name);
  int error;

  execv (file, command);
  error = errno;
  if (error == ENOEXEC && !is_elf (file))
    {
      execvp (file, command);
      error = errno;
    }
  fail_status (error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE, "cannot run '%s': %s",
               name, strerror (error));
}

/* The debugger follows into the program: after exec it is the same process. */
static void
freeze (void)
{
  note ("process %d is stopped; attach a debugger, or go on with: kill -CONT %d", (int) getpid (),
        (int) getpid ());
  raise (SIGSTOP);
}

/* As a child, which ends with upcrun. A launcher may know nothing of SIGQUIT. */
static pid_t
start_child (char **command, bool is_launcher)
{
  sigset_t before = hold_followed ();
  pid_t child = fork ();

  if (child < 0)
    fail ("cannot start a process: %m");
  if (child > 0)
    return child;
  if (is_launcher)
    {
      prctl (PR_SET_PDEATHSIG, SIGTERM);
      signal (SIGQUIT, SIG_IGN);
    }
  sigprocmask (SIG_SETMASK, &before, NULL);
  run (command);
}

/* As the words say, or in several processes. */
static char **
command_of (char **words)
{
  return request.processes ? launch_command (find_program (words[0]), words) : words;
}

int
main (int argc, char **argv)
{
  const char *flags = getenv ("UPCRUN_FLAGS");
  char **command;
  int program;

  apply_variables ();
  take_text ("UPCRUN_FLAGS", flags, apply_if_of_settings);
  take_switches (argc, argv, apply_if_of_settings);
  /* The last one counts. */
  read_settings (apply_switches);
  apply_switches ("UPCRUN_FLAGS", flags);
  program = take_switches (argc, argv, apply_given);
  if (request.watched)
    watch (request.watched);
  if (program >= argc)
    fail_usage ("no program given");
  if (request.watches && request.processes)
    fail_usage ("'--top' shows one process; it is not for -N");
  if (request.wants_info)
    {
      print_info (find_program (argv[program]));
      return 0;
    }
  command = command_of (argv + program);
  if (request.is_verbose)
    print_unused ();
  if (request.is_verbose || request.is_dry_run)
    print_command (command);
  if (request.is_dry_run)
    return 0;
  if (request.freezes)
    freeze ();
  if (request.watches)
    watch_child (start_child (command, false));
  if (command != argv + program)
    follow_launcher (start_child (command, true), find_program (argv[program]));
  run (command);
}
