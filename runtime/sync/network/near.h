/* What processes that share memory have in common besides the partitions (runtime/net/near.c): the
   barrier, the threads that wait for locks, and letters. A process that shares with none has its own. */

#ifndef UPCR_SYNC_NEAR_H
#define UPCR_SYNC_NEAR_H

#include "runtime/host/host.h"
#include "runtime/net/net.h"
#include "runtime/sync/network/letter.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What threads of any of the processes wait for the change of: VALUE, in release order. SLEEPERS of them are in
   a futex, or about to be. */
struct upcr_near_word
{
  _Atomic uint32_t value;
  _Atomic uint32_t sleepers;
};

/* Do all processes share memory? */
static inline bool
upcr_are_all_near (void)
{
  return upcr_net_place ().near == upcr_net_place ().size;
}

/* See barrier.c. */
struct upcr_near_barrier
{
  _Alignas(64) _Atomic uint32_t arrived;
  _Alignas(64) struct upcr_near_word epoch;
  _Alignas(64) _Atomic int64_t given[2];
  _Alignas(64) _Atomic int64_t most[2];
  _Atomic uint32_t beyond;
  uint32_t kinds;
};

/* See lock.c. */
struct upcr_near_waiter
{
  _Alignas(64) struct upcr_near_word turn;
  uint32_t next;
  bool is_far;
  struct upcr_net_caller caller;
};

/* See letter.c. */
enum
{
  UPCR_LETTERS = 16
};

struct upcr_near_letter
{
  _Alignas(64) struct upcr_near_word number;
  _Alignas(16) char text[UPCR_LETTER_BYTES];
};

struct upcr_near_reader
{
  _Alignas(64) struct upcr_near_word number;
};

struct upcr_near
{
  struct upcr_near_barrier barrier;
  struct upcr_near_waiter waiters[UPCR_MAX_THREADS];
  struct upcr_near_reader have_read[UPCR_MAX_THREADS];
  struct upcr_near_letter letters[UPCR_MAX_THREADS][UPCR_LETTERS];
};

extern UPCR_PER_PROCESS struct upcr_near *upcr_near;

/* The threads of all the processes. */
extern UPCR_PER_PROCESS int upcr_near_first, upcr_near_threads;

/* At the start, once the partitions are there: it lies behind those of the first of the processes. */
void upcr_near_init (void);

/* All threads, for the function WHAT: the greatest of what each gives, more than INT64_MIN. Orders as
   upcr_collective_barrier. */
struct upcr_net_most upcr_collective_most (struct upcr_net_most mine, const char *what);

/* How many bytes a process has to have for it. */
size_t upcr_near_bytes (void);

/* Will the barrier go on, as far as this process knows, without another message? */
bool upcr_barrier_goes_on (void);

/* Waits until WORD is not SEEN, with acquire order. */
void upcr_near_await (struct upcr_near_word *word, uint32_t seen);

/* The same of any word, which messages change. */
void upcr_await_change (_Atomic uint32_t *word, uint32_t seen);

/* Stores VALUE, with release order, and wakes who waits. */
void upcr_near_set (struct upcr_near_word *word, uint32_t value);

#endif
