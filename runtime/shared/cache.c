/* A thread's caches, from its first allocation to its end. */

#include "runtime/shared/cache.h"

#include "runtime/shared/arena.h"
#include "runtime/shared/magazine.h"

#include <jemalloc/jemalloc.h>
#include <pthread.h>

static __thread struct upcr_caches flags;
/* jemalloc's numbers of its caches. */
static __thread unsigned local, symmetric;

static pthread_key_t key;
static int key_error;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int
make_cache (unsigned *cache, unsigned arena)
{
  size_t length = sizeof *cache;
  int error = mallctl ("tcache.create", cache, &length, NULL, 0);

  if (error)
    upcr_arena_fail ("tcache.create", error);
  return MALLOCX_ARENA (arena) | MALLOCX_TCACHE (*cache);
}

/* CONTROL is tcache.flush or tcache.destroy. */
static void
control_cache (unsigned *cache, const char *control)
{
  int error = mallctl (control, NULL, NULL, cache, sizeof *cache);

  if (error)
    upcr_arena_fail (control, error);
}

/* At the end of a thread: jemalloc has numbers for some 4,000 caches, and a program may
   make any number of threads, one after the other. Another destructor may allocate
   afterwards: then caches are made again, and glibc runs this again. */
static void
give_back (void *unused)
{
  (void) unused;
  upcr_magazines_empty (flags.local, flags.symmetric);
  control_cache (&local, "tcache.destroy");
  control_cache (&symmetric, "tcache.destroy");
  flags = (struct upcr_caches){ 0 };
}

static void
make_key (void)
{
  key_error = pthread_key_create (&key, give_back);
}

static __attribute__ ((noinline)) void
make_caches (void)
{
  flags.symmetric = make_cache (&symmetric, upcr_arena_symmetric ());
  flags.local = make_cache (&local, upcr_arena_local ());
  /* Where the system has no key, the caches stay when the thread ends. */
  pthread_once (&once, make_key);
  if (!key_error)
    pthread_setspecific (key, &flags);
}

const struct upcr_caches *
upcr_caches (void)
{
  if (__builtin_expect (!flags.local, 0))
    make_caches ();
  return &flags;
}

void
upcr_caches_empty (void)
{
  upcr_caches ();
  upcr_magazines_empty (flags.local, flags.symmetric);
  control_cache (&local, "tcache.flush");
  control_cache (&symmetric, "tcache.flush");
}
