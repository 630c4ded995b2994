/* Wrappers of barriers, locks, fences, and all other functions that may order threads. */

#include "runtime/race/wrap.h"

#include "runtime/coll/coll.h"
#include "runtime/shared/shared.h"

/* ---- Barriers. What comes before upc_notify in any thread is before what follows upc_wait in
   all. ---- */

DECLARE (void, upcr_notify, (int id));
DECLARE (void, upcr_wait, (int id));
DECLARE (void, upcr_barrier, (int id));

void
WRAP (upcr_notify) (int id)
{
  upcr_race_notify ();
  WITHIN (REAL (upcr_notify) (id));
}

static void
leave_barrier (void)
{
  upcr_race_wait ();
  upcr_race_sample_anew ();
}

void
WRAP (upcr_wait) (int id)
{
  WITHIN (REAL (upcr_wait) (id));
  leave_barrier ();
}

void
WRAP (upcr_barrier) (int id)
{
  upcr_race_notify ();
  WITHIN (REAL (upcr_barrier) (id));
  leave_barrier ();
}

/* ---- Locks. Each has a clock, which who holds it alone changes, but for others that share it.
   The null strict access of taking it is seen by who fails to take it. ---- */

DECLARE (void, upc_lock, (upcr_pts lock));
DECLARE (int, upc_lock_attempt, (upcr_pts lock));
DECLARE (void, upc_unlock, (upcr_pts lock));

static void
exchange (upcr_pts lock)
{
  upcr_clock *clock = upcr_race_take_lock (upcr_pts_address (lock));

  upcr_race_acquire_from (clock);
  upcr_race_release_to (clock);
  upcr_race_give_lock (upcr_pts_address (lock));
}

void
WRAP (upc_lock) (upcr_pts lock)
{
  REAL (upc_lock) (lock);
  exchange (lock);
}

int
WRAP (upc_lock_attempt) (upcr_pts lock)
{
  int is_taken = REAL (upc_lock_attempt) (lock);

  exchange (lock);
  return is_taken;
}

void
WRAP (upc_unlock) (upcr_pts lock)
{
  exchange (lock);
  REAL (upc_unlock) (lock);
}

/* ---- The rest has the common clock. ---- */

STATEMENT (__upc_fence, (void), ())
STATEMENT (__upc_fenceg, (const char *file, int line), (file, line))
STATEMENT (upcr_collective_barrier, (const char *what), (what))
STATEMENT (upcr_file_reach, (void *file, int stage, const char *what, bool waits),
           (file, stage, what, waits))

STATEMENT (upcr_semaphore_post, (upcr_pts semaphore, size_t n, const char *what),
           (semaphore, n, what))
STATEMENT (upcr_semaphore_wait, (upcr_pts semaphore, size_t n, const char *what),
           (semaphore, n, what))
FUNCTION (bool, upcr_semaphore_try, (upcr_pts semaphore, size_t n, const char *what),
          (semaphore, n, what))

/* ---- Allocation orders nothing. Who frees a block writes all of it; what was done to the memory
   before it was allocated is no matter of who has it now. ---- */

struct pieces
{
  uint64_t offset;
  size_t bytes; /* 0: there is no block */
  int first, behind;
};

static struct pieces
pieces_of (upcr_pts block)
{
  bool is_symmetric = false;
  size_t bytes = upcr_block_bytes (block, &is_symmetric);
  int first = is_symmetric ? 0 : (int) upcr_pts_thread (block);

  return (struct pieces){ upcr_pts_offset (block), bytes, first,
                          is_symmetric ? THREADS : first + 1 };
}

static upcr_pts
allocated (upcr_pts block)
{
  struct pieces p = pieces_of (block);

  for (int t = p.first; p.bytes && t < p.behind; t++)
    upcr_race_forget (upcr_segment_address (t, p.offset), p.bytes);
  return block;
}

#define ALLOC(name, parameters, arguments)  \
  DECLARE (upcr_pts, name, parameters);     \
  upcr_pts WRAP (name) parameters           \
  {                                         \
    upcr_pts block;                         \
                                            \
    WITHIN (block = REAL (name) arguments); \
    return allocated (block);               \
  }

ALLOC (upcr_local_alloc, (size_t bytes), (bytes))
ALLOC (upcr_symmetric_alloc, (size_t blocks, size_t bytes), (blocks, bytes))
ALLOC (upcr_symmetric_alloc_for, (size_t blocks, size_t bytes, const char *what),
       (blocks, bytes, what))

DECLARE (void, upcr_heap_free, (upcr_pts block, const char *what));

void
WRAP (upcr_heap_free) (upcr_pts block, const char *what)
{
  struct pieces p = pieces_of (block);
  const void *site = p.bytes ? upcr_race_calls () : NULL;

  for (int t = p.first; p.bytes && t < p.behind; t++)
    upcr_race_access (upcr_segment_address (t, p.offset), p.bytes,
                      UPCR_RACE_WRITE | UPCR_RACE_FREE | UPCR_RACE_CALLS, site);
  WITHIN (REAL (upcr_heap_free) (block, what));
}

/* ---- The end ---- */

_Noreturn void REAL (upcr_end_process) (int status);
_Noreturn void WRAP (upcr_end_process) (int status);

void
WRAP (upcr_end_process) (int status)
{
  REAL (upcr_end_process) (upcr_race_status (status));
}
