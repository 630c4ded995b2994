/* Inside the room: on which CPU each thread is, and a better one for one that shares. */

#ifndef UPCR_SEATS_H
#define UPCR_SEATS_H

#include <stdbool.h>

void upcr_seats_init (int threads);

/* On how many CPUs the threads shall be. */
void upcr_seats_set_cpus (int cpus);

/* Notes the CPU of the calling thread: in long waits, behind a sleep, and when it
   wakes others. */
void upcr_sit (void);

/* Has another UPC thread been noted on the CPU of the calling one? Then it does not run,
   and spinning would keep it from doing so. A thread that sleeps counts: it may have been
   woken and wait for this CPU. One that has moved since is noted anew by the wake-up
   that a wrong answer leads to. */
bool upcr_shares_cpu (void);

/* How many CPUs any of the threads may use, as they may be bound one by one; 0: unknown,
   as one has not sat down yet. */
int upcr_count_cpus_of_seats (void);

/* For a thread that shares its CPU while there is one for each thread. The kernel leaves
   two threads that give each other the CPU all the time on it for seconds: this one goes
   to a CPU of its affinity mask where no UPC thread is noted, and keeps its mask. True
   when it did. Only where another thread is about to run on this CPU, and not often. */
bool upcr_move_away (void);

/* A wait of the calling thread is over after yields; it is about to sleep. The kernel wakes
   threads on few CPUs when the others have been busy, and leaves them there while they yield
   to each other. So where threads exceed CPUs, one that waits again and again in this way
   goes from a CPU with more than its share of the threads to one with less. */
void upcr_sit_after_yields (void);
void upcr_sit_before_sleep (void);

#endif
