/* The kernel below waits: Linux. */

#include "runtime/sync/kernel.h"

#include "runtime/host/host.h"
#include "runtime/sync/crowd.h"
#include "runtime/sync/park.h"
#include "runtime/sync/poll.h"
#include "runtime/sync/proc.h"
#include "runtime/sync/stuck.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPINS_A_LOOK = 256 };

static bool
has_changed (_Atomic uint32_t *word, uint32_t seen)
{
  return word && atomic_load_explicit (word, memory_order_acquire) != seen;
}

/* When a sleep that begins now, the TURN-th of a wait, would last too long; 0: never. */
static uint64_t
next_look_ns (unsigned turn)
{
  struct timespec time;

  if (!upcr_sleep_limit (turn, &time))
    return 0;
  return upcr_now_ns () + time.tv_sec * 1000000000ull + time.tv_nsec;
}

/* What UPC_WAIT=spin has for a sleep: to those who ask it is one, as the thread does nothing
   else until a word changes. Not reached before a wait is long. */
static int
spin_marked (_Atomic uint32_t *word, uint32_t seen, _Atomic uint32_t *other, uint32_t other_seen)
{
  uint64_t look_ns = next_look_ns (0);
  unsigned spins = 0, looks = 0;

  upcr_sleep_begins (word, seen, other, other_seen);
  while (!has_changed (word, seen) && !has_changed (other, other_seen))
    {
      if (upcr_is_oversubscribed ())
        sched_yield ();
      else
        upcr_pause ();
      if (++spins % SPINS_A_LOOK != 0)
        continue;
      upcr_crowd_look ();
      if (look_ns && upcr_now_ns () >= look_ns)
        {
          upcr_look_if_stuck ();
          look_ns = next_look_ns (++looks);
        }
    }
  upcr_sleep_ends ();
  return 0;
}

static int
futex_wait (_Atomic uint32_t *word, uint32_t seen)
{
  struct timespec time;
  unsigned turn = 0;
  int error;

  if (upcr_options.wait == UPCR_WAIT_SPIN)
    return spin_marked (word, seen, NULL, 0);
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

  if (upcr_options.wait == UPCR_WAIT_SPIN)
    return spin_marked (word, seen, other, other_seen);
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

static uint64_t
used_ns (uint64_t *then_ns)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  *then_ns = upcr_now_ns ();
  return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static int
cpu (void)
{
  return sched_getcpu ();
}

static int
runs_on (pid_t thread)
{
  struct upcr_stat stat;
  char path[64];

  snprintf (path, sizeof path, "/proc/self/task/%d/stat", (int) thread);
  if (!upcr_stat_read (path, &stat) || upcr_stat_field (&stat, UPCR_STAT_STATE)[0] != 'R')
    return -1;
  return atoi (upcr_stat_field (&stat, UPCR_STAT_CPU));
}

static bool
get_mask (pid_t thread, cpu_set_t *mask)
{
  return sched_getaffinity (thread, sizeof *mask, mask) == 0;
}

static bool
set_mask (const cpu_set_t *mask)
{
  return sched_setaffinity (0, sizeof *mask, mask) == 0;
}

struct upcr_kernel upcr_kernel = {
  .futex_wait = futex_wait,
  .futex_wait_two = futex_wait_two,
  .futex_wake = futex_wake,
  .yield = yield,
  .nap = nap,
  .used_ns = used_ns,
  .cpu = cpu,
  .runs_on = runs_on,
  .get_mask = get_mask,
  .set_mask = set_mask,
};
