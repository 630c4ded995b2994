/* Where jemalloc ends and the partition begins: extent hooks that allocate from zones.

   Extents that stay unused go back to their zone, so pages freed by blocks of one kind can serve
   the other kind; symmetric ones go back in every partition. The hooks run below jemalloc's
   locks and never call malloc. */

#include "runtime/shared/arena.h"

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/shared/zone.h"

#include <errno.h>
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
  bool asks_twice;
  unsigned index; /* 0, jemalloc's own first one: not made yet */
};

static struct arena symmetric_arena;
/* Not the threads' own: a block may be freed, and its arena asked for pages, when
   the thread it has affinity to is gone. */
static struct arena local_arenas[UPCR_MAX_THREADS];
static pthread_mutex_t arenas_lock = PTHREAD_MUTEX_INITIALIZER;

/* Where it retains (opt.retain), jemalloc asks for more than it needs at first, megabytes for a
   page, and would keep the rest for good. Refused, it asks for what it needs, at once. REFUSED is
   what the thread's last call was refused. */
static __thread size_t refused;

static bool
is_first_asking (size_t size)
{
  bool is_first = size > refused;

  refused = is_first ? size : 0;
  return is_first;
}

static void *
extent_alloc (extent_hooks_t *hooks, void *new_addr, size_t size, size_t alignment, bool *zero,
              bool *commit, unsigned index)
{
  struct arena *arena = (struct arena *) hooks;
  uint64_t offset;

  (void) index;
  /* Zones choose the address. */
  if (new_addr || (arena->asks_twice && is_first_asking (size)))
    return NULL;
  if (arena->thread == SYMMETRIC)
    offset = upcr_zone_take_symmetric (size, alignment);
  else
    offset = upcr_zone_take_local (arena->thread, size, alignment);
  if (!offset)
    return NULL;
  *zero = true;
  *commit = true;
  return upcr_segment_address (arena->thread == SYMMETRIC ? 0 : arena->thread, offset);
}

/* The advice to the system that makes PAGES empty. */
#ifndef UPCR_NETWORK
static inline int
upcr_emptying (const void *pages)
{
  (void) pages;
  return MADV_DONTNEED;
}
#endif

/* Not what other processes have: what is in their pieces of a freed block is theirs to look at. */
static bool
extent_purge (extent_hooks_t *hooks, void *addr, size_t size, size_t offset, size_t length,
              unsigned index)
{
  struct arena *arena = (struct arena *) hooks;
  int copies = arena->thread == SYMMETRIC ? THREADS : 1;
  char *pages = (char *) addr + offset;

  (void) size, (void) index;
  for (int t = 0; t < copies; t++)
    if ((copies == 1 || upcr_is_own_thread (t))
        && madvise (pages + t * UPCR_STRIDE, length, upcr_emptying (pages + t * UPCR_STRIDE)))
      return true;
  return false;
}

static bool
extent_dalloc (extent_hooks_t *hooks, void *addr, size_t size, bool committed, unsigned index)
{
  struct arena *arena = (struct arena *) hooks;
  int thread = arena->thread == SYMMETRIC ? 0 : arena->thread;
  uint64_t offset = (char *) addr - upcr_segment_address (thread, 0);

  (void) committed;
  if (extent_purge (hooks, addr, size, 0, size, index))
    return true;
  if (arena->thread == SYMMETRIC)
    upcr_zone_give_symmetric (offset, size);
  else
    upcr_zone_give_local (thread, offset, size);
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
  /* What jemalloc says where it finds no memory for its records. */
  if (error == EAGAIN)
    upcr_fatal ("not enough memory for the records of the shared heap");
  upcr_fatal ("jemalloc: %s: %s", control, strerror (error));
}

static bool
does_retain (void)
{
  bool retains;
  size_t length = sizeof retains;
  int error = mallctl ("opt.retain", &retains, &length, NULL, 0);

  if (error)
    upcr_arena_fail ("opt.retain", error);
  return retains;
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
  arena->asks_twice = does_retain ();
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

static void
purge (const struct arena *arena)
{
  char control[32];
  int error;

  if (!arena->index)
    return;
  snprintf (control, sizeof control, "arena.%u.purge", arena->index);
  error = mallctl (control, NULL, NULL, NULL, 0);
  if (error)
    upcr_arena_fail (control, error);
}

void
upcr_arenas_purge (void)
{
  pthread_mutex_lock (&arenas_lock);
  purge (&symmetric_arena);
  for (int t = 0; t < THREADS; t++)
    purge (&local_arenas[t]);
  pthread_mutex_unlock (&arenas_lock);
}
