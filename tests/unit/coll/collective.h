/* What the tests of collective operations share: all sync modes, thread counts, and
   threads that come late. */

#ifndef UPCR_TEST_COLLECTIVE_H
#define UPCR_TEST_COLLECTIVE_H

#include "runtime/coll/coll.h"
#include "runtime/coll/layout.h"
#include "runtime/host/host.h"
#include "tests/unit/upc_threads.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MYMY (GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC)
#define ALLALL (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC)
#define NOSYNC (GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_NOSYNC)

enum
{
  MODES = 9
};

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

/* Zeros, to be freed. */
static inline void *
zeroed (size_t bytes)
{
  void *block = calloc (1, bytes);

  CHECK (block);
  return block;
}

/* A function for the table of gasnet_coll_init. */
static inline void
add_longs (void *results, size_t result_count, const void *left_operands, size_t left_count,
           const void *right_operands, size_t elem_size, int flags, int arg)
{
  const long *left = left_operands, *right = right_operands;
  long *r = results, sum = 0;

  (void) elem_size, (void) flags, (void) arg;
  for (size_t i = 0; i < left_count; i++)
    sum += left[i];
  for (size_t i = 0; i < result_count; i++)
    r[i] = sum += right[i];
}

#endif
