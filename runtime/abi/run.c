/* Starts the rooms in their order, and prints the reports at the end of a run. */

#include "runtime/abi/abi.h"

#include "runtime/coll/coll.h"
#include "runtime/diag/diag.h"
#include "runtime/gasp/gasp.h"
#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/shared/shared.h"
#include "runtime/start/start.h"
#include "runtime/sync/sync.h"

#include <pthread.h>
#include <string.h>

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

void
upcr_run_begin_thread (int *argc, char ***argv, char **envp)
{
  upcr_private_resolve ();
  initialise_shared_data ();
  /* Constructors are the program's code already: they see shared data whole. */
  upcr_private_construct (*argc, *argv, envp);
  upcr_gasp_begin_thread (argc, argv);
  if (upcr_options.freeze == MYTHREAD)
    upcr_await_debugger ();
}

/* Who can say what an address is that faulted. */
static upcr_describe_address *const describers[] = { upcr_block_describe, upcr_segment_describe,
                                                     NULL };

static void
set_program (int argc, char **argv)
{
  if (argc > 0)
    {
      const char *slash = strrchr (argv[0], '/');
      upcr_program = slash ? slash + 1 : argv[0];
    }
}

static void
choose_checks (void)
{
  if (upcr_checks_accesses () && !upcr_options.check)
    upcr_options.check = UPCR_CHECK_CALLS;
  upcr_is_checked = upcr_wants_checked_heap ();
}

void
upcr_run_begin (int *argc, char **argv)
{
  set_program (*argc, argv);
  upcr_options_read (upcr_static_threads (), argc, argv);
  if (upcr_options.freeze_early >= 0)
    upcr_await_debugger ();
  upcr_set_threads (upcr_options.threads);
  if (upcr_options.bind == UPCR_BIND_CORE)
    upcr_bind_init ();
  choose_checks ();
  upcr_segment_init (THREADS, upcr_options.heap_bytes);
  upcr_sync_init (THREADS, upcr_cpu_count_for (THREADS));
  upcr_find_location = upcr_find_caller;
  upcr_crash_init (describers, NULL);
  upcr_gasp_init ();
}

bool
upcr_run_end (void)
{
  bool is_right = !upcr_report_transfers ();

  if (upcr_options.check && upcr_report_notifications ())
    is_right = false;
  if (upcr_report_overruns ())
    is_right = false;
  if (upcr_options.check && upcr_report_handles && upcr_report_handles ())
    is_right = false;
  if (upcr_plugins_end)
    upcr_plugins_end ();
  /* Of all threads. */
  if (UPCR_FIRST_THREAD > 0)
    return is_right;
  if (upcr_options.check == UPCR_CHECK_LEAKS)
    upcr_report_leaks ();
  if (upcr_options.check == UPCR_CHECK_HEAP)
    upcr_report_heap ();
  return is_right;
}
