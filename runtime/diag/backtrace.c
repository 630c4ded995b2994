/* Backtraces. addr2line of binutils, which everybody who links a program has, names functions
   and lines, including inlined functions. */

#include "runtime/diag/backtrace.h"
#include "runtime/diag/diag.h"
#include "runtime/host/host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  FRAMES = 64,
  OWN_FRAMES = 4 /* upcr_unwind, this file's, the handler, its signal frame */
};

extern char **environ;

/* The address as FILE has it, and FILE: the program itself or a shared library. */
static uintptr_t
address_in_file (const void *address, const char **file)
{
  Dl_info info;
  struct link_map *map;

  *file = "/proc/self/exe";
  if (!dladdr1 (address, &info, (void **) &map, RTLD_DL_LINKMAP) || !map)
    return (uintptr_t) address;
  if (map->l_name[0])
    *file = map->l_name;
  return (uintptr_t) address - map->l_addr;
}

/* Has addr2line write `FUNCTION at FILE:LINE` of one frame to OUT: a line for each function that is inlined
   there, the innermost first. What it has to say of a file, as that an emulator sees it where others do not,
   is no part of the report. */
static bool
name_frame (const char *file, uintptr_t address, char *out, size_t bytes)
{
  char hex[32], path[PATH_MAX];
  char *argv[] = { "addr2line", "-Cfpie", (char *) upcr_path_for_child (file, path, sizeof path),
                   hex, NULL };
  int pipe_ends[2], status = 1;
  ssize_t n = 0, got;
  posix_spawn_file_actions_t actions;
  pid_t child;

  snprintf (hex, sizeof hex, "0x%lx", (unsigned long) address);
  if (pipe (pipe_ends))
    return false;
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose (&actions, pipe_ends[0]);
  posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int failed = posix_spawnp (&child, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  close (pipe_ends[1]);
  if (!failed)
    {
      while (n < (ssize_t) bytes - 1 && (got = read (pipe_ends[0], out + n, bytes - 1 - n)) > 0)
        n += got;
      waitpid (child, &status, 0);
    }
  close (pipe_ends[0]);
  if (failed || status || n == 0 || strncmp (out, "??", 2) == 0)
    return false;
  out[n] = 0;
  return true;
}

static bool
begins (const char *text, const char *with)
{
  return strncmp (text, with, strlen (with)) == 0;
}

/* Prints LINE of addr2line, unless its function is one of the runtime's that the program called. False: below it
   is what called main. */
static bool
print_function (int *number, char *line)
{
  static const char by[] = " (inlined by) ";
  char *function = line + (begins (line, by) ? strlen (by) : 0);
  char *part = strstr (function, " (discriminator ");

  /* It also numbers the parts of a line. */
  if (part)
    *part = 0;
  if (!begins (function, "__upc_") && !begins (function, "upcr_"))
    dprintf (STDERR_FILENO, "  #%-2d %s\n", (*number)++, function);
  return !begins (function, "main at ");
}

/* Prints one frame. False as above. */
static bool
print_frame (int *number, const char *file, uintptr_t address)
{
  char text[8192], *rest = NULL;
  bool goes_on = true;

  if (!name_frame (file, address, text, sizeof text))
    {
      dprintf (STDERR_FILENO, "  #%-2d %s+0x%lx\n", (*number)++, file, (unsigned long) address);
      return true;
    }
  for (char *line = strtok_r (text, "\n", &rest); line && goes_on;
       line = strtok_r (NULL, "\n", &rest))
    goes_on = print_function (number, line);
  return goes_on;
}

void
upcr_backtrace_print (void)
{
  const void *frames[FRAMES];
  int n = upcr_unwind (frames, FRAMES);
  bool goes_on = true;

  for (int i = OWN_FRAMES, number = 0; i < n && goes_on; i++)
    {
      const char *file;
      uintptr_t address = address_in_file (frames[i], &file);

      goes_on = print_frame (&number, file, address);
    }
}
