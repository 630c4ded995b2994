/* The race room: finds relaxed accesses of two UPC threads to the same bytes that nothing orders,
   and of which one writes. It is in programs that have code of upcc -fupc-check=race
   (include/upct/race.h), and stands before functions of the library there: the linker gives it
   their calls (runtime/link/upc-race.wrap), and it calls them under names that begin with __real_.
   So a program without that code has nothing of it.

   Time is a vector clock of each UPC thread. Barriers and locks have clocks of their own. All else
   that orders threads, or may, has one in common: that makes threads look more ordered than they
   are, so that a race may be missed, but none is reported that is not there.

     clock.c        the clocks
     shadow.c       the last accesses to each granule of shared memory
     sample.c       which granules are looked at
     report.c       what is printed
     statements.c   barriers, locks, fences, and what else orders
     copies.c       upc_memput and its kin
     atomics.c      atomic operations
     collectives.c  collective functions

   All POSIX threads of a UPC thread count as that one. */

#ifndef UPCR_RACE_H
#define UPCR_RACE_H

#include "runtime/host/host.h"
#include <upct/granule.h>

#include <stdbool.h>
#include <stdint.h>

/* ---- Clocks (clock.c). A thread's own entry counts its releases. ---- */

typedef _Atomic uint64_t upcr_clock[UPCR_MAX_THREADS];

/* The number of the calling thread's present time: that of the release to come. */
uint64_t upcr_race_now (void);

/* Does the calling thread come behind NOW of THREAD? */
bool upcr_race_is_behind (uint32_t thread, uint64_t now);

/* The calling thread's clock: what it comes behind, of each thread. */
void upcr_race_read_clock (uint64_t *clock);

/* What the thread did goes into CLOCK; what is in CLOCK comes before what the thread does. */
void upcr_race_release_to (upcr_clock *clock);
void upcr_race_acquire_from (upcr_clock *clock);

/* The split-phase barrier. */
void upcr_race_notify (void);
void upcr_race_wait (void);

/* The clock of the lock at ADDRESS, which it may share with others; to be given back. */
upcr_clock *upcr_race_take_lock (const void *address);
void upcr_race_give_lock (const void *address);

/* Set while the thread is in the detector or in what it stands before: then nothing is told. */
extern __thread bool upcr_race_is_inside;

/* ---- Accesses (shadow.c) ---- */

/* How an access is told of. */
enum
{
  UPCR_RACE_WRITE = 1,
  UPCR_RACE_COLLECTIVE = 2, /* of a collective function: no race with another one of them */
  UPCR_RACE_CODE = 4,       /* the site is the address of a call, not text */
  UPCR_RACE_CALLS = 8,      /* the site is calls, the innermost first (report.c) */
  UPCR_RACE_FREE = 16,
  UPCR_RACE_ATOMIC = 32 /* no race with another atomic one */
};

void upcr_race_access (const void *address, uint64_t bytes, int how, const void *site);

/* The same, of one that began when the thread's clock was SINCE, and ends: what is not before its start is a race. */
void upcr_race_access_since (const uint64_t *since, const void *address, uint64_t bytes, int how,
                             const void *site);

/* What was done there is no side of a race any more. */
void upcr_race_forget (const void *address, uint64_t bytes);

/* ---- Samples (sample.c) ---- */

/* A granule was looked at. */
void upcr_race_count (void);

/* From here on the thread that calls it has other granules in mind, and soon all have. */
void upcr_race_sample_anew (void);

/* ---- Reports (report.c) ---- */

/* One of the two: who, where, and how as above. */
struct upcr_race_side
{
  uint32_t thread;
  int how;
  const void *site;
};

/* Prints the race on the byte at ADDRESS, if none of the same lines is printed. */
void upcr_race_report (const void *address, const struct upcr_race_side *now,
                       const struct upcr_race_side *before);

/* The calls that led here, as a site; they are kept. */
const void *upcr_race_calls (void);

/* The exit status of a run that would have ended with STATUS. */
int upcr_race_status (int status);

#endif
