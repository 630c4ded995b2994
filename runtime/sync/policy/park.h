/* Parking: a wait for a word to change, first spinning, then asleep. */

#ifndef UPCR_SYNC_PARK_H
#define UPCR_SYNC_PARK_H

#include "runtime/sync/mechanism/debug.h"
#include "runtime/sync/mechanism/sleep.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

/* Returns once *WORD is no longer SEEN, with acquire order. What the wait is for is to be
   said before, by upcr_set_wait_reason. */
void upcr_park_while (_Atomic uint32_t *word, uint32_t seen);

/* To be called after a store to *WORD that parked threads wait for. */
void upcr_unpark_all (_Atomic uint32_t *word);

/* upcr_park_while of one of many threads: it spins on NEAR, but sleeps on LAST, which all
   sleep on; of the words that change together LAST does behind the others. */
void upcr_park_apart (_Atomic uint32_t *near, _Atomic uint32_t *last, uint32_t seen);

/* upcr_park_while of a thread that is not the next to go on. */
void upcr_park_in_queue (_Atomic uint32_t *word, uint32_t seen);

/* Sleeps while *WORD is SEEN. May return early: look again. For words that say
   themselves that a thread sleeps on them. */
void upcr_sleep (_Atomic uint32_t *word, uint32_t seen);

/* Counts of threads that sleep on a word, for words that have no room for one: each address
   has one of the counters, found by hashing. Two words that share one cost a needless
   wake call, never a lost one. */
enum
{
  UPCR_SLEEPER_COUNTS = 64
};
extern struct upcr_sleepers
{
  _Alignas(64) _Atomic uint32_t count;
} upcr_sleepers[UPCR_SLEEPER_COUNTS];

static inline _Atomic uint32_t *
upcr_sleepers_on (_Atomic uint32_t *word)
{
  uint64_t hash = (uintptr_t) word * 0x9E3779B97F4A7C15u;

  return &upcr_sleepers[hash >> 58].count;
}

/* upcr_unpark_all behind a store to *WORD and a full fence. */
static inline void
upcr_unpark_fenced (_Atomic uint32_t *word)
{
  _Atomic uint32_t *count = upcr_sleepers_on (word);

  UPCR_RACE_POINT ();
  if (__builtin_expect (atomic_load_explicit (count, memory_order_relaxed) != 0, 0))
    upcr_wake (word, INT_MAX);
}

#endif
