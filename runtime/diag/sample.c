/* A thread is sampled by sending it SIGQUIT, the signal that users send to the process to get
   a report. The handler walks the stack and stores what it finds.

   field            written by                       read by            order
   tids[t]          thread t; 0: not there           who asks           acquire, release
   ended[t]         thread t                         all                acquire, release
   state[t]         who asks: ASKED; t: GIVEN        both               acquire, release
   samples[t]       thread t                         who asks           by the state
   given_ns[t]      thread t: its CPU time           thread t
   busy             who asks                         all                acquire, release */

#include "runtime/arch/arch.h"
#include "runtime/diag/diag.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum
{
  WAIT_MS = 1000,
  /* Of the stack, from the red zone on, in a thread's state. */
  STACK_WORDS = 64,
  LEAST_RUN_NS = 20000
};
enum
{
  NOBODY_ASKS,
  ASKED,
  GIVEN
};

static _Atomic int tids[UPCR_MAX_THREADS];
static atomic_bool ended[UPCR_MAX_THREADS];
static _Atomic int state[UPCR_MAX_THREADS];
static struct upcr_sample samples[UPCR_MAX_THREADS];
static uint64_t given_ns[UPCR_MAX_THREADS];
static int calls[UPCR_MAX_THREADS];
static atomic_flag busy = ATOMIC_FLAG_INIT;
static void (*quit) (bool is_forwarded);

void
upcr_sample_begin_thread (int index)
{
  atomic_store_explicit (&tids[index], gettid (), memory_order_release);
}

void
upcr_sample_end_thread (int index)
{
  atomic_store_explicit (&tids[index], 0, memory_order_relaxed);
  atomic_store_explicit (&ended[index], true, memory_order_release);
}

bool
upcr_thread_has_ended (int index)
{
  return atomic_load_explicit (&ended[index], memory_order_acquire);
}

const struct upcr_sample *
upcr_sample_of (int index)
{
  return &samples[index];
}

int
upcr_sample_syscall (int index)
{
  return calls[index];
}

/* A hash of the registers and of what is near the top of the stack, where AddressSanitizer has its
   red zones too. Not 0. */
__attribute__ ((no_sanitize ("address", "thread"))) static uint64_t
state_of (const ucontext_t *context)
{
  const uint64_t *top = (const uint64_t *) ((upcr_stack_pointer (context) - UPCR_RED_ZONE_BYTES)
                                            & -8ul);
  uint64_t hash = 1;

  for (int i = 0; i < UPCR_REGISTERS; i++)
    hash = (hash ^ upcr_register (context, i)) * 0x9e3779b97f4a7c15;
  for (int i = 0; i < STACK_WORDS; i++)
    hash = ((hash ^ hash >> 32) ^ top[i]) * 0x9e3779b97f4a7c15;
  return hash | 1;
}

static uint64_t
used_ns (void)
{
  struct timespec used = { 0 };

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &used);
  return used.tv_sec * 1000000000ull + used.tv_nsec;
}

/* CONTEXT: what the signal has interrupted, or NULL. A thread that had no CPU since it was asked last
   is in the state of then, which says nothing. */
static void
give_sample (const ucontext_t *context)
{
  struct upcr_sample *sample = &samples[MYTHREAD];
  bool has_run = used_ns () - given_ns[MYTHREAD] >= LEAST_RUN_NS;

  sample->location = upcr_here;
  sample->state = context && has_run ? state_of (context) : 0;
  sample->n = upcr_unwind (sample->frames, UPCR_SAMPLE_FRAMES);
  given_ns[MYTHREAD] = used_ns ();
  atomic_store_explicit (&state[MYTHREAD], GIVEN, memory_order_release);
}

static bool
carries (const siginfo_t *info, const void *sign)
{
  return info->si_code == SI_QUEUE && info->si_value.sival_ptr == sign;
}

/* All kinds of signal come here: what another thread sent carries SAMPLES to ask, or &QUIT to have a
   report made. */
static void
handle_quit (int signal, siginfo_t *info, void *context)
{
  int saved = errno;

  (void) signal;
  if (!carries (info, samples))
    quit (carries (info, &quit));
  else if (upcr_is_upc_thread ()
           && atomic_load_explicit (&state[MYTHREAD], memory_order_acquire) == ASKED)
    give_sample (context);
  errno = saved;
}

