/* -N: programs that upcc -fupc-network=mpi has made run in several processes, which the launcher of their MPI
   starts. */

#include "tools/upcrun/upcrun.h"

#include "tools/common/common.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Open MPI refuses more processes than cores, and hands the environment on to processes of its own node
   alone. */
static void
add_for_openmpi (struct command *command)
{
  add (command, "--oversubscribe");
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
      if (request.is_verbose)
        note ("'-N' has no effect");
      return words;
    }
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
