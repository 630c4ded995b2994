/* Inside the room: are there more threads than CPUs, and how long does a wait stay
   awake?

   The answers change while a program runs: people move it with taskset, a container's
   quota is set anew. Threads that are about to sleep look again, ten times a second
   at most. */

#ifndef UPCR_CROWD_H
#define UPCR_CROWD_H

#include <stdbool.h>

/* How long a wait stays awake, counted in turns: first pauses, then yields of the CPU. */
struct upcr_patience
{
  unsigned spins;
  unsigned yields;
};
extern struct upcr_patience upcr_patience;

/* Compiled code reads it too, in strict reads (include/upct_access.h): nonzero while
   threads exceed CPUs. */
extern int __upc_crowded;

/* CPUS: as many as the process may use now. */
void upcr_crowd_init (int threads, int cpus);

/* Before a sleep: counts the CPUs anew when that was long ago. */
void upcr_crowd_look (void);

/* For tests: what upcr_crowd_look does when CPUS is what it finds. */
void upcr_crowd_set_cpus (int cpus);

/* Does a UPC thread that is not asleep share the CPU with the calling one? Then that
   thread does not run, and spinning would keep it from doing so. As of the last wait of
   each: a thread that has moved since is found where it was. */
bool upcr_crowd_shares_cpu (void);

#endif
