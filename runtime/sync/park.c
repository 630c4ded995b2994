/* Waiting: awake at first (awake.c), then asleep in a futex.

   field            written by             read by     order
   upcr_sleepers[i] a thread that parks    the waker   see upcr_park_while
   waiters[t]       t, who nudges it       both        see sleep_until_nudged
   upcr_kernel      tests                  all         before the threads exist */

#include "runtime/sync/park.h"

#include "runtime/start/start.h"
#include "runtime/sync/awake.h"
#include "runtime/sync/crowd.h"
#include "runtime/sync/debug.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/stuck.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct upcr_sleepers upcr_sleepers[UPCR_SLEEPER_SLOTS];

/* A count of nudges, in units of A_NUDGE, and whether the thread sleeps. */
enum { ASLEEP = 1, A_NUDGE = 2 };

static struct
{
  _Alignas (64) _Atomic uint32_t nudges;
} waiters[UPCR_MAX_THREADS];

static int
futex_wait (_Atomic uint32_t *word, uint32_t seen)
{
  struct timespec time;
  unsigned turn = 0;
  int error;

  upcr_sleep_begins (word, seen, NULL, 0);
  while ((error = syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, seen,
                           upcr_sleep_limit (turn++, &time), NULL, 0) < 0 ? errno : 0) == ETIMEDOUT)
    upcr_look_if_stuck ();
  upcr_sleep_ends ();
  return error;
}

/* Kernels before 5.16 cannot wait for two words, nor some that imitate Linux: there
   the second one is looked at every millisecond. TIME as upcr_sleep_limit has it. */
static int
futex_waitv (_Atomic uint32_t *word, uint32_t seen, _Atomic uint32_t *other, uint32_t other_seen,
             const struct timespec *time)
{
  struct futex_waitv both[] = {
    { .val = seen, .uaddr = (uintptr_t) word, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG },
    { .val = other_seen, .uaddr = (uintptr_t) other, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG },
  };
  const struct timespec a_millisecond = { .tv_nsec = 1000000 };
  struct timespec end;

  if (time)
    {
      clock_gettime (CLOCK_MONOTONIC, &end);
      end.tv_nsec += time->tv_nsec;
      end.tv_sec += time->tv_sec + end.tv_nsec / 1000000000;
      end.tv_nsec %= 1000000000;
    }
  if (syscall (SYS_futex_waitv, both, 2, 0, time ? &end : NULL, CLOCK_MONOTONIC) >= 0)
    return 0;
  if (errno != ENOSYS && errno != EPERM)
    return errno;
  if (syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, &a_millisecond, NULL, 0) >= 0)
    return 0;
  return errno == ETIMEDOUT ? EAGAIN : errno;
}

static int
futex_wait_two (_Atomic uint32_t *word, uint32_t seen, _Atomic uint32_t *other,
                uint32_t other_seen)
{
  struct timespec time;
  unsigned turn = 0;
  int error;

  upcr_sleep_begins (word, seen, other, other_seen);
  while ((error = futex_waitv (word, seen, other, other_seen, upcr_sleep_limit (turn++, &time)))
         == ETIMEDOUT)
    upcr_look_if_stuck ();
  upcr_sleep_ends ();
  return error;
}

static int
futex_wake (_Atomic uint32_t *word, int threads)
{
  return syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0) < 0 ? errno : 0;
}

static void
yield (void)
{
  sched_yield ();
}

static void
nap (_Atomic uint32_t *word, uint32_t seen, long ns)
{
  const struct timespec time = { .tv_nsec = ns };

  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, &time, NULL, 0);
}

struct upcr_kernel upcr_kernel = { futex_wait, futex_wait_two, futex_wake, yield, nap };
__thread upcr_progress_function *upcr_progress;

bool
upcr_make_progress (void)
{
  upcr_progress_function *progress = upcr_progress;
  bool did_something;

  upcr_progress = NULL;
  did_something = progress ();
  upcr_progress = progress;
  return did_something;
}

/* The nudge counts, so that the one between the last call of upcr_progress and the
   sleep is not lost: the kernel compares. */
static int
sleep_until_nudged (_Atomic uint32_t *word, uint32_t seen)
{
  _Atomic uint32_t *nudges = &waiters[MYTHREAD].nudges;
  uint32_t asleep = atomic_fetch_or_explicit (nudges, ASLEEP, memory_order_seq_cst) | ASLEEP;
  int error = 0;

  upcr_fence_with_rmw ();
  if (!upcr_make_progress ())
    error = upcr_kernel.futex_wait_two (word, seen, nudges, asleep);
  atomic_fetch_and_explicit (nudges, ~ASLEEP, memory_order_relaxed);
  return error;
}

/* Release: THREAD, which acquires the count when it is about to sleep, finds what was
   stored before. */
void
upcr_nudge (int thread)
{
  _Atomic uint32_t *nudges = &waiters[thread].nudges;

  if (atomic_fetch_add_explicit (nudges, A_NUDGE, memory_order_seq_cst) & ASLEEP)
    upcr_wake (nudges, 1);
}

/* 0 is a wake-up, meant or spurious; EAGAIN: the word had changed already;
   EINTR: a signal. The caller looks at the word again after each of them. */
void
upcr_sleep (_Atomic uint32_t *word, uint32_t seen)
{
  int error = upcr_progress ? sleep_until_nudged (word, seen) : upcr_kernel.futex_wait (word, seen);

  upcr_crowd_sit ();
  if (error != 0 && error != EAGAIN && error != EINTR)
    upcr_fatal ("cannot sleep: futex: %s", strerror (error));
}

/* EFAULT: the woken threads went on and gave the memory back, which is theirs
   to do once they have seen the new value. */
void
upcr_wake (_Atomic uint32_t *word, int threads)
{
  int error = upcr_kernel.futex_wake (word, threads);

  upcr_crowd_sit ();
  if (error != 0 && error != EFAULT)
    upcr_fatal ("cannot wake threads: futex: %s", strerror (error));
}

/* The waker stores to *WORD, fences, reads the counter. This thread counts
   itself, then reads *WORD (the kernel does, under its own lock). The count is a
   seq_cst read-modify-write, the waker's fence is seq_cst, so one of the two sees
   the other's write: the waker wakes, or this thread does not sleep. */
static void
park (_Atomic uint32_t *word, uint32_t seen)
{
  _Atomic uint32_t *count = upcr_sleepers_on (word);

  upcr_crowd_look ();
  atomic_fetch_add_explicit (count, 1, memory_order_seq_cst);
  upcr_fence_with_rmw ();
  UPCR_WINDOW ();
  while (atomic_load_explicit (word, memory_order_acquire) == seen)
    upcr_sleep (word, seen);
  /* Relaxed: a waker that still sees the old count makes one call too many. */
  atomic_fetch_sub_explicit (count, 1, memory_order_relaxed);
}

void
upcr_park_while (_Atomic uint32_t *word, uint32_t seen)
{
  if (!upcr_wait_awake (word, seen))
    park (word, seen);
}

void
upcr_park_asleep (_Atomic uint32_t *word, uint32_t seen)
{
  if (upcr_options.wait == UPCR_WAIT_SPIN)
    upcr_park_while (word, seen);
  else if (atomic_load_explicit (word, memory_order_acquire) == seen)
    park (word, seen);
}

void
upcr_unpark_all (_Atomic uint32_t *word)
{
  upcr_hardware_fence ();
  upcr_unpark_fenced (word);
}
