/* Allocation in the shared heap: sizes, affinity, which cache a block belongs to.

   The memory of a thread's local arena is freed through that thread's cache only:
   a cache that held another arena's memory would hand it out with the wrong
   affinity. Symmetric blocks all come from one arena, so any thread's cache of it
   may hold them. */

#include "runtime/shared/shared.h"

#include "runtime/shared/arena.h"
#include "runtime/shared/marks.h"
#include "runtime/shared/zone.h"
#include "runtime/start/start.h"

#include <jemalloc/jemalloc.h>

/* MARKED is the thread whose partition has the block's mark. */
static upcr_pts
allocate (size_t bytes, int flags, int marked)
{
  char *block = mallocx (bytes < UPCR_MARK_UNIT ? UPCR_MARK_UNIT : bytes, flags);
  uint64_t offset;

  if (!block)
    return upcr_pts_null ();
  offset = block - upcr_segment_address (marked, 0);
  atomic_store_explicit (upcr_mark_of (marked, offset), UPCR_LIVE, memory_order_relaxed);
  return upcr_pts_make (marked, offset, 0);
}

upcr_pts
upcr_local_alloc (size_t bytes)
{
  if (bytes == 0 || bytes > UPCR_STRIDE)
    return upcr_pts_null ();
  return allocate (bytes, upcr_arena_caches ()->local, MYTHREAD);
}

upcr_pts
upcr_local_alloc_aligned (size_t bytes, size_t alignment)
{
  return allocate (bytes, upcr_arena_caches ()->local | MALLOCX_ALIGN (alignment), MYTHREAD);
}

upcr_pts
upcr_symmetric_alloc (size_t blocks, size_t block_bytes)
{
  size_t rounds, bytes;

  if (blocks == 0 || block_bytes == 0)
    return upcr_pts_null ();
  rounds = blocks / THREADS + (blocks % THREADS != 0);
  if (__builtin_mul_overflow (rounds, block_bytes, &bytes) || bytes > UPCR_STRIDE)
    return upcr_pts_null ();
  return allocate (bytes, upcr_arena_caches ()->symmetric, 0);
}

static bool
in_heap (uint32_t thread, uint64_t offset)
{
  return (thread == 0 && upcr_zone_has_symmetric (offset))
         || (thread < (uint32_t) THREADS && upcr_zone_has_local (thread, offset));
}

/* Ends the run unless BLOCK is the start of a block in use. */
static void
check_block (upcr_pts block, const char *what)
{
  uint32_t thread = upcr_pts_thread (block);
  uint64_t offset = upcr_pts_offset (block);
  enum upcr_mark mark = UPCR_NO_BLOCK;

  if (upcr_pts_phase (block) == 0 && offset % UPCR_MARK_UNIT == 0 && in_heap (thread, offset))
    mark = atomic_load_explicit (upcr_mark_of (thread, offset), memory_order_relaxed);
  if (mark == UPCR_FREED)
    upcr_fatal ("%s: the block was freed before: thread %u, offset 0x%lx", what, thread,
                (unsigned long) offset);
  if (mark != UPCR_LIVE)
    upcr_fatal ("%s: not the start of a block of the shared heap: thread %u, offset 0x%lx, "
                "phase %u",
                what, thread, (unsigned long) offset, upcr_pts_phase (block));
}

static int
flags_to_free (uint32_t thread, uint64_t offset)
{
  if (thread == 0 && upcr_zone_has_symmetric (offset))
    return upcr_arena_caches ()->symmetric;
  if (thread == (uint32_t) MYTHREAD)
    return upcr_arena_caches ()->local;
  return MALLOCX_TCACHE_NONE;
}

void
upcr_heap_free (upcr_pts block, const char *what)
{
  uint32_t thread = upcr_pts_thread (block);
  uint64_t offset = upcr_pts_offset (block);

  if (upcr_pts_is_null (block))
    return;
  check_block (block, what);
  atomic_store_explicit (upcr_mark_of (thread, offset), UPCR_FREED, memory_order_relaxed);
  dallocx (upcr_pts_address (block), flags_to_free (thread, offset));
}
