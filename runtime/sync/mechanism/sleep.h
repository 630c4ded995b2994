/* Sleeping in the kernel, and the record of it.

   A thread writes into its wait record what it is about to wait for. The record is marked while
   the thread sleeps. The diagnosis of a run reads the records, and hooks into the sleeps
   (diagnosis/).

   field        written by   read by         order
   what, lock   its thread   the diagnosis   relaxed, by sleeps
   word, seen   its thread   the diagnosis   relaxed, by sleeps
   sleeps       its thread   the diagnosis   release, acquire
   attempts     its thread   the diagnosis   relaxed: a hint */

#ifndef UPCR_SYNC_SLEEP_H
#define UPCR_SYNC_SLEEP_H

#include "runtime/host/host.h"
#include "runtime/sync/mechanism/kernel.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct upcr_lock;

struct upcr_wait_record
{
  _Alignas(64) _Atomic uint32_t sleeps; /* how often sleeps began and ended: odd in one */
  _Atomic uint32_t seen;                /* asleep while *WORD is that */
  _Atomic (_Atomic uint32_t *) word;
  const char *_Atomic what;             /* the function that waits */
  const struct upcr_lock *_Atomic lock; /* the lock it waits for, or NULL */
  _Atomic uint32_t attempts;            /* how often it did not get a lock by upc_lock_attempt */
};

extern struct upcr_wait_record upcr_wait_records[UPCR_MAX_THREADS];

/* Before a wait of the calling thread: WHAT is the function that waits for other threads, or
   for LOCK. Two stores in a cache line of the thread's own. */
static inline void
upcr_set_wait_reason (const char *what, const struct upcr_lock *lock)
{
  struct upcr_wait_record *mine = &upcr_wait_records[MYTHREAD];

  atomic_store_explicit (&mine->what, what, memory_order_relaxed);
  atomic_store_explicit (&mine->lock, lock, memory_order_relaxed);
}

/* The calling thread did not get LOCK, and does not wait for it. */
static inline void
upcr_count_attempt (const struct upcr_lock *lock)
{
  struct upcr_wait_record *mine = &upcr_wait_records[MYTHREAD];
  uint32_t attempts = atomic_load_explicit (&mine->attempts, memory_order_relaxed);

  atomic_store_explicit (&mine->lock, lock, memory_order_relaxed);
  atomic_store_explicit (&mine->attempts, attempts + 1, memory_order_relaxed);
}

static inline bool
upcr_is_asleep (int thread)
{
  return atomic_load_explicit (&upcr_wait_records[thread].sleeps, memory_order_acquire) & 1;
}

/* Begins and ends the mark. In between the thread changes nothing that another one waits
   for. */
void upcr_sleep_begins (_Atomic uint32_t *word, uint32_t seen);
void upcr_sleep_ends (void);

/* Does THREAD, which has begun a sleep, sleep on a word that is what it was? The kernel compares them: the word's
   memory may be gone when the thread has gone on meanwhile. */
bool upcr_sleeps_on (int thread);

/* Hooks into sleeps; NULL: none. Set before the threads exist. */
struct upcr_sleep_hooks
{
  /* How long the calling thread may sleep at most, in its TURN-th sleep of a wait, from 0.
     Returns TIME, or NULL: for ever. */
  const struct timespec *(*limit) (unsigned attempt, struct timespec *time);
  /* It slept for so long. Called between upcr_sleep_begins and upcr_sleep_ends. */
  void (*timed_out) (void);
};
extern const struct upcr_sleep_hooks *upcr_sleep_hooks;

/* Sleeps while *WORD is SEEN: the calling thread's record is marked, and the hooks are
   called. SLEEP is the kernel's futex_wait, or stands in for it. May return early: look
   again. */
void upcr_sleep_by (int (*sleep) (_Atomic uint32_t *word, uint32_t seen,
                                  const struct timespec *limit),
                    _Atomic uint32_t *word, uint32_t seen);

/* Wakes up to THREADS of those that sleep on WORD. Its memory may be gone: the address alone
   counts. */
void upcr_wake (_Atomic uint32_t *word, int threads);

#endif
