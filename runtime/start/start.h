/* The start room: what a run is (THREADS, options, CPUs), how its threads begin
   and end, and how the program dies with one clear line.

   Every other room may call this one; it calls none. */

#ifndef UPCR_START_H
#define UPCR_START_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define UPCR_MAX_THREADS 1024

/* Both are names of the object interface: compiled code reads them as data.
   THREADS never changes after start; MYTHREAD is set once in each thread. */
extern int THREADS;
extern unsigned long __upc_threads_reciprocal;
extern __thread int MYTHREAD;
extern __thread int __upc_forall_depth;

/* q = (2 n R) >> 64 is n / THREADS for every n below 2^53: the error of R is at most
   THREADS / 2^63 of itself, less than what would carry q to the next integer. One bit
   is left out of R so that THREADS 1 fits. */
#define UPCR_RECIPROCAL(threads) ((1ul << 63) / (threads) + 1)

/* Sets THREADS and what follows from it. */
void upcr_set_threads (int threads);

/* The place in the UPC source that the calling thread executes, set by the `g`
   entry points for the time of the call; file is NULL when it is not known. */
struct upcr_place
{
  const char *file;
  int line;
};
extern __thread struct upcr_place upcr_here;

/* Where the statement that gave a barrier's id returns to: the place where no `g` entry
   point tells one. */
extern __thread const void *upcr_caller;

/* The fence keeps the compiler from dropping the place as a dead store: a signal
   handler reads it when the operation in between faults. */
static inline void
upcr_enter (const char *file, int line)
{
  upcr_here = (struct upcr_place){ file, line };
  atomic_signal_fence (memory_order_seq_cst);
}

static inline void
upcr_leave (void)
{
  atomic_signal_fence (memory_order_seq_cst);
  upcr_here.file = NULL;
}

/* How a run was asked for: the command line, the environment, the defaults. */
enum upcr_bind
{
  UPCR_BIND_NONE,
  UPCR_BIND_CORE
};

/* What a run does that can never go on, every thread waiting for another. */
enum upcr_deadlock
{
  UPCR_DEADLOCK_ABORT,   /* says so and ends */
  UPCR_DEADLOCK_REPORT,  /* says so and stays as it is, for a debugger */
  UPCR_DEADLOCK_OFF
};

/* How a thread waits for another. */
enum upcr_wait
{
  UPCR_WAIT_ADAPTIVE,    /* as the CPUs allow */
  UPCR_WAIT_SPIN,        /* never sleeps */
  UPCR_WAIT_SLEEP        /* at once */
};

struct upcr_options
{
  int threads;         /* 1 to UPCR_MAX_THREADS */
  size_t heap_bytes;   /* shared heap of each thread; 0: as the partition allows */
  size_t stack_bytes;  /* stack of each thread, private statics not counted */
  enum upcr_bind bind;
  enum upcr_deadlock deadlock;
  enum upcr_wait wait;
  bool check;          /* UPC_CHECK=1: what the specification lets pass but is hardly
                          meant is an error too */
};

extern struct upcr_options upcr_options;

/* The program's name for messages: the last component of argv[0]. */
extern const char *upcr_program;

/* Finds the place of the calling thread in the program, for errors of calls that did not
   tell theirs: upcr_where_here, where the program is one that has lines. NULL: nobody
   looks. */
struct upcr_where;
extern bool (*upcr_find_place) (struct upcr_where *where);

/* Ends the run: prints one line on stderr, flushes standard I/O, exit status 1. The line
   is `FILE:LINE: error: thread N: MESSAGE` where upcr_here is set or upcr_find_place finds
   the line, else `PROGRAM: error: thread N: MESSAGE`. Any thread may call it; the first
   wins. */
_Noreturn void upcr_fatal (const char *format, ...)
  __attribute__ ((format (printf, 1, 2), cold));

_Noreturn void upcr_fatal_list (const char *format, va_list args)
  __attribute__ ((format (printf, 1, 0), cold));

/* The same for what the user asked for wrongly, before there are threads: no
   thread in the line, exit status 2. */
_Noreturn void upcr_usage_error (const char *format, ...)
  __attribute__ ((format (printf, 1, 2), cold));

/* The line of upcr_fatal without the end, for what ends the run otherwise. */
void upcr_print_error (const char *text);

/* One line `PROGRAM: error: …` or `warning` (KIND) of no thread; the run goes on. Takes
   no lock and calls no malloc. */
void upcr_print_of_run (const char *kind, const char *text);

/* One line `… warning: …` in the same form; the run goes on. */
void upcr_warning (const char *format, ...)
  __attribute__ ((format (printf, 1, 2), cold));

/* Ends the process with STATUS, whatever the other threads do: exit handlers of
   the process run, standard I/O is flushed. The first caller's status counts. */
_Noreturn void upcr_end_process (int status);

/* Returns in the first thread that calls it; the others wait for the end. */
void upcr_end_once (void);

/* What watches the program is told, once it is there (NULL: nothing is): by each UPC thread
   that ends, before its exit handlers, where it may wait for the others; by the thread that
   ends the process, after upcr_end_once. */
extern void (*upcr_before_exit) (int status);
extern void (*upcr_before_end) (int status);

/* Runs BODY in every UPC thread, this one being thread 0, with copies of the
   arguments, and returns the status of the run: the first nonzero one in thread
   order. A thread ends when BODY returns or upcr_thread_end is called in it. */
typedef int upcr_thread_body (int argc, char **argv, char **envp);
int upcr_threads_run (upcr_thread_body *body, int argc, char **argv, char **envp);

/* Called again and again by thread 0, when it has ended, while it waits for the
   others. NULL: nothing is. */
extern void (*upcr_when_idle) (void);

/* Ends the calling UPC thread with STATUS, from any depth of calls. */
_Noreturn void upcr_thread_end (int status);

/* Is thread 0 a thread beside the process's initial one, which then only waits? */
bool upcr_thread_0_is_beside (void);

/* Is the calling thread one of the UPC threads, not one that the program made? */
int upcr_is_upc_thread (void);

/* The thread-local storage of the program and its libraries, which glibc takes out of
   each thread's stack. */
size_t upcr_tls_bytes (void);

/* Ends the run with one line where there is too little memory for malloc to work: before its
   first call; and beside the threads, when their stacks are there. */
void upcr_require_room (void);
void upcr_require_room_for_threads (void);

/* CPUs this process may use: its affinity mask, and the CPU quota of its cgroup
   rounded up. At least 1. Reads the system anew at each call. */
int upcr_cpu_count (void);

/* The part of it that a container's quota gives now, rounded up; 0: no quota. */
int upcr_cgroup_quota_now (void);

/* The same where only the comparison with THREADS matters: a number that is below
   THREADS when the count is, and not when it is not. Cheaper. */
int upcr_cpu_count_for (int threads);

#endif
