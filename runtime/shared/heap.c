/* Allocation in the shared heap: sizes, affinity, which cache a block belongs to.

   The memory of a thread's local arena is freed through that thread's cache only:
   a cache that held another arena's memory would hand it out with the wrong
   affinity. Symmetric blocks all come from one arena, so any thread's cache of it
   may hold them. */

#include "runtime/shared/shared.h"

#include "runtime/host/host.h"
#include "runtime/shared/cache.h"
#include "runtime/shared/magazine.h"
#include "runtime/shared/shadow.h"
#include "runtime/shared/zone.h"

#include <jemalloc/jemalloc.h>

static void
set_shadow (uint32_t thread, uint64_t offset, unsigned shadow)
{
  atomic_store_explicit (upcr_shadow_of (thread, offset), shadow, memory_order_relaxed);
}

/* Memory of jemalloc's; once more with what the thread keeps, where there is none. */
static char *
allocate_memory (size_t bytes, int flags)
{
  char *block = mallocx (bytes, flags);

  if (block)
    return block;
  upcr_caches_flush ();
  return mallocx (bytes, flags);
}

/* THREAD is the one whose partition has the block's shadow byte. */
static upcr_pts
allocate (size_t bytes, int flags, int thread, unsigned class)
{
  char *block = allocate_memory (bytes < UPCR_SHADOW_UNIT ? UPCR_SHADOW_UNIT : bytes, flags);
  uint64_t offset;

  if (!block)
    return upcr_pts_null ();
  offset = block - upcr_segment_address (thread, 0);
  set_shadow (thread, offset, UPCR_LIVE + class);
  return upcr_pts_make (thread, offset, 0);
}

upcr_pts
upcr_local_alloc (size_t bytes)
{
  unsigned class = upcr_class_of (bytes);
  uint64_t offset;

  if (class && (offset = upcr_magazine_take (class)))
    {
      set_shadow (MYTHREAD, offset, UPCR_LIVE + class);
      return upcr_pts_make (MYTHREAD, offset, 0);
    }
  if (bytes == 0 || bytes > UPCR_PARTITION_BYTES)
    return upcr_pts_null ();
  return allocate (class ? class * UPCR_SHADOW_UNIT : bytes, upcr_caches ()->local, MYTHREAD,
                   class);
}

upcr_pts
upcr_local_alloc_aligned (size_t bytes, size_t alignment)
{
  return allocate (bytes, upcr_caches ()->local | MALLOCX_ALIGN (alignment), MYTHREAD, 0);
}

upcr_pts
upcr_symmetric_alloc (size_t blocks, size_t block_bytes)
{
  size_t rounds, bytes;

  if (blocks == 0 || block_bytes == 0)
    return upcr_pts_null ();
  rounds = blocks / THREADS + (blocks % THREADS != 0);
  if (__builtin_mul_overflow (rounds, block_bytes, &bytes) || bytes > UPCR_PARTITION_BYTES)
    return upcr_pts_null ();
  return allocate (bytes, upcr_caches ()->symmetric, 0, 0);
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
  unsigned shadow = UPCR_NO_BLOCK;

  if (upcr_pts_phase (block) == 0 && offset % UPCR_SHADOW_UNIT == 0 && in_heap (thread, offset))
    shadow = atomic_load_explicit (upcr_shadow_of (thread, offset), memory_order_relaxed);
  if (shadow == UPCR_FREED)
    upcr_fatal ("%s: block already freed: thread %u, offset 0x%lx", what, thread,
                (unsigned long) offset);
  if (shadow < UPCR_LIVE)
    upcr_fatal ("%s: not the start of a block in the shared heap: thread %u, offset 0x%lx, "
                "phase %u",
                what, thread, (unsigned long) offset, upcr_pts_phase (block));
}

static int
flags_to_free (uint32_t thread, uint64_t offset)
{
  if (thread == 0 && upcr_zone_has_symmetric (offset))
    return upcr_caches ()->symmetric;
  if (thread == (uint32_t) MYTHREAD)
    return upcr_caches ()->local;
  return MALLOCX_TCACHE_NONE;
}

static __attribute__ ((noinline)) void
free_block (upcr_pts block, const char *what)
{
  uint32_t thread = upcr_pts_thread (block);
  uint64_t offset = upcr_pts_offset (block);

  if (upcr_pts_is_null (block))
    return;
  check_block (block, what);
  set_shadow (thread, offset, UPCR_FREED);
  dallocx (upcr_pts_address (block), flags_to_free (thread, offset));
}

/* With the caches, whose end gives back the magazines, too: a thread may do no more than free. */
static __attribute__ ((noinline)) bool
make_magazines (void)
{
  upcr_caches ();
  return upcr_magazines_make ();
}

/* Puts BLOCK in a magazine. False, and nothing is done, unless it is a small one of the
   calling thread, in use, and the magazine has space. */
static bool
keep_block (upcr_pts block)
{
  uint64_t offset = upcr_pts_offset (block);
  unsigned shadow;

  if (upcr_pts_thread (block) != (uint32_t) MYTHREAD || upcr_pts_phase (block) != 0
      || offset % UPCR_SHADOW_UNIT != 0 || !upcr_zone_has_local (MYTHREAD, offset))
    return false;
  shadow = atomic_load_explicit (upcr_shadow_of (MYTHREAD, offset), memory_order_relaxed);
  if (shadow <= UPCR_LIVE || (!upcr_magazines && !make_magazines ())
      || !upcr_magazine_put (shadow - UPCR_LIVE, offset))
    return false;
  set_shadow (MYTHREAD, offset, UPCR_FREED);
  return true;
}

void
upcr_heap_free (upcr_pts block, const char *what)
{
  if (!keep_block (block))
    free_block (block, what);
}
