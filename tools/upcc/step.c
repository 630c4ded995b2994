/* Runs one command. The signals that end a process are blocked all the time and
   taken from the queue while waiting, so none can come between making a temporary
   file and knowing of it. Each command leads a process group of its own: what ends
   upcc ends the compiler's helpers too. */

#include "tools/upcc/upcc.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static bool verbose;
static bool dry_run;
static bool has_spoken; /* the last command, on its standard error */
static sigset_t original;
static sigset_t watched;

void
begin_steps (const struct options *options)
{
  verbose = options->verbose;
  dry_run = options->dry_run;
  sigemptyset (&watched);
  sigaddset (&watched, SIGHUP);
  sigaddset (&watched, SIGINT);
  sigaddset (&watched, SIGTERM);
  sigaddset (&watched, SIGCHLD);
  sigprocmask (SIG_BLOCK, &watched, &original);
  /* Whoever started us may ignore SIGCHLD, and then it would never be queued. */
  signal (SIGCHLD, SIG_DFL);
  /* Helpers whose parent has died become our children, and can be waited for. */
  prctl (PR_SET_CHILD_SUBREAPER, 1);
}

/* So that it can be pasted into a shell. */
static void
print_command (const struct words *command)
{
  for (size_t i = 0; i < command->count; i++)
    {
      if (i)
        fputc (' ', stderr);
      print_shell_word (stderr, command->item[i]);
    }
  fputc ('\n', stderr);
}

/* MESSAGES is its standard error, if not -1. */
static pid_t
start (const struct words *command, int messages)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  pid_t child;
  int error;

  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setsigmask (&attributes, &original);
  posix_spawnattr_setpgroup (&attributes, 0);
  posix_spawn_file_actions_init (&files);
  if (messages >= 0)
    posix_spawn_file_actions_adddup2 (&files, messages, STDERR_FILENO);
  error = posix_spawnp (&child, command->item[0], &files, &attributes, command->item, environ);
  posix_spawn_file_actions_destroy (&files);
  posix_spawnattr_destroy (&attributes);
  if (error)
    fail ("cannot run '%s': %s%s", command->item[0], strerror (error),
          error == ENOENT ? where_tool_is (command->item[0]) : "");
  return child;
}

/* Ends the command as it likes to be ended, then what it left running; cleans up
   and dies of the signal. */
static _Noreturn void
end_by_signal (int number, pid_t child)
{
  kill (-child, number);
  kill (-child, SIGCONT);
  waitpid (child, NULL, 0);
  kill (-child, SIGKILL);
  while (waitpid (-child, NULL, 0) > 0)
    continue;
  remove_temporaries ();
  signal (number, SIG_DFL);
  raise (number);
  sigprocmask (SIG_SETMASK, &original, NULL);
  _exit (STATUS_FAILED);
}

static int
wait_for (pid_t child)
{
  int status;

  while (waitpid (child, &status, WNOHANG) == 0)
    {
      int number = sigwaitinfo (&watched, NULL);

      if (number > 0 && number != SIGCHLD)
        end_by_signal (number, child);
    }
  return status;
}

bool
is_dry_run (void)
{
  return dry_run;
}

static int
run (const struct words *command, bool draws_source)
{
  int messages, status;

  if (verbose || dry_run)
    print_command (command);
  if (dry_run)
    return 0;
  messages = begin_messages ();
  fflush (stderr);
  status = wait_for (start (command, messages));
  has_spoken = end_messages (messages, draws_source);
  return status;
}

/* Returns how the command ended, as wait has it. */
int
try_step (const struct words *command)
{
  return run (command, false);
}

void
fail_step (const struct words *command, int status)
{
  const char *name = path_base (command->item[0]);

  if (WIFSIGNALED (status))
    fail ("%s was killed by signal %d (%s)", name, WTERMSIG (status),
          strsignal (WTERMSIG (status)));
  /* The command has said it all. */
  if (has_spoken)
    exit (STATUS_FAILED);
  fail ("%s failed with status %d", name, WEXITSTATUS (status));
}

void
run_step (const struct words *command)
{
  int status = try_step (command);

  if (status)
    fail_step (command, status);
}

void
run_step_drawing_source (const struct words *command)
{
  int status = run (command, true);

  if (status)
    fail_step (command, status);
}
