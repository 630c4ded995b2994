/* Inside the room: the kernel below waits. */

#ifndef UPCR_KERNEL_H
#define UPCR_KERNEL_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What waiting asks of the operating system. Tests put their own functions here,
   so that a lost or a spurious wake-up happens when they say so. The two futex
   calls return 0 or an errno. */
struct upcr_kernel
{
  int (*futex_wait) (_Atomic uint32_t *word, uint32_t seen);
  /* Sleeps while both words are as seen. */
  int (*futex_wait_two) (_Atomic uint32_t *word, uint32_t seen, _Atomic uint32_t *other,
                         uint32_t other_seen);
  int (*futex_wake) (_Atomic uint32_t *word, int threads);
  void (*yield) (void);
  /* Sleeps while the word is as seen, for about that time; may be shorter. */
  void (*nap) (_Atomic uint32_t *word, uint32_t seen, long ns);
  /* The CPU time that the process has used, and the time then, or a little later. */
  uint64_t (*used_ns) (uint64_t *then_ns);
  /* The CPU of the calling thread, or -1. */
  int (*cpu) (void);
  /* The CPU on which a thread of the process runs or is about to; -1: it sleeps, or that
     cannot be found out. */
  int (*runs_on) (pid_t thread);
  /* The CPUs that THREAD may use, 0 being the calling one; and that the calling thread is to
     use from now on. False: cannot be read, not allowed. */
  bool (*get_mask) (pid_t thread, cpu_set_t *mask);
  bool (*set_mask) (const cpu_set_t *mask);
};
/* Written before the threads exist, by tests. */
extern struct upcr_kernel upcr_kernel;

#endif
