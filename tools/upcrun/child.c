/* A program, or a launcher, that upcrun is the parent of: it ends as that does, and hands signals on. */

#include "tools/upcrun/upcrun.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
  SIGNALLED = 128 /* and its number: a status as a shell has it */
};

static const int handed_on[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

/* As it ended. */
static _Noreturn void
end_like (int status)
{
  static const struct rlimit no_core;

  if (!WIFSIGNALED (status))
    exit (WEXITSTATUS (status));
  /* The program has left a core file, if anything. */
  setrlimit (RLIMIT_CORE, &no_core);
  signal (WTERMSIG (status), SIG_DFL);
  raise (WTERMSIG (status));
  exit (SIGNALLED + WTERMSIG (status));
}

static sigset_t
followed_signals (void)
{
  sigset_t set;

  sigemptyset (&set);
  for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++)
    sigaddset (&set, handed_on[i]);
  sigaddset (&set, SIGCHLD);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGQUIT);
  return set;
}

sigset_t
hold_followed (void)
{
  sigset_t followed = followed_signals (), before;

  sigprocmask (SIG_BLOCK, &followed, &before);
  return before;
}

/* A terminal sends SIGINT and SIGQUIT to the child as well, which decides what follows. */
static void
hand_on (pid_t child, const siginfo_t *info, void (*at_quit) (pid_t))
{
  if (info->si_signo == SIGQUIT && at_quit)
    at_quit (child);
  else if (info->si_signo != SIGCHLD && info->si_code != SI_KERNEL)
    kill (child, info->si_signo);
}

void
follow_child (pid_t child, void (*each_second) (pid_t), void (*at_quit) (pid_t))
{
  static const struct timespec second = { .tv_sec = 1 };
  sigset_t followed = followed_signals ();
  siginfo_t info;
  int status;

  while (waitpid (child, &status, WNOHANG) != child)
    if (sigtimedwait (&followed, &info, &second) > 0)
      hand_on (child, &info, at_quit);
    else if (errno == EAGAIN && each_second)
      each_second (child);
  sigprocmask (SIG_UNBLOCK, &followed, NULL);
  end_like (status);
}
