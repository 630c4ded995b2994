/* Waiting for other processes, and the thread that makes progress for processes that wait for this one.

   A waiting thread makes progress itself. First it does so in a tight loop, as an answer takes a few
   microseconds. Then it yields the CPU to other threads, which may be those it waits for, of this process
   or of another one on the node; if these have more threads than CPUs, it yields at once, and not for
   long. Then it sleeps between two looks. The progress thread serves other processes while this one's
   threads compute, and sleeps in the same way: a request waits for at most ROUSED_NS if something arrived
   lately, else for DROWSY_NS. */

#include "runtime/net/net.h"

#include "runtime/net/finish.h"
#include "runtime/start/start.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum
{
  TIGHT_LOOKS = 100,
  YIELDING_LOOKS = 4000,
  OVERSUBSCRIBED_LOOKS = 40,
  WAITER_NS = 5000, /* so many for each thread of the process, which all may sleep */
  ROUSED_NS = 50000,
  DROWSY_NS = 500000,
  ROUSED_LOOKS = 2000,
  SLACK_NS = 1000 /* by which the kernel may be late; its own choice is as long as the sleeps */
};

/* Not by nanosleep: who asks what the thread does interrupts that of a program's for good. */
static void
sleep_ns (long ns)
{
  static __thread bool is_punctual;
  static uint32_t nobody_wakes;
  int before = errno;

  if (!is_punctual)
    prctl (PR_SET_TIMERSLACK, (unsigned long) SLACK_NS);
  is_punctual = true;
  syscall (SYS_futex, &nobody_wakes, FUTEX_WAIT_PRIVATE, 0, &(struct timespec){ .tv_nsec = ns },
           NULL, 0);
  errno = before;
}

bool upcr_net_is_oversubscribed;

void
upcr_net_look (void)
{
  upcr_net_follow_end ();
  upcr_net_progress ();
}

void
upcr_net_relax (unsigned *looks)
{
  upcr_net_follow_end ();
  if (upcr_net_progress ())
    {
      *looks = 0;
      if (upcr_net_is_oversubscribed)
        sched_yield ();
      return;
    }
  ++*looks;
  if (*looks < TIGHT_LOOKS && !upcr_net_is_oversubscribed)
    upcr_pause ();
  else if (*looks < (upcr_net_is_oversubscribed ? OVERSUBSCRIBED_LOOKS : YIELDING_LOOKS))
    sched_yield ();
  else
    sleep_ns ((long) WAITER_NS * UPCR_OWN_THREADS);
}

void
upcr_net_await (upcr_net_open *open)
{
  unsigned looks = 0;

  while (atomic_load_explicit (open, memory_order_acquire) != 0)
    upcr_net_relax (&looks);
}

static void (*look_hook) (void);

void
upcr_net_hook_look (void (*function) (void))
{
  look_hook = function;
}

static void *
serve (void *unused)
{
  unsigned idle = 0;

  (void) unused;
  pthread_setname_np (pthread_self (), "upc net");
  for (;;)
    {
      upcr_net_follow_end ();
      upcr_net_push_left ();
      if (look_hook)
        look_hook ();
      idle = upcr_net_progress () ? 0 : idle + 1;
      if (idle > 0)
        sleep_ns (idle < ROUSED_LOOKS ? ROUSED_NS : DROWSY_NS);
      else
        sched_yield ();
    }
  return NULL;
}

void
upcr_net_start (void)
{
  pthread_t thread;
  sigset_t all, before;
  int error;

  if (upcr_net_place ().size == 1)
    return;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  error = upcr_create_posix_thread (&thread, NULL, serve, NULL);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (error)
    upcr_fatal ("cannot start the thread that serves other processes: %s", strerror (error));
  atomic_fetch_add (&upcr_helper_threads, 1);
}
