/* The host room: what every other room needs to know about the machine and the run. Which thread
   calls, and where in the source it is; errors and the end of the process; the variables and
   switches of the run; CPUs; mappings; ticks.

   The only room below it is arch. */

#ifndef UPCR_HOST_H
#define UPCR_HOST_H

#include "runtime/arch/arch.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sanitizer that this is compiled for: UPCR_TSAN, UPCR_ASAN, or neither. */
#ifdef __has_feature
#define UPCR_HAS_FEATURE(x) __has_feature (x)
#else
#define UPCR_HAS_FEATURE(x) 0
#endif
#if defined __SANITIZE_THREAD__ || UPCR_HAS_FEATURE(thread_sanitizer)
#define UPCR_TSAN 1
#elif defined __SANITIZE_ADDRESS__ || UPCR_HAS_FEATURE(address_sanitizer)
#define UPCR_ASAN 1
#endif

/* ---- Identity (identity.c) ---- */

#define UPCR_MAX_THREADS 1024

/* Declares a private variable: each UPC thread has one, which all POSIX threads that it makes
   share. It is defined in a file that upc-privatize rewrites (private.c, runtime/libc). Hidden,
   or clang would load its address from the GOT. */
#define UPCR_PRIVATE extern UPCR_PRIVATE_SEGMENT __attribute__ ((visibility ("hidden")))

/* For functions that read and write private variables while UPC threads run. gcc's
   ThreadSanitizer would take all threads' for one. */
#define UPCR_USES_PRIVATE __attribute__ ((no_sanitize ("thread")))

/* Both are names of the object interface: compiled code reads them as data.
   THREADS never changes after start; MYTHREAD is set once in each UPC thread. */
extern int THREADS;
extern unsigned long __upc_threads_reciprocal;
extern int __upc_threads_log2;
extern char *__upc_partitions[];

/* By its other name: where gdb knows a declaration of MYTHREAD, it looks for no definition, and
   shows that of UPC thread 0. */
UPCR_PRIVATE int upcr_mythread __asm__("__upc_mythread");
#define MYTHREAD upcr_mythread

/* Has the UPC thread made other threads? Those that libc makes do not count. */
UPCR_PRIVATE bool upcr_has_threads;

/* From where the linker has put private data to the calling UPC thread's: 0 in thread 0. */
UPCR_PRIVATE long upcr_private_delta;

/* The depth of upc_forall loops, the calling UPC thread's. */
int *upcr_forall_depth (void);

/* q = (2 n R) >> 64 is n / THREADS for every n below 2^53: the error of R is at most
   THREADS / 2^63 of itself, less than what would carry q to the next integer. One bit
   is left out of R so that THREADS 1 fits. */
#define UPCR_RECIPROCAL(threads) ((1ul << 63) / (threads) + 1)

/* The UPC threads of this process: all, but where the runtime is compiled for several processes
   (runtime/net). */
#ifdef UPCR_NETWORK
/* Qualifies a variable that each process has. A test with several processes in one, each a thread, makes it __thread. */
#ifndef UPCR_PER_PROCESS
#define UPCR_PER_PROCESS
#endif
extern UPCR_PER_PROCESS int upcr_first_thread, upcr_own_threads;
void upcr_set_own_threads (int first, int count);
void upcr_set_near_threads (int first, int count);
#define UPCR_FIRST_THREAD upcr_first_thread
#define UPCR_OWN_THREADS upcr_own_threads
#else
#define UPCR_FIRST_THREAD 0
#define UPCR_OWN_THREADS THREADS
#endif
#define UPCR_LAST_THREAD (UPCR_FIRST_THREAD + UPCR_OWN_THREADS - 1)

/* Sets THREADS and what follows from it. */
void upcr_set_threads (int threads);

/* Is the calling thread the first of a UPC thread, not one that the program created? */
extern __thread bool upcr_in_upc_thread;

static inline bool
upcr_is_upc_thread (void)
{
  return upcr_in_upc_thread;
}

/* The program's name for messages: the last component of argv[0]. */
extern const char *upcr_program;

/* The file that the runtime is linked into: the program's, or with UPCR_LIBRARY a shared library's. */
const char *upcr_own_file (void);

