/* The functions of upct.h, which a shared library has in place of main. This is a separate
   object, as all other names of the runtime are hidden in the library.

   field      written by                         read by             order
   state      who may change it                  all                 acquire, release
   phase      thread 0, for each function        the other threads   the park room's
   function   thread 0, before phase             the other threads   by phase
   argument   likewise

   Thread 0 changes phase again only after the barrier at the end of the function, which comes
   after the others have read both. */

#include "upct.h"

#include "runtime/abi/abi.h"
#include "runtime/coll/coll.h"
#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/shared/shared.h"
#include "runtime/start/start.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

/* NEW, LOOKING whether there may be UPC threads, and if so STARTING, READY, RUNNING, READY, …, ENDING,
   ENDED. */
enum state
{
  STATE_NEW,
  STATE_LOOKING,
  STATE_STARTING,
  STATE_READY,
  STATE_RUNNING,
  STATE_ENDING,
  STATE_ENDED
};

static _Atomic int state;
static _Atomic uint32_t phase;
static void (*function) (void *); /* null: the end */
static void *argument;

extern char **environ;

/* From one state to the next; or the error. */
static int
enter (enum state from, enum state to)
{
  int found = from;

  if (atomic_compare_exchange_strong_explicit (&state, &found, to, memory_order_acquire,
                                               memory_order_acquire))
    return UPCT_OK;
  return found == STATE_RUNNING ? UPCT_BUSY : UPCT_NOT_STARTED;
}

static void
leave (enum state to)
{
  atomic_store_explicit (&state, to, memory_order_release);
}

/* The shared segment has one place in all processes. Kernels before 4.17 and emulators take the address for a wish
   and give another one if something is there. */
static bool
is_segment_free (void)
{
  char *wanted = upcr_segment_address (0, 0);
  char *got = mmap (wanted, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

  if (got == MAP_FAILED)
    return errno != EEXIST;
  munmap (got, 1);
  return got == wanted;
}

/* From NEW to STARTING; or the error. Two threads do not look at once: each would find the other. */
static int
enter_start (void)
{
  int found = STATE_NEW;

  while (!atomic_compare_exchange_strong_explicit (&state, &found, STATE_LOOKING,
                                                   memory_order_acquire, memory_order_acquire))
    {
      if (found != STATE_LOOKING)
        return UPCT_STARTED;
      found = STATE_NEW;
      sched_yield ();
    }
  if (is_segment_free ())
    {
      leave (STATE_STARTING);
      return UPCT_OK;
    }
  leave (STATE_NEW);
  return UPCT_IN_USE;
}

static int
check_threads (int threads)
{
  int compiled = upcr_static_threads ();

  if (threads < 0 || threads > UPCR_MAX_THREADS)
    return UPCT_BAD_THREADS;
  return threads && compiled && threads != compiled ? UPCT_FIXED_THREADS : UPCT_OK;
}

static void
begin_thread (int argc, char **argv, char **envp)
{
  upcr_run_begin_thread (&argc, &argv, envp);
  upcr_collective_barrier ("upct_init");
}

/* In threads 1 and up. */
static int
serve (int argc, char **argv, char **envp)
{
  uint32_t seen = 0;

  begin_thread (argc, argv, envp);
  for (;;)
    {
      upcr_set_wait_reason ("upct_run", NULL);
      upcr_park_while (&phase, seen++);
      if (!function)
        break;
      function (argument);
      upcr_collective_barrier ("upct_run");
    }
  upcr_run_exit_handlers (0);
  return 0;
}

static void
publish (void (*new_function) (void *), void *new_argument)
{
  function = new_function;
  argument = new_argument;
  atomic_store_explicit (&phase, phase + 1, memory_order_release);
  upcr_unpark_all (&phase);
}

int
upct_init (int threads)
{
  char count[32];
  char *argv[] = { program_invocation_short_name, count, NULL };
  int argc = threads ? 2 : 1, error = check_threads (threads);

  if (error || (error = enter_start ()))
    return error;
  snprintf (count, sizeof count, "-fupc-threads-%d", threads);
  argv[argc] = NULL;
  upcr_is_hosted = true;
  upcr_run_begin (&argc, argv);
  upcr_threads_start (serve, argc, argv, environ);
  upcr_thread_0_enter ();
  begin_thread (argc, argv, environ);
  upcr_thread_0_leave ();
  leave (STATE_READY);
  return UPCT_OK;
}

/* What UPC thread 0 does ends the process if it is the end of the calling thread. */
static void
exit_by_unwinding (void *unused)
{
  (void) unused;
  upcr_exit (0);
}

static void
run (void (*new_function) (void *), void *new_argument)
{
  pthread_cleanup_push (exit_by_unwinding, NULL);
  upcr_thread_0_enter ();
  publish (new_function, new_argument);
  new_function (new_argument);
  upcr_collective_barrier ("upct_run");
  upcr_thread_0_leave ();
  pthread_cleanup_pop (0);
}

int
upct_run (void (*new_function) (void *), void *new_argument)
{
  int error = upcr_is_forked () ? UPCT_NOT_STARTED : UPCT_OK;

  if (!new_function)
    return UPCT_NO_FUNCTION;
  if (error || (error = enter (STATE_READY, STATE_RUNNING)))
    return error;
  run (new_function, new_argument);
  leave (STATE_READY);
  return UPCT_OK;
}

int
upct_finish (void)
{
  int error = upcr_is_forked () ? UPCT_NOT_STARTED : enter (STATE_READY, STATE_ENDING);

  if (error)
    return error;
  publish (NULL, NULL);
  upcr_thread_0_enter ();
  upcr_run_exit_handlers (0);
  upcr_threads_await ();
  upcr_run_end ();
  if (upcr_teams_end)
    upcr_teams_end ();
  upcr_segment_end (THREADS);
  upcr_thread_0_leave ();
  leave (STATE_ENDED);
  return UPCT_OK;
}

int
upct_threads (void)
{
  int now = atomic_load_explicit (&state, memory_order_acquire);

  return now == STATE_READY || now == STATE_RUNNING ? THREADS : 0;
}

const char *
upct_error_text (int error)
{
  static const char *const texts[] = {
    "no error",
    "invalid number of threads: expected 1 to 1024, or 0",
    "the library was compiled for another number of threads",
    "this process has UPC threads already: it is a UPC program, or has another library of UPC",
    "upct_init has been called before",
    "no UPC threads: before upct_init, after upct_finish, or in a child of fork",
    "the UPC threads are running a function",
    "no function to run",
  };
  unsigned index = -error;

  return index < sizeof texts / sizeof *texts ? texts[index] : "unknown error";
}
