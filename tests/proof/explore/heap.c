/* Explores the heap: blocks that one thread allocates and another one frees, and the magazines. The
   heap orders nothing itself: its shadow bytes and marks are relaxed, and magazines are their
   thread's alone. What has to order them is the program, which hands blocks on, the lock of the zones,
   and jemalloc. That is, for each arena, a list behind a lock here: who gets a block comes after who
   freed it. */

#include "runtime.h"

/* A use that is refused ends the execution, where it is to be. */
static bool is_to_be_refused;

static _Noreturn void
refuse (const char *format, ...)
{
  va_list args;

  if (is_to_be_refused)
    explore_stop ();
  va_start (args, format);
  fail_with (format, args);
}
#define upcr_fatal refuse

#include "runtime/arch/page.h"
#include "runtime/shared/arena.h"
#include "runtime/shared/cache.h"
#include "runtime/shared/checked.h"
#include "runtime/shared/objects.h"
#include "runtime/shared/shadow.h"

#include <jemalloc/jemalloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum
{
  MOST = 3, /* threads */
  SYMMETRIC = MOST,
  PAGES = 16,
  START = UPCR_PAGE_BYTES,
  TOP = PAGES * UPCR_PAGE_BYTES,
  BYTES = 16 /* of a block */
};

/* ---- What the heap stands on ---- */

static _Atomic uint8_t shadow_bytes[MOST][TOP / UPCR_SHADOW_UNIT];
#define upcr_shadow_of(thread, offset) (&shadow_bytes[thread][(offset) / UPCR_SHADOW_UNIT])

/* A lock of each kind has places of its own, whose orders are needed. */
#define LOCK(kind)                                                                             \
  static void lock_##kind (_Atomic uint32_t *lock)                                             \
  {                                                                                            \
    uint32_t expected = 0;                                                                     \
    while (!atomic_compare_exchange_strong_explicit (lock, &expected, 1, memory_order_acquire, \
                                                     memory_order_relaxed))                    \
      {                                                                                        \
        explore_pause ();                                                                      \
        expected = 0;                                                                          \
      }                                                                                        \
  }                                                                                            \
  static void unlock_##kind (_Atomic uint32_t *lock)                                           \
  {                                                                                            \
    atomic_store_explicit (lock, 0, memory_order_release);                                     \
  }
LOCK (zones)
LOCK (arena)

static _Atomic uint32_t lock_of_zones;
static char tables[16][UPCR_PAGE_BYTES]; /* pages of the sets */
static int
give_access (void *memory, size_t bytes, int how)
{
  (void) memory, (void) bytes, (void) how;
  return 0;
}
#define pthread_mutex_lock(lock) ((void) (lock), lock_zones (&lock_of_zones))
#define pthread_mutex_unlock(lock) ((void) (lock), unlock_zones (&lock_of_zones))
#define mmap(where, bytes, ...) ((void *) ((bytes) <= sizeof tables ? tables : MAP_FAILED))
#define mprotect give_access
#define madvise give_access
#define upcr_usage_error refuse
#include "runtime/shared/pages.c"
#include "runtime/shared/zone.c"

/* Each thread of a case has its magazines: what declares the variable declares a function here. */
static struct upcr_magazine *magazines[MOST];
#define __thread
#define upcr_magazines (*own_magazines ())
#include "runtime/shared/magazine.c"
#undef __thread

struct upcr_magazine **
own_magazines (void)
{
  return &magazines[MYTHREAD];
}

/* A checked heap has no magazines; no case has static objects. */
#define upcr_checked_local_alloc(bytes, alignment, what) ((void) (what), upcr_pts_null ())
#define upcr_checked_symmetric_alloc(bytes, what) ((void) (what), upcr_pts_null ())
#define upcr_checked_free(...) (void) 0
#define upcr_checked_release(what) ((void) (what))
#define upcr_refuse_start(block, text, what) ((void) (block), (void) (text), (void) (what), abort ())
#define upcr_object_up_to(offset) NULL
#define upcr_access_text(...) (void) 0
#include "runtime/shared/heap.c"

/* ---- jemalloc ---- */

static struct arena
{
  _Atomic uint32_t lock;
  int count;
  void *free[4];
} arenas[SYMMETRIC + 1];

/* A new block has pages of its own. */
static void *
new_block (int arena)
{
  if (arena == SYMMETRIC)
    return upcr_segment_address (0, upcr_zone_take_symmetric (UPCR_PAGE, UPCR_PAGE));
  return upcr_segment_address (arena, upcr_zone_take_local (arena, UPCR_PAGE, UPCR_PAGE));
}

/* FLAGS are the number of an arena and 1. */
void *
mallocx (size_t bytes, int flags)
{
  struct arena *arena = &arenas[flags - 1];
  void *block;

  EXPLORE_REQUIRE (bytes == BYTES);
  lock_arena (&arena->lock);
  block = arena->count ? arena->free[--arena->count] : new_block (flags - 1);
  unlock_arena (&arena->lock);
  return block;
}

static int
arena_of (uintptr_t block)
{
  uintptr_t offset = (block - (uintptr_t) upcr_segment_address (0, 0)) % UPCR_STRIDE;

  return offset < TOP / 2 ? SYMMETRIC : (block - UPCR_SEGMENT_BASE) / UPCR_STRIDE;
}

