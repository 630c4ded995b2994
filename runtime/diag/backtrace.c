/* Backtraces: addr2line of binutils, which whoever links a program has, names functions and
   lines, inlined ones too. */

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

/* Runs addr2line for one frame and copies its output to stderr. What it has to say of a file, as
   that an emulator sees it where others do not, is no part of the report. */
static int
print_with_addr2line (int number, const char *file, uintptr_t address)
{
  char hex[32], path[PATH_MAX], out[4096];
  char *argv[] = { "addr2line", "-Cfpe", (char *) upcr_path_for_child (file, path, sizeof path),
                   hex, NULL };
  int pipe_ends[2], status = 1;
  ssize_t n = 0, got;
  posix_spawn_file_actions_t actions;
  pid_t child;

  snprintf (hex, sizeof hex, "0x%lx", (unsigned long) address);
  if (pipe (pipe_ends))
    return 0;
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose (&actions, pipe_ends[0]);
  posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int failed = posix_spawnp (&child, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  close (pipe_ends[1]);
  if (!failed)
    {
      while (n < (ssize_t) sizeof out - 1
             && (got = read (pipe_ends[0], out + n, sizeof out - 1 - n)) > 0)
        n += got;
      waitpid (child, &status, 0);
    }
  close (pipe_ends[0]);
  if (failed || status || n == 0 || strncmp (out, "??", 2) == 0)
    return 0;
  out[n] = 0;
  dprintf (STDERR_FILENO, "  #%-2d %s", number, out);
  return 1;
}

void
upcr_backtrace_print (void)
{
  const void *frames[FRAMES];
  int n = upcr_unwind (frames, FRAMES);
  int number = 0;

  for (int i = OWN_FRAMES; i < n; i++)
    {
      const char *file;
      uintptr_t address = address_in_file (frames[i], &file);

      if (!print_with_addr2line (number, file, address))
        dprintf (STDERR_FILENO, "  #%-2d %s+0x%lx\n", number, file, (unsigned long) address);
      number++;
    }
}
