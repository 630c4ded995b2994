/* Waiting: awake at first (awake.c), then asleep in a futex.

   field            written by             read by     order
   upcr_sleepers[i] a thread that parks    the waker   see upcr_park_while
   waiters[t]       t, who nudges it       both        see sleep_until_nudged */

#include "runtime/sync/park.h"

#include "runtime/host/host.h"
#include "runtime/sync/awake.h"
#include "runtime/sync/crowd.h"
#include "runtime/sync/debug.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/seats.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <string.h>

struct upcr_sleepers upcr_sleepers[UPCR_SLEEPER_SLOTS];

/* A count of nudges, in units of A_NUDGE, and whether the thread sleeps. */
enum { ASLEEP = 1, A_NUDGE = 2 };

static struct
{
  _Alignas (64) _Atomic uint32_t nudges;
} waiters[UPCR_MAX_THREADS];

__thread upcr_progress_function *upcr_progress;

bool
upcr_make_progress (void)
{
  upcr_progress_function *progress = upcr_progress;
  bool did_something;

  upcr_progress = NULL;
  did_something = progress ();
  upcr_progress = progress;
  return did_something;
}

/* The nudge counts, so that the one between the last call of upcr_progress and the
   sleep is not lost: the kernel compares. */
static int
sleep_until_nudged (_Atomic uint32_t *word, uint32_t seen)
{
  _Atomic uint32_t *nudges = &waiters[MYTHREAD].nudges;
  uint32_t asleep = atomic_fetch_or_explicit (nudges, ASLEEP, memory_order_seq_cst) | ASLEEP;
  int error = 0;

  upcr_fence_after_rmw ();
  if (!upcr_make_progress ())
    error = upcr_kernel.futex_wait_two (word, seen, nudges, asleep);
  atomic_fetch_and_explicit (nudges, ~ASLEEP, memory_order_relaxed);
  return error;
}

/* Release: THREAD, which acquires the count when it is about to sleep, finds what was
   stored before. */
void
upcr_nudge (int thread)
{
  _Atomic uint32_t *nudges = &waiters[thread].nudges;

  if (atomic_fetch_add_explicit (nudges, A_NUDGE, memory_order_seq_cst) & ASLEEP)
    upcr_wake (nudges, 1);
}

/* 0 is a wake-up, meant or spurious; EAGAIN: the word had changed already;
   EINTR: a signal. The caller looks at the word again after each of them. */
void
upcr_sleep (_Atomic uint32_t *word, uint32_t seen)
{
  int error = upcr_progress ? sleep_until_nudged (word, seen) : upcr_kernel.futex_wait (word, seen);

  upcr_sit ();
  if (error != 0 && error != EAGAIN && error != EINTR)
    upcr_fatal ("cannot sleep: futex: %s", strerror (error));
}

/* EFAULT: the woken threads went on and gave the memory back, which is theirs
   to do once they have seen the new value. */
void
upcr_wake (_Atomic uint32_t *word, int threads)
{
  int error = upcr_kernel.futex_wake (word, threads);

  upcr_sit ();
  if (error != 0 && error != EFAULT)
    upcr_fatal ("cannot wake threads: futex: %s", strerror (error));
}

/* The waker stores to *WORD, fences, reads the counter. This thread counts
   itself, then reads *WORD (the kernel does, under its own lock). The count is a
   seq_cst read-modify-write, the waker's fence is seq_cst, so one of the two sees
   the other's write: the waker wakes, or this thread does not sleep. */
static void
park (_Atomic uint32_t *word, uint32_t seen)
{
  _Atomic uint32_t *count = upcr_sleepers_on (word);

  upcr_crowd_look ();
  atomic_fetch_add_explicit (count, 1, memory_order_seq_cst);
  upcr_fence_after_rmw ();
  UPCR_WINDOW ();
  while (atomic_load_explicit (word, memory_order_acquire) == seen)
    upcr_sleep (word, seen);
  /* Relaxed: a waker that still sees the old count makes one call too many. */
  atomic_fetch_sub_explicit (count, 1, memory_order_relaxed);
}

void
upcr_park_while (_Atomic uint32_t *word, uint32_t seen)
{
  if (!upcr_wait_awake (word, seen))
    park (word, seen);
}

/* LAST may still be changing to SEEN: this thread found the last change in NEAR. */
void
upcr_park_apart (_Atomic uint32_t *near, _Atomic uint32_t *last, uint32_t seen)
{
  if (upcr_wait_awake (near, seen))
    return;
  while (atomic_load_explicit (near, memory_order_acquire) == seen)
    if (atomic_load_explicit (last, memory_order_relaxed) == seen)
      park (last, seen);
    else
      upcr_kernel.yield ();
}

void
upcr_park_asleep (_Atomic uint32_t *word, uint32_t seen)
{
  if (upcr_options.wait == UPCR_WAIT_SPIN)
    upcr_park_while (word, seen);
  else if (atomic_load_explicit (word, memory_order_acquire) == seen)
    park (word, seen);
}

void
upcr_unpark_all (_Atomic uint32_t *word)
{
  upcr_hardware_fence ();
  upcr_unpark_fenced (word);
}
