/* Explores semaphores: thread 0 consumes, the others post. */

#include "runtime.h"

#include "runtime/bupc/bupc.h"

static _Alignas(64) unsigned char memory[64];
#define upcr_pts_address(p) ((void) (p), (void *) memory)

#include "runtime/bupc/semaphore.c"

#include <string.h>

static upcr_pts handle;
static int data[4];
static _Atomic uint32_t x, y;
static uint32_t seen[2];

void
explore_setup (void)
{
  leave_out_diagnosis ();
  handle = upcr_pts_make (0, 64, 0);
}

void
upcr_idle_fence (void)
{
}

void
upcr_end_once (void)
{
}

void
upcr_freeing_text (const void *address, char *text, size_t bytes)
{
  (void) address, (void) bytes;
  *text = 0;
}

upcr_pts
upcr_local_alloc_aligned (size_t bytes, size_t alignment, const char *what)
{
  (void) bytes, (void) alignment, (void) what;
  return handle;
}

/* What comes too late races with this. */
void
upcr_library_free (upcr_pts p, const char *what)
{
  (void) p, (void) what;
  explore_write (memory, sizeof memory);
}

static void
begin_kind (int threads, int flags)
{
  THREADS = threads;
  upcr_options.check = true;
  memset (data, 0, sizeof data);
  memset (seen, 0, sizeof seen);
  upcr_semaphore_alloc (flags);
}

static void
begin (int threads)
{
  begin_kind (threads, INTEGER | MPRODUCER);
}

static void
begin_boolean (int threads)
{
  begin_kind (threads, BOOLEAN | SPRODUCER);
}

/* What is written before a post is there behind the wait. */
static void
message (void)
{
  if (MYTHREAD > 0)
    {
      data[MYTHREAD] = 1;
      upcr_semaphore_post (handle, 1, "post");
      return;
    }
  upcr_semaphore_wait (handle, THREADS - 1, "wait");
  for (int t = 1; t < THREADS; t++)
    EXPLORE_REQUIRE (data[t] == 1);
}

/* The same, by tries; one of them may be too early. */
static void
attempt (void)
{
  if (MYTHREAD > 0)
    {
      data[MYTHREAD] = 1;
      upcr_semaphore_post (handle, 1, "post");
      return;
    }
  if (upcr_semaphore_try (handle, THREADS - 1, "try"))
    EXPLORE_REQUIRE (data[1] == 1);
}

/* Two posts of which the consumer takes one by one: none is lost. */
static void
twice (void)
{
  for (int i = 0; i < 2; i++)
    {
      if (MYTHREAD > 0)
        upcr_semaphore_post (handle, 1, "post");
      else
        upcr_semaphore_wait (handle, 1, "wait");
    }
}

static void
end_twice (void)
{
  const struct semaphore *semaphore = (const struct semaphore *) memory;

  EXPLORE_REQUIRE (atomic_load_explicit (&semaphore->value, memory_order_relaxed) == 0);
}

/* The consumer frees what it has waited for. */
static void
freed (void)
{
  if (MYTHREAD > 0)
    upcr_semaphore_post (handle, 1, "post");
  else
    {
      upcr_semaphore_wait (handle, 1, "wait");
      upcr_semaphore_free (handle);
    }
}

/* A post, a wait and a try are strict accesses: of each two threads, one sees the other's store. */
static void
strict_by (void (*operation) (void))
{
  _Atomic uint32_t *mine = MYTHREAD == 0 ? &x : &y, *theirs = MYTHREAD == 0 ? &y : &x;

  atomic_store_explicit (mine, 1, memory_order_relaxed);
  operation ();
  seen[MYTHREAD] = atomic_load_explicit (theirs, memory_order_relaxed);
}

static void
try_or_fence (void)
{
  if (MYTHREAD == 0)
    upcr_semaphore_try (handle, 1, "try");
  else
    upcr_fence ();
}

static void
strict_try (void)
{
  strict_by (try_or_fence);
}

static void
post_or_fence (void)
{
  if (MYTHREAD == 0)
    upcr_semaphore_post (handle, 1, "post");
  else
    upcr_fence ();
}

static void
strict_post (void)
{
  strict_by (post_or_fence);
}

static void
begin_posted (int threads)
{
  begin (threads);
  atomic_init (&((struct semaphore *) memory)->value, 1);
}

static void
end_strict (void)
{
  EXPLORE_REQUIRE (seen[0] || seen[1]);
}

const struct explore_case explore_cases[] = {
  EXPLORE_CASE ("message", message, 2, begin, NULL),
  EXPLORE_CASE ("message", message, 3, begin, NULL),
  EXPLORE_CASE ("boolean", message, 2, begin_boolean, NULL),
  EXPLORE_CASE ("attempt", attempt, 2, begin, NULL),
  EXPLORE_CASE ("twice", twice, 2, begin, end_twice),
  EXPLORE_CASE ("freed", freed, 2, begin, NULL),
  EXPLORE_CASE ("strict_post", strict_post, 2, begin, end_strict),
  EXPLORE_CASE ("strict_try", strict_try, 2, begin, end_strict),
  EXPLORE_CASE ("strict_take", strict_try, 2, begin_posted, end_strict),
  { 0 },
};
