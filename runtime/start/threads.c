/* The UPC threads: made at start, named, with stacks of their own size, each with
   its own copy of the arguments; joined at the end. A UPC thread is ended by any of its POSIX
   threads, and the run by the one that ends thread 0. */

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/start/start.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* What is needed of a thread's stack besides what the program uses: glibc's
   thread descriptor, the frames below main, and what ThreadSanitizer insists on. */
#define STACK_SLACK_BYTES (128ul << 10)

/* Below each stack, without access: a function with large frames that overflows must
   not step over it into the next thread's stack. */
#define STACK_GUARD_BYTES (256ul << 10)

struct thread
{
  int index;
  int status;                /* written by the thread before its end is counted */
  bool was_ended_by_another; /* likewise: by another POSIX thread than its first */
  _Atomic uintptr_t ender;   /* the POSIX thread that ends it; 0: none yet */
  char **argv;               /* its own copy */
  pthread_t handle;          /* of its first POSIX thread */
};

/* What all threads start with. Written before they exist. */
static struct
{
  struct thread *threads;
  sigset_t signals; /* blocked at first */
  pid_t pid;        /* of the program, not of what it forks */
  upcr_thread_body *body;
  int argc;
  char *arguments; /* the copies of threads 1 and up; live as long as the process */
  char **envp;
} run;

/* How long thread 0 waits for the others before it calls upcr_when_idle. */
#define IDLE_NS 100000000l

void (*upcr_when_idle) (void);
bool upcr_is_hosted;

_Atomic int upcr_left_threads;
_Atomic int upcr_helper_threads;

/* How many UPC threads have not ended, thread 0 aside. The last one posts `ended`. Each counts
   itself with acquire and release order, so that the post comes after what all of them wrote. */
static _Atomic int unended;
static sem_t ended;

#ifdef UPCR_TSAN
/* Where the process ends before all threads do, nobody joins those that have ended. That is
   not a leak. A program may define options of its own. */
const char *__tsan_default_options (void);

__attribute__ ((weak)) const char *
__tsan_default_options (void)
{
  return "report_thread_leaks=0";
}
#endif

static __thread jmp_buf end;
static __thread int end_status;

bool
upcr_is_forked (void)
{
  return getpid () != run.pid;
}

static _Noreturn void
stop_for_ever (void)
{
  for (;;)
    pause ();
}

/* Relaxed: who comes later reads nothing of who came first. */
void
upcr_thread_claim_end (void)
{
  uintptr_t self = (uintptr_t) __builtin_thread_pointer (), ender = 0;

  if (!upcr_is_forked ()
      && !atomic_compare_exchange_strong_explicit (&run.threads[MYTHREAD].ender, &ender, self,
                                                   memory_order_relaxed, memory_order_relaxed)
      && ender != self)
    stop_for_ever ();
}

/* What a deep copy of the arguments takes. */
static size_t
argument_bytes (int argc, char **argv)
{
  size_t bytes = (argc + 1) * sizeof *argv;

  for (int i = 0; i < argc; i++)
    bytes += strlen (argv[i]) + 1;
  return (bytes + sizeof *argv - 1) & -sizeof *argv;
}

static char **
copy_arguments (void *block, int argc, char **argv)
{
  char **copy = block;
  char *text = (char *) (copy + argc + 1);

  for (int i = 0; i < argc; i++)
    {
      copy[i] = text;
      text = stpcpy (text, argv[i]) + 1;
    }
  copy[argc] = NULL;
  return copy;
}

/* Programs write into their arguments, so each thread has its own. Copied here and
   not by the threads: a thread's first malloc makes records for it, which a thread that
   allocates nothing need not have. */
static void
give_arguments (struct thread *threads, int argc, char **argv)
{
  size_t bytes = argument_bytes (argc, argv);

  run.arguments = malloc (UPCR_OWN_THREADS * bytes);
  if (!run.arguments)
    upcr_fatal ("no memory for the arguments");
  threads[UPCR_FIRST_THREAD].argv = argv;
  for (int t = UPCR_FIRST_THREAD + 1; t <= UPCR_LAST_THREAD; t++)
    threads[t].argv = copy_arguments (run.arguments + (t - UPCR_FIRST_THREAD) * bytes, argc, argv);
}

