/* The function that libc calls as main. upcc links with --wrap=main, which makes libc call
   __wrap_main; for debuggers, main remains a name of the program's own. */

#include "runtime/abi/abi.h"
#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/start/start.h"

#include <pthread.h>

/* The program's main, renamed by its compiler or by upc-privatize. */
int upc_main (int argc, char **argv, char **envp);

int __wrap_main (int argc, char **argv, char **envp);

/* pthread_exit in a UPC thread: as in the first thread of a process, the threads that it
   made go on, and then that is the exit, with status 0. The thread itself lives on until
   then, its stack unwound up to here. */
static void
exit_by_unwinding (void *unused)
{
  (void) unused;
  upcr_await_created_threads ();
  upcr_exit (0);
}

static int
run_program (int argc, char **argv, char **envp)
{
  pthread_cleanup_push (exit_by_unwinding, NULL);
  upcr_run_begin_thread (&argc, &argv, envp);
  upcr_exit (upc_main (argc, argv, envp));
  pthread_cleanup_pop (0);
}

int
__wrap_main (int argc, char **argv, char **envp)
{
  upcr_run_begin (&argc, argv);
  int status = upcr_threads_run (run_program, argc, argv, envp);
  if (!upcr_run_end () && !status)
    status = 1;
  /* Not by a return: a thread that the program made may end the process now too. */
  upcr_end_process (status);
}
