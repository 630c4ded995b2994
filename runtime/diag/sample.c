/* A thread is sampled by sending it SIGQUIT, the signal that users send to the process to get
   a report. The handler walks the stack and stores what it finds.

   field            written by                       read by            order
   tids[t]          thread t; 0: not there           who asks           acquire, release
   ended[t]         thread t                         all                acquire, release
   state[t]         who asks: ASKED; t: GIVEN        both               acquire, release
   samples[t]       thread t                         who asks           by the state
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
  WAIT_MS = 1000
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
static int calls[UPCR_MAX_THREADS];
static atomic_flag busy = ATOMIC_FLAG_INIT;
static void (*quit) (void);

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

static void
give_sample (void)
{
  struct upcr_sample *sample = &samples[MYTHREAD];

  sample->location = upcr_here;
  sample->n = upcr_unwind (sample->frames, UPCR_SAMPLE_FRAMES);
  atomic_store_explicit (&state[MYTHREAD], GIVEN, memory_order_release);
}

/* Both kinds of signal come here: what another thread sent carries SAMPLES. */
static void
handle_quit (int signal, siginfo_t *info, void *context)
{
  int saved = errno;

  (void) signal, (void) context;
  if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != samples)
    quit ();
  else if (upcr_is_upc_thread ()
           && atomic_load_explicit (&state[MYTHREAD], memory_order_acquire) == ASKED)
    give_sample ();
  errno = saved;
}

/* SA_RESTART: calls of the system go on where the kernel can. */
static const struct sigaction our_action = { .sa_sigaction = handle_quit,
                                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };

void
upcr_sample_init (void (*at_quit) (void))
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

static int
send_question (int tid)
{
  siginfo_t info = { .si_signo = SIGQUIT, .si_code = SI_QUEUE };

  info.si_pid = getpid ();
  info.si_uid = getuid ();
  info.si_value.sival_ptr = samples;
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
      give_sample ();
      return false;
    }
  calls[index] = blocked_in (tid);
  if (is_not_restarted (calls[index]))
    return false;
  atomic_store_explicit (&state[index], ASKED, memory_order_release);
  if (send_question (tid) == 0)
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

void
upcr_samples_release (void)
{
  atomic_flag_clear_explicit (&busy, memory_order_release);
}