static void
count_end (void)
{
  if (atomic_fetch_sub_explicit (&unended, 1, memory_order_acq_rel) == 1)
    sem_post (&ended);
}

static int
run_body (char **argv)
{
  upcr_sample_begin_thread (MYTHREAD);
  upcr_in_upc_thread = true;
  if (setjmp (end) == 0)
    end_status = run.body (run.argc, argv, run.envp);
  upcr_sample_end_thread (MYTHREAD);
  return end_status;
}

static void *
begin_thread (void *argument)
{
  struct thread *self = argument;
  char name[16];

  upcr_block_begin (self->index);
  snprintf (name, sizeof name, "upc %d", self->index);
  pthread_setname_np (pthread_self (), name);
  if (upcr_options.bind == UPCR_BIND_CORE)
    upcr_bind_thread (self->index);
  upcr_crash_begin_thread (self->index);
  upcr_private_keep ();
  self->status = run_body (self->argv);
  count_end ();
  return NULL;
}

static int
add_tls_bytes (struct dl_phdr_info *info, size_t size, void *sum)
{
  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS)
      *(size_t *) sum += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
  return 0;
}

size_t
upcr_tls_bytes (void)
{
  size_t sum = 0;

  dl_iterate_phdr (add_tls_bytes, &sum);
  return sum;
}

/* Thread 0 has the process's stack, which grows up to the limit of the moment. */
static void
raise_stack_limit (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
      && limit.rlim_cur < upcr_options.stack_bytes)
    {
      limit.rlim_cur = upcr_options.stack_bytes;
      if (limit.rlim_max != RLIM_INFINITY && limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
      setrlimit (RLIMIT_STACK, &limit);
    }
}

/* Whether code may run on stacks, which the trampolines of nested functions ask for:
   the linker says so of the program and of each shared library. */
static int
asks_for_code_on_stacks (struct dl_phdr_info *info, size_t size, void *unused)
{
  (void) size, (void) unused;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_STACK)
      return (info->dlpi_phdr[i].p_flags & PF_X) != 0;
  return 0;
}

/* How the memory of the stacks is laid out: for each thread a guard and a stack. */
struct slots
{
  char *start;
  size_t bytes, stack_bytes; /* of one */
};

static _Noreturn void
refuse_stacks (void)
{
  upcr_fatal ("cannot start %d threads, with a stack of %zu KiB each: %s", THREADS,
              upcr_options.stack_bytes >> 10, strerror (errno));
}

/* All stacks in one mapping, each above a guard that faults. glibc would map and
   unmap them one by one: a quarter of what 1024 threads take to start and end. Guards are made
   before there are threads, which would have to be told of each. It is never unmapped: the
   process ends when the threads have. */
