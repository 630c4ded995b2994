/* Where jemalloc ends and the partition begins: extent hooks that hand out zones.

   A zone is never given back: dalloc refuses, and jemalloc retains the extent for
   its own reuse. Pages that stay unused are purged, symmetric ones in every
   partition. The hooks run below jemalloc's locks and never call malloc. */

#include "runtime/shared/arena.h"

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/shared/zone.h"

#include <jemalloc/jemalloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* One arena's hooks, first so that a hook finds its arena. THREAD is the
   partition, or SYMMETRIC. */
enum
{
  SYMMETRIC = -1
};

struct arena
{
  extent_hooks_t hooks;
  int thread;
  unsigned index; /* 0, jemalloc's own first one: not made yet */
};

static struct arena symmetric_arena;
/* Not the threads' own: a block may be freed, and its arena asked for pages, when
   the thread it has affinity to is gone. */
static struct arena local_arenas[UPCR_MAX_THREADS];
static pthread_mutex_t arenas_lock = PTHREAD_MUTEX_INITIALIZER;

static void *
extent_alloc (extent_hooks_t *hooks, void *new_addr, size_t size, size_t alignment, bool *zero,
              bool *commit, unsigned index)
{
  struct arena *arena = (struct arena *) hooks;
  uint64_t offset;

  (void) index;
  /* Zones grow at their end only: no extent at a chosen address. */
  if (new_addr)
    return NULL;
  if (arena->thread == SYMMETRIC)
    offset = upcr_zone_grow_symmetric (size, alignment);
  else
    offset = upcr_zone_grow_local (arena->thread, size, alignment);
  if (!offset)
    return NULL;
  *zero = true;
  *commit = true;
  return upcr_segment_address (arena->thread == SYMMETRIC ? 0 : arena->thread, offset);
}

static bool
extent_dalloc (extent_hooks_t *hooks, void *addr, size_t size, bool committed, unsigned index)
{
  (void) hooks, (void) addr, (void) size, (void) committed, (void) index;
  return true;
}

static bool
extent_purge (extent_hooks_t *hooks, void *addr, size_t size, size_t offset, size_t length,
              unsigned index)
{
  struct arena *arena = (struct arena *) hooks;
  int copies = arena->thread == SYMMETRIC ? THREADS : 1;
  char *pages = (char *) addr + offset;

  (void) size, (void) index;
  for (int t = 0; t < copies; t++)
    if (madvise (pages + t * UPCR_STRIDE, length, MADV_DONTNEED))
      return true;
  return false;
}

static bool
extent_split (extent_hooks_t *hooks, void *addr, size_t size, size_t size_a, size_t size_b,
              bool committed, unsigned index)
{
  (void) hooks, (void) addr, (void) size, (void) size_a, (void) size_b;
  (void) committed, (void) index;
  return false;
}

static bool
extent_merge (extent_hooks_t *hooks, void *addr_a, size_t size_a, void *addr_b, size_t size_b,
              bool committed, unsigned index)
{
  (void) hooks, (void) addr_a, (void) size_a, (void) addr_b, (void) size_b;
  (void) committed, (void) index;
  return false;
}

_Noreturn void
upcr_arena_fail (const char *control, int error)
{
  upcr_fatal ("jemalloc: %s: %s", control, strerror (error));
}

/* An arena is made with jemalloc's own hooks and gets ours before its first use:
   so its records, made with it, stay out of the shared heap. */
static void
make_arena (struct arena *arena, int thread)
{
  size_t length = sizeof arena->index;
  extent_hooks_t *hooks = &arena->hooks;
  char control[64];
  int error;

  arena->thread = thread;
  arena->hooks = (extent_hooks_t){ .alloc = extent_alloc,
                                   .dalloc = extent_dalloc,
                                   .purge_forced = extent_purge,
                                   .split = extent_split,
                                   .merge = extent_merge };
  error = mallctl ("arenas.create", &arena->index, &length, NULL, 0);
  if (error)
    upcr_arena_fail ("arenas.create", error);
  snprintf (control, sizeof control, "arena.%u.extent_hooks", arena->index);
  error = mallctl (control, NULL, NULL, &hooks, sizeof hooks);
  if (error)
    upcr_arena_fail (control, error);
}

static unsigned
index_of (struct arena *arena, int thread)
{
  /* A thread that the program made itself has another one's MYTHREAD, whose arena may be
     there already. */
  pthread_mutex_lock (&arenas_lock);
  if (!arena->index)
    make_arena (arena, thread);
  pthread_mutex_unlock (&arenas_lock);
  return arena->index;
}

unsigned
upcr_arena_local (void)
{
  return index_of (&local_arenas[MYTHREAD], MYTHREAD);
}

unsigned
upcr_arena_symmetric (void)
{
  return index_of (&symmetric_arena, SYMMETRIC);
}
