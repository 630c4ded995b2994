/* The functions of jemalloc that the shared heap calls, for shared libraries. These have no
   jemalloc: its data for each thread is larger than the thread-local storage that glibc has left
   for libraries loaded by dlopen. Small blocks that come and go are in magazines, so this need not
   be fast, and has one lock.

   Pages come from an arena's hooks, as extents: a large block, or a slab of small blocks of one
   size. malloc provides the records of extents and their maps of blocks. Nothing is written into
   the pages. */

#include "runtime/arch/arch.h"

#include <jemalloc/jemalloc.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES ((size_t) UPCR_PAGE_BYTES)
#define SLAB_BYTES (4 * PAGE_BYTES) /* and the alignment of slabs */
#define UNIT_BYTES 16ul
#define SMALL_BYTES PAGE_BYTES /* the largest blocks of slabs */

enum
{
  CLASSES = 33,
  SLAB_WORDS = SLAB_BYTES / UNIT_BYTES / 64,
  ARENAS = 1 + 1 + 1024, /* none, the symmetric one, and the threads' */
  BUCKETS = 1 << 14
};

struct extent
{
  char *base;
  size_t bytes;
  size_t block_bytes; /* of a slab; else 0 */
  unsigned arena, class;
  unsigned used;              /* blocks */
  struct extent *in_bucket;   /* the next one */
  struct extent *next, *back; /* of slabs with free blocks */
  uint64_t map[SLAB_WORDS];   /* a bit for each block, set: in use */
};

struct arena
{
  extent_hooks_t *hooks;
  struct extent *slabs[CLASSES]; /* those with free blocks */
};

/* All under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct arena arenas[ARENAS];
static unsigned arena_count = 1;
static struct extent *buckets[BUCKETS]; /* by BASE */

static size_t
round_up (size_t bytes, size_t to)
{
  return (bytes + to - 1) & -to;
}

/* Multiples of a unit up to 16 units, then four sizes from each power of two to the next. */
static unsigned
class_of (size_t bytes, size_t *class_bytes)
{
  unsigned log = bytes <= 16 * UNIT_BYTES ? 4 : 61 - __builtin_clzl (bytes - 1);
  unsigned steps = (bytes + (1ul << log) - 1) >> log;

  *class_bytes = (size_t) steps << log;
  return log == 4 ? steps : 16 + 4 * (log - 6) + steps - 4;
}

/* ---- Extents ---- */

static struct extent **
bucket_of (const char *base)
{
  uint64_t hash = (uintptr_t) base / PAGE_BYTES * 0x9E3779B97F4A7C15u;

  return &buckets[hash >> 50];
}

static struct extent *
find_base (const char *base)
{
  struct extent *extent = *bucket_of (base);

  while (extent && extent->base != base)
    extent = extent->in_bucket;
  return extent;
}

/* The one that BLOCK begins in. */
static struct extent *
find (const char *block)
{
  struct extent *extent = find_base (block);

  return extent ? extent : find_base ((const char *) ((uintptr_t) block & -SLAB_BYTES));
}

/* Null where there is no memory. */
static struct extent *
open_extent (unsigned arena, size_t bytes, size_t alignment)
{
  extent_hooks_t *hooks = arenas[arena].hooks;
  struct extent *extent = calloc (1, sizeof *extent);
  bool zero = false, commit = false;

  if (!extent)
    return NULL;
  extent->base = hooks->alloc (hooks, NULL, bytes, alignment, &zero, &commit, arena);
  if (!extent->base)
    {
      free (extent);
      return NULL;
    }
  extent->bytes = bytes;
  extent->arena = arena;
  extent->in_bucket = *bucket_of (extent->base);
  *bucket_of (extent->base) = extent;
  return extent;
}

static void
close_extent (struct extent *extent)
{
  extent_hooks_t *hooks = arenas[extent->arena].hooks;
  struct extent **at = bucket_of (extent->base);

  while (*at != extent)
    at = &(*at)->in_bucket;
  *at = extent->in_bucket;
  hooks->dalloc (hooks, extent->base, extent->bytes, true, extent->arena);
  free (extent);
}

/* ---- Slabs ---- */

static void
link_slab (struct extent *slab)
{
  struct extent **first = &arenas[slab->arena].slabs[slab->class];

  slab->back = NULL;
  slab->next = *first;
  if (*first)
    (*first)->back = slab;
  *first = slab;
}

static void
unlink_slab (struct extent *slab)
{
  if (slab->back)
    slab->back->next = slab->next;
  else
    arenas[slab->arena].slabs[slab->class] = slab->next;
  if (slab->next)
    slab->next->back = slab->back;
}

