/* Inside the room: are there more threads than CPUs, and how long does a wait stay
   awake?

   The answers change while a program runs: people move it with taskset, a container's
   quota is set anew. Threads that are about to sleep look again, ten times a second
   at most. */

#ifndef UPCR_CROWD_H
#define UPCR_CROWD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

static inline uint64_t
upcr_now_ns (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/* How long a wait stays awake, counted in turns: first pauses, then yields of the CPU. */
enum
{
  /* With UPC_WAIT=spin: then a wait goes on awake, but marked for those who ask whether the
     run is stuck (kernel.c). */
  UPCR_LONG_SPINS = 1 << 20,
  UPCR_LONG_YIELDS = 1 << 14
};

struct upcr_patience
{
  unsigned spins;
  unsigned yields;
};
extern struct upcr_patience upcr_patience;

/* Compiled code reads it too, in strict reads (include/upct/access.h): nonzero while
   threads exceed CPUs. */
extern int __upc_oversubscribed;

/* CPUS: as many as the process may use now. */
void upcr_crowd_init (int threads, int cpus);

/* Before a sleep: counts the CPUs anew when that was long ago. */
void upcr_crowd_look (void);

/* For tests: what upcr_crowd_look does when CPUS is what it finds. */
void upcr_crowd_set_cpus (int cpus);

#endif
