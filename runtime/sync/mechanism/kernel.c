/* The operating system below a wait: Linux. */

#include "runtime/sync/mechanism/kernel.h"

#include "runtime/sync/mechanism/proc.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The program's errno stays what it is: that a statement waited is no error of it. */

static int
futex (_Atomic uint32_t *word, int operation, uint32_t value, const struct timespec *limit)
{
  int before = errno;
  int error = syscall (SYS_futex, word, operation, value, limit, NULL, 0) < 0 ? errno : 0;

  errno = before;
  return error;
}

static int
futex_wait (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit)
{
  return futex (word, FUTEX_WAIT_PRIVATE, seen, limit);
}

static int
futex_wake (_Atomic uint32_t *word, int threads)
{
  return futex (word, FUTEX_WAKE_PRIVATE, threads, NULL);
}

static void
yield (void)
{
  sched_yield ();
}

static uint64_t
read_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static uint64_t
now_ns (void)
{
  return read_clock (CLOCK_MONOTONIC);
}

static uint64_t
coarse_now_ns (void)
{
  return read_clock (CLOCK_MONOTONIC_COARSE);
}

static uint64_t
used_ns (uint64_t *then_ns)
{
  uint64_t used = read_clock (CLOCK_PROCESS_CPUTIME_ID);

  *then_ns = now_ns ();
  return used;
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
  int before = errno;
  bool has_mask = sched_getaffinity (thread, sizeof *mask, mask) == 0;

  errno = before;
  return has_mask;
}

static bool
set_mask (const cpu_set_t *mask)
{
  int before = errno;
  bool is_set = sched_setaffinity (0, sizeof *mask, mask) == 0;

  errno = before;
  return is_set;
}

struct upcr_kernel upcr_kernel = {
  .futex_wait = futex_wait,
  .futex_wake = futex_wake,
  .yield = yield,
  .now_ns = now_ns,
  .coarse_now_ns = coarse_now_ns,
  .used_ns = used_ns,
  .cpu = cpu,
  .runs_on = runs_on,
  .get_mask = get_mask,
  .set_mask = set_mask,
};
