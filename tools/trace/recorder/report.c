/* Runs upc-trace when the run has ended. It is $UPC_TRACE_REPORT, or the one beside the upcc that
   linked the program, or the one on PATH; UPC_TRACE_REPORT=no leaves it to the user. */

#include "tools/trace/recorder/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* upcc --trace defines it at each link (tools/upcc/names.c); other ways to link do not. */
extern const char upct_trace_reporter[] __attribute__ ((__weak__));

/* The folder as a word of a shell. */
static const char *
folder_word (char *buffer)
{
  static const char plain[]
      = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:@%/";
  const char *folder = trace_run.folder;
  char *to = buffer;

  if (!folder[strspn (folder, plain)])
    return folder;
  *to++ = '\'';
  for (; *folder; folder++)
    if (*folder == '\'')
      to = stpcpy (to, "'\\''");
    else
      *to++ = *folder;
  strcpy (to, "'");
  return buffer;
}

static void
say_how_to (void)
{
  char buffer[4 * sizeof trace_run.folder];

  trace_say ("trace", "%s; for the reports run: upc-trace %s", trace_run.folder,
             folder_word (buffer));
}

/* With the signals of a program that was just started. */
static bool
start (const char *program, pid_t *process)
{
  char *words[] = { (char *) "upc-trace", (char *) "--", trace_run.folder, NULL };
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  sigset_t none, all;
  int error;

  sigemptyset (&none);
  sigfillset (&all);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2 (&actions, STDERR_FILENO, STDOUT_FILENO);
  error = posix_spawnp (process, program, &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  return error == 0;
}

static bool
start_any (pid_t *process)
{
  const char *chosen = getenv ("UPC_TRACE_REPORT");

  if (chosen && *chosen)
    return start (chosen, process);
  if (upct_trace_reporter && access (upct_trace_reporter, X_OK) == 0
      && start (upct_trace_reporter, process))
    return true;
  return start ("upc-trace", process);
}

/* As shells have it. posix_spawn does not always hear that there is no such program: not in emulators. */
enum
{
  NOT_STARTED = 127
};

void
run_report (void)
{
  const char *chosen = getenv ("UPC_TRACE_REPORT");
  int error = errno, status = 0;
  pid_t process;

  /* Reports would not find room either. */
  if (atomic_load_explicit (&trace_run.is_broken, memory_order_relaxed)
      || (chosen && strcmp (chosen, "no") == 0) || !start_any (&process))
    say_how_to ();
  else
    {
      /* The program may have asked not to hear of its children; then they have no status. */
      while (waitpid (process, &status, 0) < 0 && errno == EINTR)
        ;
      if (WIFSIGNALED (status) || (WIFEXITED (status) && WEXITSTATUS (status) == NOT_STARTED))
        say_how_to ();
    }
  errno = error;
}
