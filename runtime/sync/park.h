/* Inside the room: how a thread waits. The other rooms have upcr_park_while
   and upcr_unpark_all in sync.h. */

#ifndef UPCR_PARK_H
#define UPCR_PARK_H

#include "runtime/arch/arch.h"
#include "runtime/sync/debug.h"
#include "runtime/sync/kernel.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Calls upcr_progress, which is set; true when there was something to do. */
bool upcr_make_progress (void);

/* Wakes up to THREADS of those that upcr_sleep. The memory of *WORD may be gone:
   the address alone counts. */
void upcr_wake (_Atomic uint32_t *word, int threads);

/* Marks that threads sleep on a word, for words that have no room for one: each address
   has one of the counters, found by hashing. Two words that share one cost a needless
   wake call, never a lost one. */
enum { UPCR_SLEEPER_SLOTS = 64 };
extern struct upcr_sleepers
{
  _Alignas (64) _Atomic uint32_t count;
} upcr_sleepers[UPCR_SLEEPER_SLOTS];

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

  UPCR_WINDOW ();
  if (__builtin_expect (atomic_load_explicit (count, memory_order_relaxed) != 0, 0))
    upcr_wake (word, INT_MAX);
}

/* upcr_park_while of one of many threads: awake it looks at NEAR, asleep it is on LAST, which
   all sleep on; of the words that change together LAST does behind the others. */
void upcr_park_apart (_Atomic uint32_t *near, _Atomic uint32_t *last, uint32_t seen);

/* upcr_park_while that sleeps at once, but as UPC_WAIT says. */
void upcr_park_asleep (_Atomic uint32_t *word, uint32_t seen);

/* Sleeps while *WORD is SEEN. May return early: look again. For words that say
   themselves that a thread sleeps on them. */
void upcr_sleep (_Atomic uint32_t *word, uint32_t seen);

#endif