static struct slots
map_slots (int count)
{
  struct slots slots;
  size_t bytes;
  int code = dl_iterate_phdr (asks_for_code_on_stacks, NULL) ? PROT_EXEC : 0;

  slots.stack_bytes = (upcr_options.stack_bytes + upcr_tls_bytes () + STACK_SLACK_BYTES
                       + UPCR_PAGE_BYTES - 1)
                      & -UPCR_PAGE_BYTES;
  slots.bytes = STACK_GUARD_BYTES + slots.stack_bytes;
  bytes = count * slots.bytes;
  slots.start = mmap (NULL, bytes, PROT_READ | PROT_WRITE | code,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (slots.start == MAP_FAILED)
    refuse_stacks ();
  /* A huge page for the few that a thread touches: 2 MiB each. Kernels before 6.7 do
     not take MAP_STACK for a hint. An error means that there are no huge pages. */
  madvise (slots.start, bytes, MADV_NOHUGEPAGE);
  for (int i = 0; i < count; i++)
    if (mprotect (slots.start + i * slots.bytes, STACK_GUARD_BYTES, PROT_NONE))
      refuse_stacks ();
  return slots;
}

static int
create_thread (struct thread *thread, char *stack, size_t bytes)
{
  pthread_attr_t attributes;
  int error;

  pthread_attr_init (&attributes);
  pthread_attr_setsigmask_np (&attributes, &run.signals);
  error = pthread_attr_setstack (&attributes, stack, bytes);
  if (!error)
    error = upcr_create_posix_thread (&thread->handle, &attributes, begin_thread, thread);
  pthread_attr_destroy (&attributes);
  return error;
}

/* Makes all threads but this one. */
static void
start_threads (struct thread *threads)
{
  struct slots slots;

  if (UPCR_OWN_THREADS == 1)
    return;
  slots = map_slots (UPCR_OWN_THREADS - 1);
  for (int t = UPCR_FIRST_THREAD + 1; t <= UPCR_LAST_THREAD; t++)
    {
      char *slot = slots.start + (t - UPCR_FIRST_THREAD - 1) * slots.bytes;
      int error = create_thread (&threads[t], slot + STACK_GUARD_BYTES, slots.stack_bytes);

      if (error)
        upcr_fatal ("cannot start thread %d of %d, with a stack of %zu KiB: %s", t, THREADS,
                    upcr_options.stack_bytes >> 10, strerror (error));
    }
}

static void
await_ends (void)
{
  struct timespec until;

  do
    {
      clock_gettime (CLOCK_REALTIME, &until);
      until.tv_nsec += IDLE_NS;
      until.tv_sec += until.tv_nsec / 1000000000;
      until.tv_nsec %= 1000000000;
      if (upcr_when_idle)
        upcr_when_idle ();
    }
  while (sem_timedwait (&ended, &until));
}

/* Joins those that end: what they do after their exit handlers is done before the process
   ends, too. */
static void
await_threads (void)
{
  if (UPCR_OWN_THREADS > 1)
    await_ends ();
  for (int t = UPCR_FIRST_THREAD + 1; t <= UPCR_LAST_THREAD; t++)
    if (!run.threads[t].was_ended_by_another)
      pthread_join (run.threads[t].handle, NULL);
}

/* As the status of a process each thread's would be cut to eight bits: exit (256)
   is success. */
static int
status_of_run (void)
{
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    if (run.threads[t].status & 0xff)
      return run.threads[t].status & 0xff;
  return 0;
}

void
upcr_threads_start (upcr_thread_body *body, int argc, char **argv, char **envp)
{
  run.threads = calloc (THREADS, sizeof *run.threads);
  if (!run.threads)
    upcr_fatal ("no memory for %d threads", THREADS);
  run.body = body;
  run.argc = argc;
  run.envp = envp;
  run.pid = getpid ();
  unended = UPCR_OWN_THREADS - 1;
  sem_init (&ended, 0, 0);
  for (int t = 0; t < THREADS; t++)
    run.threads[t].index = t;
  give_arguments (run.threads, argc, argv);
  pthread_sigmask (SIG_SETMASK, NULL, &run.signals);
  upcr_blocks_map (UPCR_OWN_THREADS);
  upcr_block_begin (UPCR_FIRST_THREAD);
  start_threads (run.threads);
}

int
upcr_threads_await (void)
{
  upcr_sample_end_thread (UPCR_FIRST_THREAD);
  await_threads ();
  return status_of_run ();
}

int
upcr_threads_run (upcr_thread_body *body, int argc, char **argv, char **envp)
{
  raise_stack_limit ();
  upcr_threads_start (body, argc, argv, envp);
  if (upcr_options.bind == UPCR_BIND_CORE)
    upcr_bind_thread (UPCR_FIRST_THREAD);
  upcr_crash_begin_thread (UPCR_FIRST_THREAD);
  run.threads[UPCR_FIRST_THREAD].status = run_body (run.threads[UPCR_FIRST_THREAD].argv);
  return upcr_threads_await ();
}

void
upcr_thread_0_enter (void)
{
  upcr_sample_begin_thread (0);
  upcr_in_upc_thread = true;
}

void
upcr_thread_0_leave (void)
{
  upcr_in_upc_thread = false;
}

void
upcr_thread_end (int status)
{
  struct thread *self = &run.threads[MYTHREAD];

  if (upcr_is_hosted || upcr_is_forked ())
    upcr_end_process (status);
  if (upcr_is_upc_thread ())
    {
      end_status = status;
      longjmp (end, 1);
    }
  self->status = status;
  self->was_ended_by_another = true;
  upcr_sample_end_thread (MYTHREAD);
  if (MYTHREAD == UPCR_FIRST_THREAD)
    {
      await_threads ();
      upcr_end_process (status_of_run ());
    }
  count_end ();
  stop_for_ever ();
}
