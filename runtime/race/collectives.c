/* Wrappers of collective functions. They order threads as if all of them synchronised, through
   the common clock. The data that the program must not touch meanwhile, as the flags say (UPC
   1.3, 7.3.3), is reported as accessed:

     IN_NOSYNC     data of all threads is accessed from the moment that one thread has entered
     IN_MYSYNC     data of a thread from when that one has
     OUT_MYSYNC    data of a thread until that one has left
     OUT_NOSYNC    data of all threads until the last one has

   Each thread reports its own data as its own accesses and, with IN_NOSYNC, the data of all
   threads, which the program has prepared before the first thread enters. With other IN flags a
   thread may leave before another one has entered and prepared its data. With ALLSYNC there is
   nothing to report: everything before is ordered before all of it, and everything after is
   ordered after it. */

#include "runtime/race/wrap.h"

#include "runtime/coll/coll.h"

#include <gasnet_coll.h>
#include <pthread.h>

/* How many blocks a thread has, of the source and the destination of a movement. */
enum extent
{
  NONE,
  ONE,
  ALL, /* as many as there are threads */
  ONE_OF_ROOT,
  ALL_OF_ROOT
};

static const struct
{
  enum extent src, dst;
} extents[] = {
  [UPCR_BROADCAST] = { ONE_OF_ROOT, ONE }, [UPCR_SCATTER] = { ALL_OF_ROOT, ONE },
  [UPCR_GATHER] = { ONE, ALL_OF_ROOT },    [UPCR_GATHER_ALL] = { ONE, ALL },
  [UPCR_EXCHANGE] = { ALL, ALL },          [UPCR_PERMUTE] = { ONE, ONE },
};

static size_t
bytes_of (enum extent extent, const struct upcr_coll *call, uint32_t thread)
{
  switch (extent)
    {
    case ONE:
      return call->bytes;
    case ALL:
      return call->bytes * THREADS;
    case ONE_OF_ROOT:
      return call->root == thread ? call->bytes : 0;
    case ALL_OF_ROOT:
      return call->root == thread ? call->bytes * THREADS : 0;
    default:
      return 0;
    }
}

/* THREAD's data, of which ADDRESS is what corresponds to it in the calling thread. */
static void
tell_block (const void *address, uint32_t thread, size_t bytes, int how, const void *site)
{
  const char *there = (const char *) address + ((long) thread - MYTHREAD) * (long) UPCR_STRIDE;

  if (bytes)
    upcr_race_access (there, bytes, how | UPCR_RACE_COLLECTIVE | UPCR_RACE_CALLS, site);
}

static void
tell (const struct upcr_coll *call, bool of_all, const void *site)
{
  for (int t = of_all ? 0 : MYTHREAD; t < (of_all ? THREADS : MYTHREAD + 1); t++)
    {
      tell_block (call->src, t, bytes_of (extents[call->kind].src, call, t), 0, site);
      tell_block (call->dst, t, bytes_of (extents[call->kind].dst, call, t), UPCR_RACE_WRITE, site);
    }
}

/* With IN_NOSYNC and OUT_ALLSYNC a thread may leave before another one has entered, which others have
   done the work of: who enters then tells of nothing. Threads count these calls.

   field       written by          read by
   entered     its thread          the same
   last_left   under `crossing`    the same way */
static pthread_mutex_t crossing = PTHREAD_MUTEX_INITIALIZER;
static uint64_t last_left;
static struct
{
  _Alignas(64) uint64_t entered;
} own[UPCR_MAX_THREADS];

/* Who leaves later acquires what is released here. */
static void
enter_without_waiting (const struct upcr_coll *call, const void *site)
{
  uint64_t number = ++own[MYTHREAD].entered;

  pthread_mutex_lock (&crossing);
  if (last_left < number)
    tell (call, true, site);
  __upc_race_release ();
  pthread_mutex_unlock (&crossing);
}

static void
leave_behind_all (void)
{
  uint64_t number = own[MYTHREAD].entered;

  pthread_mutex_lock (&crossing);
  if (last_left < number)
    last_left = number;
  pthread_mutex_unlock (&crossing);
  __upc_race_acquire ();
}

DECLARE (void, upcr_coll_move, (struct upcr_coll * call));

/* A thread that has left with OUT_MYSYNC may change its own data before another one enters. */
void
WRAP (upcr_coll_move) (struct upcr_coll *call)
{
  struct upcr_coll copy = *call;
  int in_all = copy.flags & GASNET_COLL_IN_ALLSYNC, out_all = copy.flags & GASNET_COLL_OUT_ALLSYNC;
  bool in_none = copy.flags & GASNET_COLL_IN_NOSYNC, out_none = copy.flags & GASNET_COLL_OUT_NOSYNC;
  const void *site = in_all && out_all ? NULL : upcr_race_calls ();

  if (in_none && out_all)
    enter_without_waiting (&copy, site);
  else if (!in_all)
    tell (&copy, in_none && out_none, site);
  ORDERED (REAL (upcr_coll_move) (call));
  if (in_none && out_all)
    leave_behind_all ();
  if (!out_all)
    tell (&copy, in_none && out_none, site);
}

STATEMENT (upcr_coll_compute, (struct upcr_coll * call), (call))
STATEMENT (upcr_coll_run, (struct upcr_coll * call), (call))
FUNCTION (gasnet_coll_handle_t, upcr_coll_start, (struct upcr_coll * call), (call))
STATEMENT (upcr_all_sort,
           (upcr_pts a, size_t bytes, size_t count, size_t block, upcr_comparison *compare,
            int flags),
           (a, bytes, count, block, compare, flags))

STATEMENT (gasnet_coll_wait_sync, (gasnet_coll_handle_t handle), (handle))
STATEMENT (gasnet_coll_wait_sync_all, (gasnet_coll_handle_t * handles, size_t n), (handles, n))
STATEMENT (gasnet_coll_wait_sync_some, (gasnet_coll_handle_t * handles, size_t n), (handles, n))
FUNCTION (int, gasnet_coll_try_sync, (gasnet_coll_handle_t handle), (handle))
FUNCTION (int, gasnet_coll_try_sync_all, (gasnet_coll_handle_t * handles, size_t n), (handles, n))
FUNCTION (int, gasnet_coll_try_sync_some, (gasnet_coll_handle_t * handles, size_t n), (handles, n))
