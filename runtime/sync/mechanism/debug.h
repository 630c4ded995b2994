/* Additions of checked builds: assertions about the state of the room, and race-injection
   points.

   A failed assertion takes no lock, as the other threads may hold any. A race-injection point is
   between two steps where another thread can intervene. The stress test makes it a random delay,
   in debug builds and under ThreadSanitizer. */

#ifndef UPCR_SYNC_DEBUG_H
#define UPCR_SYNC_DEBUG_H

#include "runtime/host/host.h"

#ifdef UPCR_DEBUG

#include <stdlib.h>
#include <unistd.h>

static inline void
upcr_assert_failed (const char *text, size_t bytes)
{
  ssize_t written = write (STDERR_FILENO, text, bytes);

  (void) written;
  abort ();
}

#define UPCR_ASSERT_LINE(condition) "runtime/sync: not true: " condition "\n"
#define UPCR_ASSERT(condition)                                      \
  ((condition) ? (void) 0                                           \
               : upcr_assert_failed (UPCR_ASSERT_LINE (#condition), \
                                     sizeof UPCR_ASSERT_LINE (#condition) - 1))
#else
#define UPCR_ASSERT(condition) ((void) 0)
#endif

#if defined UPCR_DEBUG || defined UPCR_TSAN
#define UPCR_HAS_RACE_POINTS 1

/* Set before the threads exist. */
extern void (*upcr_race_hook) (void);

#define UPCR_RACE_POINT() (upcr_race_hook ? upcr_race_hook () : (void) 0)
#else
#define UPCR_RACE_POINT() ((void) 0)
#endif

#endif
