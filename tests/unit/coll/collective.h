/* What the tests of collective operations share: all sync modes, thread counts, and
   threads that come late. */

#ifndef UPCR_TEST_COLLECTIVE_H
#define UPCR_TEST_COLLECTIVE_H

#include "runtime/coll/alloc.h"
#include "runtime/coll/layout.h"
#include "runtime/start/start.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MODES = 9 };

static const int modes[MODES] = {
  GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_NOSYNC,   GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_MYSYNC,
  GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_ALLSYNC,  GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_NOSYNC,
  GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC,   GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_ALLSYNC,
  GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_NOSYNC,  GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_MYSYNC,
  GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC,
};

/* ThreadSanitizer makes each tens of times slower; it has nothing to find with one. */
#ifdef UPCR_TSAN
static const int some_threads[] = { 2, 5 };
#else
static const int some_threads[] = { 1, 2, 3, 4, 7, 16 };
#endif

/* Another thread in each round comes late: what the others take for granted too early is
   missing then. */
static inline void
maybe_late (unsigned round)
{
  static const struct timespec a_little = { .tv_nsec = 20000 };

  if ((round * 2654435761u >> 8) % (2 * THREADS) == (unsigned) MYTHREAD)
    nanosleep (&a_little, NULL);
}

#endif
