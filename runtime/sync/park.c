/* Waiting: spin, then yield, then sleep in a futex.

   Spinning is the quickest while the thread waited for runs on a CPU of its own;
   with more threads than CPUs it only burns the slice that thread needs (crowd.c).

   A word that threads park on has no room for a mark that they sleep. The marks
   are counters beside: each address has one of SLEEPER_SLOTS, found by hashing.
   Two words that share a counter cost a needless wake call, never a lost one.

   field            written by             read by     order
   sleepers[i]      a thread that parks    the waker   see upcr_park_while
   waiters[t]       t, who nudges it       both        see sleep_until_nudged
   upcr_kernel      tests                  all         before the threads exist */

#include "runtime/sync/park.h"

#include "runtime/start/start.h"
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

enum { SLEEPER_SLOTS = 64, CACHE_LINE = 64, PAUSES_A_YIELD = 64 };

static struct
{
  _Alignas (CACHE_LINE) _Atomic uint32_t count;
} sleepers[SLEEPER_SLOTS];

/* A count of nudges, in units of A_NUDGE, and whether the thread sleeps. */
enum { ASLEEP = 1, A_NUDGE = 2 };

static struct
{
  _Alignas (CACHE_LINE) _Atomic uint32_t nudges;
} waiters[UPCR_MAX_THREADS];

static int
futex_wait (_Atomic uint32_t *word, uint32_t seen)
{
  struct timespec time;
  unsigned turn = 0;
  int error;

  upcr_sleep_begins (word, seen);
  while ((error = syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, seen,
                           upcr_sleep_limit (turn++, &time), NULL, 0) < 0 ? errno : 0) == ETIMEDOUT)
    upcr_look_if_stuck ();
  upcr_sleep_ends ();
  return error;
}

/* Kernels before 5.16 cannot wait for two words, nor some that imitate Linux: there
   the second one is looked at every millisecond. */
static int
futex_wait_two (_Atomic uint32_t *word, uint32_t seen, _Atomic uint32_t *other,
                uint32_t other_seen)
{
  struct futex_waitv both[] = {
    { .val = seen, .uaddr = (uintptr_t) word, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG },
    { .val = other_seen, .uaddr = (uintptr_t) other, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG },
  };
  const struct timespec a_millisecond = { .tv_nsec = 1000000 };

  if (syscall (SYS_futex_waitv, both, 2, 0, NULL, 0) >= 0)
    return 0;
  if (errno != ENOSYS && errno != EPERM)
    return errno;
  if (syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, &a_millisecond, NULL, 0) >= 0)
    return 0;
  return errno == ETIMEDOUT ? EAGAIN : errno;
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

struct upcr_kernel upcr_kernel = { futex_wait, futex_wait_two, futex_wake, yield };
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

/* How many pauses this thread believes in. A thread that waits for one that is always
   late soon hardly spins; a wait that pays restores it. */
enum { FEWEST_SPINS = 250, PAUSES_A_LOOK = 512 };
static __thread unsigned spins_learned = FEWEST_SPINS * 2;

void
upcr_learn (bool was_over)
{
  unsigned most = __atomic_load_n (&upcr_patience.spins, __ATOMIC_RELAXED);

  if (was_over && spins_learned < most)
    spins_learned *= 2;
  else if (!was_over && spins_learned > FEWEST_SPINS)
    spins_learned /= 2;
}

bool
upcr_stay_awake (unsigned *turn)
{
  unsigned now = (*turn)++;
  unsigned spins = __atomic_load_n (&upcr_patience.spins, __ATOMIC_RELAXED);

  if (upcr_progress && upcr_make_progress ())
    {
      *turn = 0;
      return true;
    }
  if (now < spins)
    {
      if (spins != ~0u
          && (now >= spins_learned || (now % PAUSES_A_LOOK == PAUSES_A_LOOK / 2 && upcr_crowd_shares_cpu ())))
        return false;
      upcr_pause ();
      return true;
    }
  if (now - spins >= __atomic_load_n (&upcr_patience.yields, __ATOMIC_RELAXED))
    return false;
  upcr_kernel.yield ();
  return true;
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

  if (error != 0 && error != EAGAIN && error != EINTR)
    upcr_fatal ("cannot sleep: futex: %s", strerror (error));
}

/* EFAULT: the woken threads went on and gave the memory back, which is theirs
   to do once they have seen the new value. */
void
upcr_wake (_Atomic uint32_t *word, int threads)
{
  int error = upcr_kernel.futex_wake (word, threads);

  if (error != 0 && error != EFAULT)
    upcr_fatal ("cannot wake threads: futex: %s", strerror (error));
}

static _Atomic uint32_t *
sleepers_on (_Atomic uint32_t *word)
{
  uint64_t hash = (uintptr_t) word * 0x9E3779B97F4A7C15u;

  return &sleepers[hash >> 58].count;
}

/* The waker stores to *WORD, fences, reads the counter. This thread counts
   itself, then reads *WORD (the kernel does, under its own lock). The count is a
   seq_cst read-modify-write, the waker's fence is seq_cst, so one of the two sees
   the other's write: the waker wakes, or this thread does not sleep. */
void
upcr_park_while (_Atomic uint32_t *word, uint32_t seen)
{
  _Atomic uint32_t *count;
  unsigned turn = 0;

  do
    if (atomic_load_explicit (word, memory_order_acquire) != seen)
      {
        upcr_learn (true);
        return;
      }
  while (upcr_stay_awake (&turn));
  upcr_learn (false);
  upcr_crowd_look ();
  count = sleepers_on (word);
  atomic_fetch_add_explicit (count, 1, memory_order_seq_cst);
  upcr_fence_with_rmw ();
  UPCR_WINDOW ();
  while (atomic_load_explicit (word, memory_order_acquire) == seen)
    upcr_sleep (word, seen);
  /* Relaxed: a waker that still sees the old count makes one call too many. */
  atomic_fetch_sub_explicit (count, 1, memory_order_relaxed);
}

void
upcr_unpark_all (_Atomic uint32_t *word)
{
  _Atomic uint32_t *count = sleepers_on (word);

  upcr_hardware_fence ();
  UPCR_WINDOW ();
  if (atomic_load_explicit (count, memory_order_relaxed) != 0)
    upcr_wake (word, INT_MAX);
}