/* A cache of another thread's arena would hand the block out with the wrong affinity. */
void
dallocx (void *block, int flags)
{
  int number = arena_of ((uintptr_t) block);
  struct arena *arena = &arenas[number];

  EXPLORE_REQUIRE (flags == MALLOCX_TCACHE_NONE || flags == number + 1);
  lock_arena (&arena->lock);
  arena->free[arena->count++] = block;
  unlock_arena (&arena->lock);
}

const struct upcr_caches *
upcr_caches (void)
{
  static const struct upcr_caches flags[MOST]
      = { { 1, SYMMETRIC + 1 }, { 2, SYMMETRIC + 1 }, { 3, SYMMETRIC + 1 } };

  return &flags[MYTHREAD];
}

void
upcr_caches_empty (void)
{
  explore_fail ("no memory");
}

void
upcr_arenas_purge (void)
{
}

/* ---- The cases ---- */

/* What a program writes into its blocks, one at each start of a page. */
static int content[MOST][PAGES];
/* A block that is handed on, in which the next thread waits for it. */
static upcr_pts block;
static _Atomic int holder;

void
explore_setup (void)
{
  leave_out_diagnosis ();
}

static void
begin (int threads)
{
  THREADS = threads;
  is_to_be_refused = false;
  memset (shadow_bytes, 0, sizeof shadow_bytes);
  memset (tables, 0, sizeof tables);
  memset (arenas, 0, sizeof arenas);
  memset (content, 0, sizeof content);
  for (int t = 0; t < MOST; t++)
    {
      free (magazines[t]);
      magazines[t] = NULL;
    }
  atomic_init (&holder, 0);
  upcr_zone_init (threads, START, TOP);
}

/* One that the calling thread has now: nobody else writes there. */
static upcr_pts
fill (upcr_pts p, int value)
{
  EXPLORE_REQUIRE (!upcr_pts_is_null (p));
  content[upcr_pts_thread (p)][upcr_pts_offset (p) / UPCR_PAGE] = value;
  return p;
}

static int
content_of (upcr_pts p)
{
  return content[upcr_pts_thread (p)][upcr_pts_offset (p) / UPCR_PAGE];
}

static void
hand_on (upcr_pts p)
{
  block = fill (p, MYTHREAD + 1);
  atomic_store_explicit (&holder, MYTHREAD + 1, memory_order_release);
}

/* The block that the thread before has handed on, which is not freed meanwhile. */
static upcr_pts
get (void)
{
  while (atomic_load_explicit (&holder, memory_order_acquire) != MYTHREAD)
    explore_pause ();
  EXPLORE_REQUIRE (content_of (block) == MYTHREAD);
  return block;
}

static void
give_back (upcr_pts p)
{
  EXPLORE_REQUIRE (content_of (p) == MYTHREAD + 1);
  upcr_heap_free (p, "upc_free");
}

/* Allocates as often as it frees. */
static void
use (upcr_pts p)
{
  give_back (fill (p, MYTHREAD + 1));
}

/* Of thread 0, freed by thread 1, and maybe allocated again meanwhile. */
static void
local_blocks (void)
{
  if (MYTHREAD == 0)
    {
      hand_on (upcr_local_alloc (BYTES));
      use (upcr_local_alloc (BYTES));
      use (upcr_local_alloc (BYTES));
      return;
    }
  upcr_heap_free (get (), "upc_free");
  use (upcr_local_alloc (BYTES));
}

/* What thread 1 frees is in its own magazine. */
static void
symmetric_blocks (void)
{
  if (MYTHREAD == 0)
    {
      hand_on (upcr_symmetric_alloc (THREADS, BYTES));
      use (upcr_symmetric_alloc (THREADS, BYTES));
      return;
    }
  upcr_heap_free (get (), "upc_free");
  use (upcr_symmetric_alloc (THREADS, BYTES));
}

/* From thread to thread; the last one frees it. */
static void
along (void)
{
  if (MYTHREAD > 0)
    fill (get (), MYTHREAD + 1);
  if (MYTHREAD == 0)
    hand_on (upcr_symmetric_alloc (THREADS, BYTES));
  else if (MYTHREAD + 1 < THREADS)
    hand_on (block);
  else
    give_back (block);
  use (upcr_local_alloc (BYTES));
}

/* Each thread for itself: only the zones are shared. */
static void
apart (void)
{
  use (upcr_local_alloc (BYTES));
  use (upcr_symmetric_alloc (THREADS, BYTES));
  use (upcr_local_alloc (BYTES));
}

/* Thread 1 frees what thread 0 has freed. */
static void
twice (void)
{
  upcr_pts p;

  if (MYTHREAD == 0)
    {
      p = upcr_local_alloc (BYTES);
      use (p);
      hand_on (p);
      return;
    }
  p = get ();
  is_to_be_refused = true;
  upcr_heap_free (p, "upc_free");
  explore_fail ("a block can be freed twice");
}

const struct explore_case explore_cases[] = {
  EXPLORE_CASE ("local", local_blocks, 2, begin, NULL),
  EXPLORE_CASE ("symmetric", symmetric_blocks, 2, begin, NULL),
  EXPLORE_CASE ("along", along, 2, begin, NULL),
  EXPLORE_CASE ("along", along, 3, begin, NULL),
  EXPLORE_CASE ("apart", apart, 2, begin, NULL),
  EXPLORE_CASE ("apart", apart, 3, begin, NULL),
  EXPLORE_CASE ("twice", twice, 2, begin, NULL),
  { 0 },
};
