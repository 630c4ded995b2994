/* The parent of a process, which upcrun asks for by UPC_NETWORK_PARENT. A process that is killed, by hand or as memory is
   short, cannot say so, and its launcher knows nothing of threads. So it forks before MPI begins, and the child is the
   program. The parent hands signals on, says which threads are lost, and ends as the child does. When a launcher kills the
   parent, the child is killed, too. */

#include "runtime/net/net.h"

#include "runtime/host/host.h"
#include "runtime/start/start.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* In memory of both. The child writes it; the parent reads it when that has ended. */
static struct told
{
  int process;
  struct upcr_net_range threads;
} * told;

void
upcr_net_parent_tell (int threads)
{
  struct upcr_net_place place = upcr_net_place ();

  if (told)
    *told = (struct told){ place.rank, upcr_net_range (threads, place.size, place.rank) };
}

static void
print_lost (pid_t child, const char *reason)
{
  char host[64] = "", who[64] = "a process", text[256];
  int first = told->threads.first, last = first + told->threads.count - 1;

  gethostname (host, sizeof host - 1);
  if (last > first)
    snprintf (who, sizeof who, "threads %d-%d of process %d", first, last, told->process);
  else if (last == first)
    snprintf (who, sizeof who, "thread %d of process %d", first, told->process);
  snprintf (text, sizeof text, "%s on %s (pid %d) %s lost: %s", who, host, (int) child,
            last > first ? "are" : "is", reason);
  upcr_print_message ("error", text);
}

/* Those of a crash, which the child has reported. */
static bool
is_crash (int number)
{
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL
         || number == SIGABRT;
}

static _Noreturn void
end_by (int number)
{
  static const struct rlimit no_core;
  sigset_t set;

  /* The child has left a core file, if anything. */
  setrlimit (RLIMIT_CORE, &no_core);
  signal (number, SIG_DFL);
  sigemptyset (&set);
  sigaddset (&set, number);
  raise (number);
  sigprocmask (SIG_UNBLOCK, &set, NULL);
  _exit (128 + number);
}

static _Noreturn void
follow (pid_t child, const sigset_t *all)
{
  sigset_t handed_on;
  siginfo_t info;
  int status;

  sigemptyset (&handed_on);
  while (waitpid (child, &status, WNOHANG) != child)
    /* A terminal sends its signals to the child as well. */
    if (sigwaitinfo (all, &info) > 0 && info.si_signo != SIGCHLD && info.si_code != SI_KERNEL)
      {
        sigaddset (&handed_on, info.si_signo);
        kill (child, info.si_signo);
      }
  if (!WIFSIGNALED (status))
    _exit (WEXITSTATUS (status));
  if (!is_crash (WTERMSIG (status)) && !sigismember (&handed_on, WTERMSIG (status)))
    print_lost (child, strsignal (WTERMSIG (status)));
  end_by (WTERMSIG (status));
}

static bool
is_asked_for (void)
{
  return upcr_says_yes (getenv ("UPC_NETWORK_PARENT")) && !upcr_is_hosted;
}

void
upcr_net_parent_begin (void)
{
  pid_t parent = getpid (), child;
  sigset_t all, before;

  if (!is_asked_for ())
    return;
  told = mmap (NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (told == MAP_FAILED)
    upcr_fatal ("no memory for the parent of this process");
  sigfillset (&all);
  sigprocmask (SIG_BLOCK, &all, &before);
  child = fork ();
  if (child < 0)
    upcr_fatal ("cannot fork: %m");
  if (child > 0)
    follow (child, &all);
  /* What the program starts is no process of the run. */
  unsetenv ("UPC_NETWORK_PARENT");
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    raise (SIGKILL);
  sigprocmask (SIG_SETMASK, &before, NULL);
}
