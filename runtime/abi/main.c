/* What libc calls as main, in the order in which the rooms come up. upcc links with --wrap=main,
   which makes libc call __wrap_main, and main a name of the program's own, for debuggers. */

#include "runtime/diag/diag.h"
#include "runtime/gasp/gasp.h"
#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/shared/shared.h"
#include "runtime/start/start.h"
#include "runtime/sync/sync.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* The program's main, renamed by its compiler or by upc-privatize. */
int upc_main (int argc, char **argv, char **envp);

int __wrap_main (int argc, char **argv, char **envp);

/* Functions that store the initial values of shared variables and of private
   pointers-to-shared; each thread calls them all. */
typedef void initialiser (void);
extern initialiser *const __start_upc_init_array[] __attribute__ ((weak));
extern initialiser *const __stop_upc_init_array[] __attribute__ ((weak));

/* All threads store the same values at the same addresses: that is how compilers make
   these functions. ThreadSanitizer, rightly, wants an order. Where no thread has
   anything to initialise, none waits for the others. */
static void
initialise_shared_data (void)
{
  bool wait = false;
#ifdef UPCR_TSAN
  static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;

  pthread_mutex_lock (&one_by_one);
#endif
  for (initialiser *const *f = __start_upc_init_array; f < __stop_upc_init_array; f++)
    if (*f)
      {
        (*f) ();
        wait = true;
      }
#ifdef UPCR_TSAN
  pthread_mutex_unlock (&one_by_one);
#endif
  if (wait)
    upcr_collective_barrier ("start");
}

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
  upcr_private_resolve ();
  initialise_shared_data ();
  /* Constructors are the program's code already: they see shared data whole. */
  upcr_private_construct (argc, argv, envp);
  upcr_gasp_begin_thread (&argc, &argv);
  upcr_exit (upc_main (argc, argv, envp));
  pthread_cleanup_pop (0);
}

/* Who can say what an address is that faulted. */
static upcr_describe_address *const describers[] = { upcr_block_describe, upcr_segment_describe,
                                                     NULL };

int
__wrap_main (int argc, char **argv, char **envp)
{
  if (argc > 0)
    {
      const char *slash = strrchr (argv[0], '/');
      upcr_program = slash ? slash + 1 : argv[0];
    }
  upcr_require_memory ();
  upcr_options_read (upcr_static_threads (), &argc, argv);
  upcr_set_threads (upcr_options.threads);
  if (upcr_options.bind == UPCR_BIND_CORE)
    upcr_bind_init ();
  upcr_is_checked = upcr_wants_checked_heap ();
  upcr_segment_init (THREADS, upcr_options.heap_bytes);
  upcr_sync_init (THREADS, upcr_cpu_count_for (THREADS));
  upcr_find_location = upcr_find_caller;
  upcr_crash_init (describers);
  upcr_gasp_init ();
  int status = upcr_threads_run (run_program, argc, argv, envp);
  if (upcr_report_transfers () && !status)
    status = 1;
  if (upcr_options.check == UPCR_CHECK_LEAKS)
    upcr_report_leaks ();
  if (upcr_options.check == UPCR_CHECK_HEAP)
    upcr_report_heap ();
  /* Not by a return: a thread that the program made may end the process now too. */
  upcr_end_process (status);
}