/* A source location; file is NULL when it is not known. */
struct upcr_location
{
  const char *file;
  int line;
};

/* The source location that the calling thread executes. The `g` entry points set it for
   the time of the call. */
extern __thread struct upcr_location upcr_here;

/* The return address of the statement that gave a barrier's id: used where no `g` entry
   point sets upcr_here. */
extern __thread const void *upcr_caller;

/* The fence keeps the compiler from dropping the location as a dead store: a signal
   handler reads it when the operation in between faults. */
static inline void
upcr_enter (const char *file, int line)
{
  upcr_here = (struct upcr_location){ file, line };
  atomic_signal_fence (memory_order_seq_cst);
}

static inline void
upcr_leave (void)
{
  atomic_signal_fence (memory_order_seq_cst);
  upcr_here.file = NULL;
}

/* ---- Errors (error.c) ---- */

/* Finds the source location of the calling thread for errors of calls that did not set
   upcr_here. Set by who can read debug information; NULL: nobody can. */
extern bool (*upcr_find_location) (struct upcr_location *location);

/* Ends the run: prints one line on stderr, flushes standard I/O, exit status 1. The line
   is `FILE:LINE: error: thread N: MESSAGE` where the location is known, else
   `PROGRAM: error: thread N: MESSAGE`. Any thread may call it; the first wins. */
_Noreturn void upcr_fatal (const char *format, ...) __attribute__ ((format (printf, 1, 2), cold));

_Noreturn void upcr_fatal_list (const char *format, va_list args)
    __attribute__ ((format (printf, 1, 0), cold));

/* The same for wrong options and limits, before there are threads: no thread in the
   line, exit status 2. */
_Noreturn void upcr_usage_error (const char *format, ...)
    __attribute__ ((format (printf, 1, 2), cold));

/* The end of upcr_fatal, for those who have said what is wrong and have called upcr_end_once: with
   status 1, or as UPC_ABORT and UPC_FREEZE_ON_ERROR ask for. */
_Noreturn void upcr_fail (void) __attribute__ ((cold));

/* Stops the process until a debugger, or a signal, has it go on. */
void upcr_await_debugger (void) __attribute__ ((cold));

/* Prints the line of upcr_fatal, but returns. */
void upcr_print_error (const char *text);

/* Prints one line `PROGRAM: KIND: TEXT`, KIND being `error` or `warning`, and returns.
   Takes no lock and does not call malloc. */
void upcr_print_message (const char *kind, const char *text);

/* Prints one line `… warning: …` in the form of upcr_fatal, and returns but with UPC_WARN_FATAL. */
void upcr_warning (const char *format, ...) __attribute__ ((format (printf, 1, 2), cold));

/* upcr_warning or upcr_fatal. */
void upcr_complain (bool is_warning, const char *format, ...)
    __attribute__ ((format (printf, 2, 3), cold));

/* ---- The end of the process (exit.c) ---- */

/* Ends the process with STATUS, whatever the other threads do: exit handlers of
   the process run, standard I/O is flushed. The first caller's status counts. */
_Noreturn void upcr_end_process (int status);

/* Returns in the first thread that calls it; the others wait for the end. */
void upcr_end_once (void);

/* Hooks of a performance tool, or NULL. The first is called by each UPC thread that ends,
   before its exit handlers, where it may wait for the others; the second by the thread that
   ends the process, after upcr_end_once. */
extern void (*upcr_before_exit) (int status);
extern void (*upcr_before_end) (int status);

/* The process calls abort behind upcr_before_end. */
extern bool upcr_is_aborting;

/* ---- Options (options.c). The choices of a variable are enumerated in the order that
   variables.def has them in. ---- */

enum upcr_bind
{
  UPCR_BIND_NONE,
  UPCR_BIND_CORE
};

/* What happens when every thread waits for another. */
enum upcr_deadlock
{
  UPCR_DEADLOCK_ABORT,
  UPCR_DEADLOCK_REPORT,
  UPCR_DEADLOCK_OFF
};

/* How a thread waits for another. */
enum upcr_wait
{
  UPCR_WAIT_ADAPTIVE, /* spins while CPUs are free, then sleeps */
  UPCR_WAIT_SPIN,     /* never sleeps */
  UPCR_WAIT_SLEEP     /* sleeps at once */
};