static unsigned
blocks_of (const struct extent *slab)
{
  return SLAB_BYTES / slab->block_bytes;
}

static struct extent *
slab_with_block (unsigned arena, unsigned class, size_t block_bytes)
{
  struct extent *slab = arenas[arena].slabs[class];

  if (slab || !(slab = open_extent (arena, SLAB_BYTES, SLAB_BYTES)))
    return slab;
  slab->class = class;
  slab->block_bytes = block_bytes;
  link_slab (slab);
  return slab;
}

static char *
take_small (unsigned arena, size_t bytes)
{
  size_t block_bytes;
  unsigned class = class_of (bytes, &block_bytes), word = 0, block;
  struct extent *slab = slab_with_block (arena, class, block_bytes);

  if (!slab)
    return NULL;
  while (!~slab->map[word])
    word++;
  block = 64 * word + __builtin_ctzl (~slab->map[word]);
  slab->map[word] |= 1ul << block % 64;
  if (++slab->used == blocks_of (slab))
    unlink_slab (slab);
  return slab->base + block * block_bytes;
}

/* A slab without blocks stays if it is the only one of its kind. */
static void
give_small (struct extent *slab, const char *pointer)
{
  unsigned block = (pointer - slab->base) / slab->block_bytes;

  slab->map[block / 64] &= ~(1ul << block % 64);
  if (slab->used-- == blocks_of (slab))
    link_slab (slab);
  if (slab->used == 0 && (slab->next || slab->back))
    {
      unlink_slab (slab);
      close_extent (slab);
    }
}

static void
purge (struct arena *arena)
{
  for (unsigned class = 0; class < CLASSES; class ++)
    for (struct extent *slab = arena->slabs[class], *next; slab; slab = next)
      {
        next = slab->next;
        if (slab->used)
          continue;
        unlink_slab (slab);
        close_extent (slab);
      }
}

/* ---- As jemalloc's manual has them ---- */

void *
mallocx (size_t bytes, int flags)
{
  unsigned arena = ((unsigned) flags >> 20) - 1;
  size_t alignment = 1ul << (flags & 63);
  struct extent *extent;
  char *block;

  /* Blocks of a power of two are aligned to it. */
  if (alignment > UNIT_BYTES && bytes <= SMALL_BYTES)
    bytes = alignment > bytes ? alignment : 1ul << (64 - __builtin_clzl (bytes - 1));
  pthread_mutex_lock (&lock);
  if (bytes <= SMALL_BYTES)
    block = take_small (arena, bytes);
  else
    {
      extent = open_extent (arena, round_up (bytes, PAGE_BYTES),
                            alignment < PAGE_BYTES ? PAGE_BYTES : alignment);
      block = extent ? extent->base : NULL;
    }
  pthread_mutex_unlock (&lock);
  return block;
}

void
dallocx (void *block, int flags)
{
  struct extent *extent;

  (void) flags;
  pthread_mutex_lock (&lock);
  extent = find (block);
  if (extent->block_bytes)
    give_small (extent, block);
  else
    close_extent (extent);
  pthread_mutex_unlock (&lock);
}

size_t
sallocx (const void *block, int flags)
{
  const struct extent *extent;
  size_t bytes = 0;

  (void) flags;
  pthread_mutex_lock (&lock);
  if ((extent = find (block)))
    bytes = extent->block_bytes ? extent->block_bytes : extent->bytes;
  pthread_mutex_unlock (&lock);
  return bytes;
}

/* There are no caches: all have the number 0. */
int
mallctl (const char *name, void *old, size_t *old_bytes, void *new, size_t new_bytes)
{
  unsigned arena;
  int length = 0, error = 0;

  (void) old_bytes, (void) new_bytes;
  pthread_mutex_lock (&lock);
  if (strcmp (name, "opt.retain") == 0)
    *(bool *) old = false;
  else if (strcmp (name, "tcache.create") == 0)
    *(unsigned *) old = 0;
  else if (strcmp (name, "arenas.create") == 0 && arena_count < ARENAS)
    *(unsigned *) old = arena_count++;
  else if (sscanf (name, "arena.%u.extent_hooks%n", &arena, &length) == 1 && length)
    arenas[arena].hooks = *(extent_hooks_t **) new;
  else if (sscanf (name, "arena.%u.purge%n", &arena, &length) == 1 && length)
    purge (&arenas[arena]);
  else if (strncmp (name, "tcache.", 7) != 0)
    error = ENOENT;
  pthread_mutex_unlock (&lock);
  return error;
}
