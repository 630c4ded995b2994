/* For debug builds: assertions of what the room believes of its own state, and
   windows.

   A failed assertion takes no lock: the other threads may hold any. A window stands
   where another thread can come between two steps; the stress test opens it, with a
   delay. ThreadSanitizer builds have windows too. */

#ifndef UPCR_SYNC_DEBUG_H
#define UPCR_SYNC_DEBUG_H

#include "runtime/sync/fence.h"

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
#define UPCR_ASSERT(condition)                                                  \
  ((condition) ? (void) 0                                                       \
               : upcr_assert_failed (UPCR_ASSERT_LINE (#condition),             \
                                     sizeof UPCR_ASSERT_LINE (#condition) - 1))
#else
#define UPCR_ASSERT(condition) ((void) 0)
#endif

#if defined UPCR_DEBUG || defined UPCR_TSAN
#define UPCR_WINDOWS 1

/* Set before the threads exist. */
extern void (*upcr_window) (void);

#define UPCR_WINDOW() (upcr_window ? upcr_window () : (void) 0)
#else
#define UPCR_WINDOW() ((void) 0)
#endif

#endif
