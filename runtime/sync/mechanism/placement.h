/* CPU placement: the CPU on which each UPC thread last ran, how many are on each CPU (its
   run-queue load), and how to move the calling thread to another CPU. policy/ decides when to
   move. */

#ifndef UPCR_SYNC_PLACEMENT_H
#define UPCR_SYNC_PLACEMENT_H

#include <stdbool.h>

void upcr_placement_init (int threads);

/* The number of CPUs that the threads share; each CPU's fair share of them follows. */
void upcr_placement_set_cpus (int cpus);

/* Records the CPU of the calling thread: in long waits, behind a sleep, and when it
   wakes others. */
void upcr_record_cpu (void);

/* Has another UPC thread been recorded on the CPU of the calling one? Then it does not run,
   and spinning would keep it from doing so. A thread that sleeps counts: it may have been
   woken and wait for this CPU. One that has moved since is recorded anew by the wake-up
   that a wrong answer leads to. */
bool upcr_shares_cpu (void);

/* How many CPUs any of the threads may use, as they may be bound one by one; 0: unknown,
   as one has not been recorded yet. */
int upcr_count_usable_cpus (void);

/* For a thread that shares its CPU while there is one for each thread. The kernel leaves
   two threads that give each other the CPU all the time on it for seconds: this one goes
   to a CPU of its affinity mask where no UPC thread is recorded, and keeps its mask. True
   when it did. Only where another thread is about to run on this CPU, and not often. */
bool upcr_move_to_free_cpu (void);

/* For oversubscribed runs. The kernel wakes threads on few CPUs when the others have been
   busy, and leaves them there while they yield to each other: the calling thread goes from a
   CPU with more than its share of the threads to one with less. */
void upcr_balance_load (void);

#endif
