/* Runs a program beside others that compute: `beside COUNT PROGRAM ARGUMENTS…`. They end
   with it. */

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static _Noreturn void
compute (pid_t parent)
{
  volatile long forever = 0;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (1);
  for (;;)
    forever++;
}

int
main (int argc, char **argv)
{
  pid_t self = getpid ();

  if (argc < 3)
    return 2;
  for (int i = 0; i < atoi (argv[1]); i++)
    if (fork () == 0)
      compute (self);
  execvp (argv[2], argv + 2);
  return 127;
}
