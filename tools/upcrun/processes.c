/* -N: programs that upcc -fupc-network=mpi has made run in several processes, which the launcher of their MPI
   starts. */

#include "tools/upcrun/upcrun.h"

#include "tools/common/common.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Asks each process for a parent, which tells of its threads if it is lost (runtime/net/parent.c). */
#define PARENT "UPC_NETWORK_PARENT"

struct command
{
  char **words;
  size_t count, capacity;
};

static void
add (struct command *command, const char *word)
{
  command->words = arena_grow (command->words, command->count + 2, &command->capacity,
                               sizeof *command->words);
  command->words[command->count++] = (char *) word;
  command->words[command->count] = NULL;
}

static bool
is_on_path (const char *name)
{
  char *path = arena_format ("%s", getenv ("PATH") ? getenv ("PATH") : "/bin:/usr/bin"), *folder;

  while ((folder = strsep (&path, ":")))
    if (access (arena_format ("%s/%s", *folder ? folder : ".", name), X_OK) == 0)
      return true;
  return false;
}

/* Where two MPIs are installed, mpiexec is one's. */
static const char *
launcher_of (const char *engine)
{
  const char *chosen = getenv ("UPCRUN_MPIEXEC"), *own = arena_format ("mpiexec.%s", engine);

  if (chosen && *chosen)
    return chosen;
  return is_on_path (own) ? own : "mpiexec";
}

/* Open MPI refuses more processes than cores, binds each of two processes to one core, however many threads it has, and
   hands the environment on to processes of its own node alone. */
static void
add_for_openmpi (struct command *command)
{
  add (command, "--oversubscribe");
  if (!getenv ("OMPI_MCA_hwloc_base_binding_policy"))
    {
      add (command, "--bind-to");
      add (command, "none");
    }
  for (int i = 0; i < upcr_variable_count; i++)
    if (getenv (upcr_variables[i].name))
      {
        add (command, "-x");
        add (command, upcr_variables[i].name);
      }
}

/* What is none is for exec to complain of. */
static bool
is_file (const char *path)
{
  struct stat status;

  return stat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size > 0
         && access (path, R_OK) == 0;
}

char **
launch_command (const char *program, char **words)
{
  const char *engine = is_file (program) ? find_in_notes (program, "engine=") : NULL;
  struct command command = { 0 };

  if (!engine)
    {
      if (request.processes > 1 || request.is_verbose)
        note ("'-N' has no effect: '%s' is not made by upcc -fupc-network=mpi", *words);
      return words;
    }
  setenv (PARENT, "yes", 0);
  add (&command, launcher_of (engine));
  if (strcmp (engine, "openmpi") == 0)
    add_for_openmpi (&command);
  add (&command, "-n");
  add (&command, arena_format ("%d", request.processes));
  add (&command, program);
  while (*++words)
    add (&command, *words);
  return command.words;
}

/* What the launcher's processes run. */
static const char *launched;

static pid_t
parent_of (pid_t process)
{
  FILE *file = fopen (arena_format ("/proc/%d/stat", (int) process), "re");
  int parent = 0;

  /* Its name, in parentheses, may have any characters but a `)` and a state behind it. */
  if (file && fscanf (file, "%*d (%*[^)]) %*c %d", &parent) != 1)
    parent = 0;
  if (file)
    fclose (file);
  return parent;
}

static bool
is_below (pid_t process, pid_t ancestor)
{
  while (process > 1 && process != ancestor)
    process = parent_of (process);
  return process == ancestor;
}

static bool
runs_launched (pid_t process)
{
  struct stat program, own;

  return stat (launched, &program) == 0
         && stat (arena_format ("/proc/%d/exe", (int) process), &own) == 0
         && program.st_ino == own.st_ino && program.st_dev == own.st_dev;
}

/* To one of them: it has all report. */
static void
ask_process (pid_t launcher)
{
  DIR *all = opendir ("/proc");
  struct dirent *entry;
  pid_t first = 0;

  while (all && (entry = readdir (all)))
    {
      pid_t process = atoi (entry->d_name);

      if (process > 0 && (!first || process < first) && runs_launched (process)
          && is_below (process, launcher))
        first = process;
    }
  if (all)
    closedir (all);
  if (first)
    kill (first, SIGQUIT);
  else
    note ("no process of '%s' is on this host: send SIGQUIT to one of them", launched);
}

void
follow_launcher (pid_t launcher, const char *program)
{
  launched = program;
  follow_child (launcher, NULL, ask_process);
}
