/* Allocation in the shared heap: sizes, affinity, which cache a block belongs to.

   The memory of a thread's local arena is freed through that thread's cache only:
   a cache that held another arena's memory would hand it out with the wrong
   affinity. Symmetric blocks all come from one arena, so any thread's cache of it
   may hold them. */

#include "runtime/shared/shared.h"

#include "runtime/host/host.h"
#include "runtime/shared/arena.h"
#include "runtime/shared/cache.h"
#include "runtime/shared/checked.h"
#include "runtime/shared/magazine.h"
#include "runtime/shared/objects.h"
#include "runtime/shared/poison.h"
#include "runtime/shared/shadow.h"
#include "runtime/shared/zone.h"

#include <jemalloc/jemalloc.h>
#include <stdio.h>

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
  upcr_caches_empty ();
  upcr_arenas_purge ();
  return mallocx (bytes, flags);
}

void
upcr_heap_release (const char *what)
{
  if (upcr_is_checked)
    upcr_checked_release (what);
  else
    upcr_caches_empty ();
}

static upcr_pts
live_block (int thread, uint64_t offset, unsigned shadow)
{
  set_shadow (thread, offset, shadow);
  return upcr_pts_make (thread, offset, 0);
}

/* THREAD is the one whose partition has the block's shadow byte. */
static upcr_pts
allocate (size_t bytes, int flags, int thread, unsigned shadow)
{
  char *block = allocate_memory (bytes < UPCR_SHADOW_UNIT ? UPCR_SHADOW_UNIT : bytes, flags);

  if (!block)
    return upcr_pts_null ();
  return live_block (thread, block - upcr_segment_address (thread, 0), shadow);
}

/* What magazines do not serve stands in functions of its own: so the others save no registers. */
static __attribute__ ((noinline)) upcr_pts
allocate_local (size_t bytes, unsigned class)
{
  if (upcr_is_checked)
    return upcr_checked_local_alloc (bytes, UPCR_SHADOW_UNIT, "upc_alloc");
  if (bytes == 0 || bytes > UPCR_PARTITION_BYTES)
    return upcr_pts_null ();
  return allocate (class ? class * UPCR_SHADOW_UNIT : bytes, upcr_caches ()->local, MYTHREAD,
                   UPCR_LOCAL + class);
}

upcr_pts
upcr_local_alloc (size_t bytes)
{
  unsigned class = upcr_class_of (bytes);
  uint64_t offset;

  if (class && (offset = upcr_magazine_take (UPCR_LOCAL + class)))
    return live_block (MYTHREAD, offset, UPCR_LOCAL + class);
  return allocate_local (bytes, class);
}

upcr_pts
upcr_local_alloc_aligned (size_t bytes, size_t alignment, const char *what)
{
  if (upcr_is_checked)
    return upcr_checked_local_alloc (bytes, alignment, what);
  return allocate (bytes, upcr_caches ()->local | MALLOCX_ALIGN (alignment), MYTHREAD,
                   UPCR_OF_LIBRARY);
}

/* The bytes of each thread's piece. False: more than there can be. */
static bool
piece_bytes (size_t blocks, size_t block_bytes, size_t *bytes)
{
  size_t rounds = 1;

  /* Most blocks are one for each thread; a division takes as long as all the rest. */
  if (blocks > (size_t) THREADS)
    rounds = blocks / THREADS + (blocks % THREADS != 0);
  return !__builtin_mul_overflow (rounds, block_bytes, bytes) && *bytes <= UPCR_PARTITION_BYTES;
}

static __attribute__ ((noinline)) upcr_pts
allocate_symmetric (size_t bytes, unsigned class)
{
  if (upcr_is_checked)
    return upcr_checked_symmetric_alloc (bytes, "upc_global_alloc");
  return allocate (class ? class * UPCR_SHADOW_UNIT : bytes, upcr_caches ()->symmetric, 0,
                   UPCR_SYMMETRIC + class);
}

upcr_pts
upcr_symmetric_alloc (size_t blocks, size_t block_bytes)
{
  size_t bytes;
  unsigned class;
  uint64_t offset;

  if (blocks == 0 || block_bytes == 0 || !piece_bytes (blocks, block_bytes, &bytes))
    return upcr_pts_null ();
  class = upcr_class_of (bytes);
  if (class && (offset = upcr_magazine_take (UPCR_SYMMETRIC + class)))
    return live_block (0, offset, UPCR_SYMMETRIC + class);
  return allocate_symmetric (bytes, class);
}

upcr_pts
upcr_symmetric_alloc_for (size_t blocks, size_t block_bytes, const char *what)
{
  size_t bytes;

  if (!upcr_is_checked || blocks == 0)
    return upcr_symmetric_alloc (blocks, block_bytes);
  return piece_bytes (blocks, block_bytes, &bytes) ? upcr_checked_symmetric_alloc (bytes, what)
                                                   : upcr_pts_null ();
}

