/* Explores the lock. */

#include "runtime.h"

#include "runtime/sync/primitives/lock.c"

#include "words.h"

#include <string.h>

static struct upcr_lock a, b;
/* Guarded by the lock. */
static int guarded;
static int taken;

void
explore_setup (void)
{
  leave_out_diagnosis ();
}

/* A use that is refused ends the execution. */
void
upcr_refuse_lock (const struct upcr_lock *lock, const char *what, const char *format, ...)
{
  (void) lock, (void) what, (void) format;
  explore_stop ();
}

void
upcr_refuse_freed_lock (const struct upcr_lock *lock, const char *what)
{
  (void) lock, (void) what;
  explore_stop ();
}

void
upcr_refuse_other_object (const struct upcr_lock *lock, const char *what)
{
  (void) lock, (void) what;
  explore_stop ();
}

void
upcr_idle_attempt (void)
{
}

static void
begin_with (int threads, const struct upcr_wait_policy *policy)
{
  THREADS = threads;
  upcr_current_wait_policy = policy;
  upcr_lock_init (&a, (struct upcr_lock_origin){ 0 });
  upcr_lock_init (&b, (struct upcr_lock_origin){ 0 });
  guarded = taken = 0;
  memset (seen, 0, sizeof seen);
}

static void
begin (int threads)
{
  begin_with (threads, &sleeps_at_once);
}

/* Who waits asks for a handoff before it sleeps. */
static void
begin_handoff (int threads)
{
  static const struct upcr_wait_policy policy = { .sleeps = true, .handoff_looks = 1 };

  begin_with (threads, &policy);
}

static void
begin_naps (int threads)
{
  static const struct upcr_wait_policy policy
      = { .sleeps = true, .handoff_looks = 1, .head_naps = true };

  begin_with (threads, &policy);
}

static void
use (void)
{
  upcr_lock_acquire (&a);
  guarded++;
  upcr_lock_release (&a);
}

static void
once (void)
{
  use ();
}

static void
twice (void)
{
  use ();
  use ();
}

static void
end_once (void)
{
  EXPLORE_REQUIRE (guarded == THREADS && atomic_load_explicit (&a.tail, memory_order_relaxed) == 0);
}

static void
end_twice (void)
{
  EXPLORE_REQUIRE (guarded == 2 * THREADS);
}

/* The last thread only tries. */
static void
attempt (void)
{
  if (MYTHREAD + 1 < THREADS)
    {
      use ();
      return;
    }
  if (!upcr_lock_try (&a))
    return;
  guarded++;
  upcr_lock_release (&a);
}

static void
end_attempt (void)
{
  EXPLORE_REQUIRE (guarded >= THREADS - 1);
}

/* A lock and an unlock are strict accesses: of each two threads, one sees the other's store. */
static struct upcr_lock *
own_lock (void)
{
  return MYTHREAD == 0 ? &a : &b;
}

static void
strict_acquire (void)
{
  atomic_store_explicit (mine (), 1, memory_order_relaxed);
  upcr_lock_acquire (own_lock ());
  seen[MYTHREAD] = atomic_load_explicit (theirs (), memory_order_relaxed);
}

static void
strict_release (void)
{
  upcr_lock_acquire (own_lock ());
  atomic_store_explicit (mine (), 1, memory_order_relaxed);
  upcr_lock_release (own_lock ());
  seen[MYTHREAD] = atomic_load_explicit (theirs (), memory_order_relaxed);
}

/* Thread 0 frees the lock that it holds, while others come: one of them is told, nobody waits for
   ever. */
static void
destroy (void)
{
  if (MYTHREAD > 0)
    {
      upcr_lock_acquire (&a);
      upcr_lock_release (&a);
      return;
    }
  upcr_lock_acquire (&a);
  upcr_lock_destroy (&a, "test");
}

const struct explore_case explore_cases[] = {
  EXPLORE_CASE ("once", once, 2, begin, end_once),
  EXPLORE_CASE ("once", once, 3, begin, end_once),
  EXPLORE_CASE ("once", once, 4, begin, end_once),
  EXPLORE_CASE ("twice", twice, 2, begin, end_twice),
  EXPLORE_CASE ("twice", twice, 3, begin, end_twice),
  EXPLORE_CASE ("handoff", once, 2, begin_handoff, end_once),
  EXPLORE_CASE ("handoff", once, 3, begin_handoff, end_once),
  EXPLORE_CASE ("handoff_twice", twice, 2, begin_handoff, end_twice),
  EXPLORE_CASE ("naps", once, 2, begin_naps, end_once),
  EXPLORE_CASE ("naps_twice", twice, 2, begin_naps, end_twice),
  EXPLORE_CASE ("attempt", attempt, 2, begin, end_attempt),
  EXPLORE_CASE ("attempt", attempt, 3, begin, end_attempt),
  EXPLORE_CASE ("strict_acquire", strict_acquire, 2, begin, end_one_sees),
  EXPLORE_CASE ("strict_release", strict_release, 2, begin, end_one_sees),
  EXPLORE_CASE ("destroy", destroy, 2, begin, NULL),
  EXPLORE_CASE ("destroy", destroy, 3, begin, NULL),
  { 0 },
};