/* What is reported besides errors. */
enum upcr_check
{
  UPCR_CHECK_ERRORS,
  UPCR_CHECK_SUSPICIOUS, /* what is valid UPC but hardly intended, as an error */
  UPCR_CHECK_LEAKS,      /* that, and at the end of the run what was never freed */
  UPCR_CHECK_HEAP,       /* UPCR_CHECK_SUSPICIOUS, and how much of the shared heap was used */
  UPCR_CHECK_CALLS /* of a program that checks its accesses: wrong calls, as with the others, but
                            nothing that is valid */
};

struct upcr_options
{
  int threads;        /* 1 to UPCR_MAX_THREADS */
  size_t heap_bytes;  /* shared heap of each thread; 0: as the partition allows */
  bool heap_is_wish;  /* the environment asks for it, and can do with less */
  size_t stack_bytes; /* stack of each thread, private statics not counted */
  enum upcr_bind bind;
  enum upcr_deadlock deadlock;
  enum upcr_wait wait;
  enum upcr_check check;
  int race_sample;  /* of so many granules one; 0: as the detector likes */
  int freeze;       /* the thread before whose main the process stops; -1: none */
  int freeze_early; /* not -1: before there are threads */
  bool freezes_on_error;
  bool aborts; /* on errors */
  bool has_fatal_warnings;
  bool mismatch_warns; /* of the ids of barriers */
#ifdef UPCR_NETWORK
  int network_shared;  /* so many processes of a node share memory at most; 0: all of them */
  bool network_parent; /* read by itself, before the others (runtime/net/parent.c) */
#endif
};

extern struct upcr_options upcr_options;

/* Yes in the manner of Berkeley UPC's variables? NULL is none. */
bool upcr_says_yes (const char *text);

/* Is what is valid but hardly meant an error? */
static inline bool
upcr_refuses_suspicious (void)
{
  return upcr_options.check && upcr_options.check != UPCR_CHECK_CALLS;
}

/* Fills upcr_options from the compiled-in thread count STATIC_THREADS (0: none),
   the leading switches of ARGV, the environment and the machine, and takes the
   switches out of ARGV. Ends the run with status 2 on a bad value. */
void upcr_options_read (int static_threads, int *argc, char **argv);

/* ---- CPUs (cpus.c) ---- */

/* The CPUs that this process may use: its affinity mask, limited by the CPU quota of its
   cgroup, rounded up. At least 1. Reads the system anew at each call. */
int upcr_cpu_count (void);

/* The current CPU quota of the cgroup, rounded up; 0: no quota. */
int upcr_cgroup_quota_now (void);

/* Cheaper, where only the comparison with THREADS matters: the result is less than THREADS
   if and only if upcr_cpu_count is. */
int upcr_cpu_count_for (int threads);

/* ---- Mappings (mappings.c) ---- */

/* What is mapped into the process, as the system lists it. */
struct upcr_mapping
{
  uintptr_t begin, end;
  char permissions[4]; /* `r-x` */
  char name[64];       /* of the file, without its folder; `[heap]` and its like; or empty */
};

/* Calls VISIT (MAPPING, DATA) for each, in the order of addresses, until it returns false; for none where
   there is no list. Takes no lock and calls no malloc. */
void upcr_each_mapping (bool (*visit) (const struct upcr_mapping *mapping, void *data), void *data);

/* Maps BYTES without access at WANTED; false, and errno, where something is there. */
bool upcr_reserve_at (char *wanted, size_t bytes);

/* ---- Ticks (ticks.c) ---- */

/* Now, in ticks: the CPU's counter where that is invariant, else nanoseconds. Never
   decreases in a thread. */
uint64_t upcr_ticks_now (void);

/* TICKS as nanoseconds, rounded down; a function of TICKS alone. UINT64_MAX where
   that is too small. The first call of a run may wait until the counter has been
   observed for UPCR_TICKS_OBSERVED_NS. */
uint64_t upcr_ticks_to_ns (uint64_t ticks);

#define UPCR_TICKS_OBSERVED_NS 25000000

#endif