/* The shadow byte of BLOCK; UPCR_NO_BLOCK if no block begins there. */
static inline unsigned
shadow_of (upcr_pts block)
{
  uint32_t thread = upcr_pts_thread (block);
  uint64_t offset = upcr_pts_offset (block);

  if (upcr_pts_phase (block) != 0 || thread >= (uint32_t) THREADS || offset % UPCR_SHADOW_UNIT != 0
      || !upcr_zone_is_open (thread, offset))
    return UPCR_NO_BLOCK;
  return atomic_load_explicit (upcr_shadow_of (thread, offset), memory_order_relaxed);
}

/* Writes which element of a static shared object is at OFFSET, or that. */
static void
write_place (uint32_t thread, uint64_t offset, char *text, size_t bytes)
{
  const upcr_object *object = thread < (uint32_t) THREADS ? upcr_object_up_to (offset) : NULL;

  if (object && offset - upcr_object_offset (object) < upcr_object_piece (object, thread))
    upcr_element_text (object, thread, offset, text, bytes);
  else
    snprintf (text, bytes, "thread %u, offset 0x%lx", thread, (unsigned long) offset);
}

/* Ends the run: BLOCK, with SHADOW, is none that is in use, or the library's own. */
static _Noreturn void
refuse_block (upcr_pts block, unsigned shadow, const char *what)
{
  uint32_t thread = upcr_pts_thread (block);
  char place[UPCR_TEXT_BYTES];

  write_place (thread, upcr_pts_offset (block), place, sizeof place);
  if (shadow == UPCR_FREED)
    upcr_fatal ("%s: block already freed: %s; UPC_CHECK=1 tells where", what, place);
  if (shadow == UPCR_OF_LIBRARY)
    upcr_fatal (UPCR_LIBRARY_TEXT, what, place);
  if (thread < (uint32_t) THREADS && upcr_pts_offset (block) >= upcr_zone.start)
    upcr_text_anywhere (thread, upcr_pts_offset (block), 0, place, sizeof place);
  upcr_refuse_start (block, place, what);
}

/* May the calling thread's caches have a block of THREAD with SHADOW? */
static inline bool
is_for_caches (uint32_t thread, unsigned shadow)
{
  return shadow >= UPCR_SYMMETRIC || thread == (uint32_t) MYTHREAD;
}

static int
flags_to_free (uint32_t thread, unsigned shadow)
{
  if (!is_for_caches (thread, shadow))
    return MALLOCX_TCACHE_NONE;
  return shadow >= UPCR_SYMMETRIC ? upcr_caches ()->symmetric : upcr_caches ()->local;
}

/* Puts BLOCK in a magazine. False, and nothing is done, unless it is a small one in use that the
   calling thread may keep, and there is a magazine with space. A checked heap has none. */
static inline bool
keep_block (upcr_pts block, unsigned shadow)
{
  if (shadow <= UPCR_LOCAL || shadow == UPCR_SYMMETRIC
      || !is_for_caches (upcr_pts_thread (block), shadow) || !upcr_magazines
      || !upcr_magazine_put (shadow, upcr_pts_offset (block)))
    return false;
  set_shadow (upcr_pts_thread (block), upcr_pts_offset (block), UPCR_FREED);
  return true;
}

static __attribute__ ((noinline)) void
free_block (upcr_pts block, unsigned shadow, const char *what)
{
  uint32_t thread = upcr_pts_thread (block);

  if (upcr_pts_is_null (block))
    return;
  if (upcr_is_checked)
    {
      upcr_checked_free (block, false, what);
      return;
    }
  if (shadow < UPCR_LOCAL)
    refuse_block (block, shadow, what);
  /* With the caches, whose end gives back the magazines, too: a thread may do no more than free. */
  if (!upcr_magazines && (upcr_caches (), upcr_magazines_make ()) && keep_block (block, shadow))
    return;
  /* Of two threads that free it at once one is told. Magazines do without: with an exchange for symmetric blocks
     upc_global_alloc and upc_free take 10.4 ns instead of 6.1. A checked heap tells of those, too. */
  if (atomic_exchange_explicit (upcr_shadow_of (thread, upcr_pts_offset (block)), UPCR_FREED,
                                memory_order_relaxed)
      == UPCR_FREED)
    refuse_block (block, UPCR_FREED, what);
  dallocx (upcr_pts_address (block), flags_to_free (thread, shadow));
}

void
upcr_heap_free (upcr_pts block, const char *what)
{
  unsigned shadow = shadow_of (block);

  if (!keep_block (block, shadow))
    free_block (block, shadow, what);
}

char *
upcr_scratch_alloc (size_t bytes)
{
  char *memory = allocate_memory (bytes, upcr_caches ()->local);

  if (memory)
    upcr_unpoison (memory, bytes);
  return memory;
}

void
upcr_scratch_free (char *memory)
{
  if (!memory)
    return;
  if (upcr_is_checked)
    upcr_poison (memory, sallocx (memory, 0));
  dallocx (memory, upcr_caches ()->local);
}

void
upcr_library_free (upcr_pts object, const char *what)
{
  unsigned shadow = shadow_of (object);

  if (upcr_is_checked)
    upcr_checked_free (object, true, what);
  else
    free_block (object, shadow == UPCR_OF_LIBRARY ? UPCR_LOCAL : shadow, what);
}
