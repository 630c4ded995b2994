/* Pointers-to-shared whose layout is known at run time only, and their way back from addresses. */

#include "runtime/bupc/bupc.h"

#include <errno.h>
#include <stdio.h>

enum
{
  LEAST_DUMP = 100,
  LEAST_NOTE = 16,
#ifdef UPCR_PTS_STRUCT
  LARGEST_PHASE = INT32_MAX
#else
  LARGEST_PHASE = (1 << UPCR_PHASE_BITS) - 1
#endif
};

int
upcr_dump_pts (upcr_pts p, char *buffer, int bytes)
{
  if (bytes < LEAST_DUMP)
    {
      if (bytes >= LEAST_NOTE)
        snprintf (buffer, bytes, "<buf too small>");
      errno = EINVAL;
      return -1;
    }
  if (upcr_pts_is_null (p))
    snprintf (buffer, bytes, "<NULL>");
  else
    snprintf (buffer, bytes, "<address=%p (addrfield=%p), thread=%u, phase=%u>",
              (void *) upcr_pts_address (p), (void *) upcr_pts_addrfield (p), upcr_pts_thread (p),
              upcr_pts_phase (p));
  return 0;
}

/* Rounded towards negative infinity. */
static ptrdiff_t
floor_divide (ptrdiff_t n, ptrdiff_t by)
{
  return n / by - (n % by < 0);
}

/* UPC 1.3, 6.4.2. */
upcr_pts
upcr_pts_add (upcr_pts p, size_t block, size_t bytes, ptrdiff_t n)
{
  uint32_t thread = upcr_pts_thread (p), phase = upcr_pts_phase (p);
  ptrdiff_t blocks, rounds, elements, elements_before;

  if (bytes == 0)
    upcr_fatal ("bupc_ptradd: elemsz is 0");
  if (block == 0)
    return upcr_pts_make (thread, upcr_pts_offset (p) + n * bytes, 0);
  if (phase >= block)
    upcr_fatal ("bupc_ptradd: invalid phase %u in blocks of %zu elements", phase, block);
  blocks = floor_divide (phase + n, block);
  rounds = floor_divide (thread + blocks, THREADS);
  elements = phase + n - blocks * (ptrdiff_t) block;
  elements_before = rounds * (ptrdiff_t) block + elements - phase;
  return upcr_pts_make (thread + blocks - rounds * THREADS,
                        upcr_pts_offset (p) + elements_before * bytes, elements);
}

static uint64_t
offset_of (const void *address)
{
  return ((uintptr_t) address - UPCR_SEGMENT_BASE) % UPCR_STRIDE;
}

/* The partition that ADDRESS lies in, or -1. */
static int
partition_of (const void *address)
{
  uint64_t thread = ((uintptr_t) address - UPCR_SEGMENT_BASE) / UPCR_STRIDE;
  uint64_t offset = offset_of (address);

  if ((uintptr_t) address < UPCR_SEGMENT_BASE || thread >= (uint64_t) THREADS
      || offset < UPCR_NULL_BYTES || offset >= UPCR_PARTITION_BYTES)
    return -1;
  return thread;
}

upcr_pts
upcr_pts_of_own (void *address, int thread, int phase)
{
  if (partition_of (address) != MYTHREAD)
    upcr_fatal ("bupc_local_to_shared: %p is not in this thread's shared memory", address);
  if (thread < 0 || thread >= THREADS)
    upcr_fatal ("bupc_local_to_shared: invalid thread %d; THREADS is %d", thread, THREADS);
  if (phase < 0 || (uint32_t) phase > LARGEST_PHASE)
    upcr_fatal ("bupc_local_to_shared: invalid phase %d", phase);
  return upcr_pts_make (thread, offset_of (address), phase);
}

upcr_pts
upcr_pts_of_address (void *address)
{
  int thread = partition_of (address);

  return thread < 0 ? upcr_pts_null () : upcr_pts_make (thread, offset_of (address), 0);
}

unsigned
upcr_thread_distance (int x, int y)
{
  enum
  {
    SAME = 0,
    VERYNEAR = 100
  };
  int wrong = x < 0 || x >= THREADS ? x : y;

  if (wrong < 0 || wrong >= THREADS)
    upcr_fatal ("bupc_thread_distance: invalid thread %d; THREADS is %d", wrong, THREADS);
  return x == y ? SAME : VERYNEAR;
}
