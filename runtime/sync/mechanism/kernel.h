/* The operating system below a wait: futexes, clocks, CPUs. Nothing else in the room calls it.
   Tests substitute their own functions, so that a lost or a spurious wake-up happens, and time
   passes, as they say. */

#ifndef UPCR_SYNC_KERNEL_H
#define UPCR_SYNC_KERNEL_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct upcr_kernel
{
  /* Sleeps while *WORD is SEEN, at most for LIMIT (NULL: for ever). 0 or an errno. */
  int (*futex_wait) (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit);
  /* Wakes up to THREADS sleepers. 0 or an errno. */
  int (*futex_wake) (_Atomic uint32_t *word, int threads);
  void (*yield) (void);

  /* The monotonic clock, and one that is cheaper and some milliseconds late. */
  uint64_t (*now_ns) (void);
  uint64_t (*coarse_now_ns) (void);
  /* The CPU time that the process has used, and the time then, or a little later. */
  uint64_t (*used_ns) (uint64_t *then_ns);

  /* The CPU of the calling thread, or -1. */
  int (*cpu) (void);
  /* The CPU on which a thread of the process runs or is about to; -1: it sleeps, or that
     cannot be found out. */
  int (*runs_on) (pid_t thread);
  /* The affinity mask of THREAD, 0 being the calling one; sets that of the calling thread.
     False: cannot be read, not allowed. */
  bool (*get_mask) (pid_t thread, cpu_set_t *mask);
  bool (*set_mask) (const cpu_set_t *mask);
};

/* Written before the threads exist, by tests. */
extern struct upcr_kernel upcr_kernel;

#endif