/* SA_RESTART: calls of the system go on where the kernel can. */
static const struct sigaction our_action = { .sa_sigaction = handle_quit,
                                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };

void
upcr_sample_init (void (*at_quit) (bool is_forwarded))
{
  struct sigaction old;

  quit = at_quit;
  /* Ignored too: that is how a shell starts what is in the background. */
  if (sigaction (SIGQUIT, NULL, &old) == 0
      && (old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN))
    sigaction (SIGQUIT, &our_action, NULL);
}

/* Calls that end with EINTR whatever a handler's flags say. */
static bool
is_not_restarted (int call)
{
  static const int them[] = {
    UPCR_OLD_WAITS SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_ppoll,
    SYS_pselect6,
    SYS_epoll_pwait,
    SYS_rt_sigtimedwait,
    SYS_rt_sigsuspend,
    SYS_semop,
    SYS_semtimedop,
    SYS_msgrcv,
    SYS_msgsnd,
    SYS_io_getevents,
  };

  for (size_t i = 0; i < sizeof them / sizeof *them; i++)
    if (call == them[i])
      return true;
  return false;
}

/* The call that the thread is blocked in, as the kernel tells; -1: none. */
static int
blocked_in (int tid)
{
  char path[64], text[32];
  ssize_t n;
  int fd;

  snprintf (path, sizeof path, "/proc/self/task/%d/syscall", tid);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  n = read (fd, text, sizeof text - 1);
  close (fd);
  if (n <= 0 || text[0] < '0' || text[0] > '9')
    return -1;
  text[n] = '\0';
  return atoi (text);
}

/* Sends what carries SIGN. */
static int
send_signal (int tid, void *sign)
{
  siginfo_t info = { .si_signo = SIGQUIT, .si_code = SI_QUEUE };

  info.si_pid = getpid ();
  info.si_uid = getuid ();
  info.si_value.sival_ptr = sign;
  return syscall (SYS_rt_tgsigqueueinfo, getpid (), tid, SIGQUIT, &info);
}

/* Returns whether to wait for an answer. ThreadSanitizer delays signals until the thread
   calls something that it intercepts: an answer would come too late. */
static bool
ask (int index)
{
#ifdef UPCR_TSAN
  int tid = 0;
#else
  int tid = atomic_load_explicit (&tids[index], memory_order_acquire);
#endif

  calls[index] = -1;
  if (tid == 0)
    return false;
  if (tid == gettid ())
    {
      give_sample (NULL);
      return false;
    }
  calls[index] = blocked_in (tid);
  if (is_not_restarted (calls[index]))
    return false;
  atomic_store_explicit (&state[index], ASKED, memory_order_release);
  if (send_signal (tid, samples) == 0)
    return true;
  atomic_store_explicit (&state[index], NOBODY_ASKS, memory_order_relaxed);
  return false;
}

static bool
all_are_given (void)
{
  for (int t = 0; t < THREADS; t++)
    if (atomic_load_explicit (&state[t], memory_order_acquire) == ASKED)
      return false;
  return true;
}

/* Threads that do not answer have the signal blocked, or the machine is too slow. Their
   later answers are not read. */
static void
await_answers (void)
{
  static const struct timespec interval = { 0, 1000000 };

  for (int ms = 0; ms < WAIT_MS && !all_are_given (); ms++)
    nanosleep (&interval, NULL);
}

bool
upcr_samples_take (void)
{
  struct sigaction old;
  int asked = 0;

  if (atomic_flag_test_and_set_explicit (&busy, memory_order_acquire))
    return false;
  sigaction (SIGQUIT, &our_action, &old);
  for (int t = 0; t < THREADS; t++)
    asked += ask (t);
  if (asked > 0)
    await_answers ();
  for (int t = 0; t < THREADS; t++)
    samples[t].is_given = atomic_exchange_explicit (&state[t], NOBODY_ASKS, memory_order_acq_rel)
                          == GIVEN;
  sigaction (SIGQUIT, &old, NULL);
  return true;
}

bool
upcr_sample_forward (int index)
{
  int tid = atomic_load_explicit (&tids[index], memory_order_acquire);

  return tid != 0 && send_signal (tid, &quit) == 0;
}

void
upcr_samples_release (void)
{
  atomic_flag_clear_explicit (&busy, memory_order_release);
}
