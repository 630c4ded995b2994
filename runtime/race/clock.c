/* Vector clocks (Lamport; Fidge, Mattern). The entry of thread U in the clock of thread T is the
   last release of U that T comes behind; T's own is how often it has released.

   An access at time N of U, N being U's releases and 1, is before what T does once T's entry of U
   is N: U has released since, and T has acquired that.

   field             written by                    read by          order
   clocks[t]         the POSIX threads of t        the same         relaxed
   arrived[p][t]     t, before it arrives          all, behind it   the barrier's own
   common            under `lock`                  under `lock`
   version           under `lock`                  all              release, acquire
   acquired          under `lock`                  POSIX threads    release, acquire: who sees it
                                                   of t             sees what it stands for
   lock_clocks[i]    under its lock                the same

   POSIX threads of one UPC thread that acquire at once may each lose what the other acquired: a
   clock that is behind would be a false report. So entries only grow, by a read-modify-write. */

#include "runtime/race/race.h"

#include <pthread.h>

enum
{
  LOCK_CLOCKS = 1024
};

static upcr_clock clocks[UPCR_MAX_THREADS];

/* Of two phases: who is one ahead has left the one before. */
static upcr_clock arrived[2];

static struct
{
  _Alignas(64) unsigned notified;
  _Atomic uint64_t acquired; /* the version of COMMON that the thread has seen */
} own[UPCR_MAX_THREADS];

static pthread_mutex_t common_lock = PTHREAD_MUTEX_INITIALIZER;
static upcr_clock common;
static _Atomic uint64_t version;

static struct
{
  pthread_mutex_t lock;
  upcr_clock clock;
} lock_clocks[LOCK_CLOCKS]; /* zeros are a mutex that is free */

__thread bool upcr_race_is_inside;

static uint64_t
entry (const _Atomic uint64_t *clock)
{
  return atomic_load_explicit (clock, memory_order_relaxed);
}

static void
raise_entry (_Atomic uint64_t *clock, uint64_t to)
{
  uint64_t now = entry (clock);

  while (now < to
         && !atomic_compare_exchange_weak_explicit (clock, &now, to, memory_order_relaxed,
                                                    memory_order_relaxed))
    ;
}

static void
join (upcr_clock *to, upcr_clock *from)
{
  for (int t = 0; t < THREADS; t++)
    raise_entry (&(*to)[t], entry (&(*from)[t]));
}

uint64_t
upcr_race_now (void)
{
  return entry (&clocks[MYTHREAD][MYTHREAD]) + 1;
}

bool
upcr_race_is_behind (uint32_t thread, uint64_t now)
{
  return entry (&clocks[MYTHREAD][thread]) >= now;
}

void
upcr_race_read_clock (uint64_t *clock)
{
  for (int t = 0; t < THREADS; t++)
    clock[t] = entry (&clocks[MYTHREAD][t]);
}

static uint64_t
tick (void)
{
  return atomic_fetch_add_explicit (&clocks[MYTHREAD][MYTHREAD], 1, memory_order_relaxed) + 1;
}

void
upcr_race_release_to (upcr_clock *clock)
{
  tick ();
  join (clock, &clocks[MYTHREAD]);
}

void
upcr_race_acquire_from (upcr_clock *clock)
{
  join (&clocks[MYTHREAD], clock);
}

/* All threads arrive, so that their own entries are all that there is to know. */
void
upcr_race_notify (void)
{
  unsigned phase = own[MYTHREAD].notified++ & 1;

  atomic_store_explicit (&arrived[phase][MYTHREAD], tick (), memory_order_relaxed);
}

void
upcr_race_wait (void)
{
  upcr_race_acquire_from (&arrived[(own[MYTHREAD].notified - 1) & 1]);
}

void
__upc_race_release (void)
{
  if (upcr_race_is_inside)
    return;
  upcr_race_is_inside = true;
  pthread_mutex_lock (&common_lock);
  upcr_race_release_to (&common);
  atomic_fetch_add_explicit (&version, 1, memory_order_release);
  pthread_mutex_unlock (&common_lock);
  upcr_race_is_inside = false;
}

/* A loop that waits comes here for ever: what it has seen it need not take again. */
void
__upc_race_acquire (void)
{
  if (upcr_race_is_inside
      || atomic_load_explicit (&own[MYTHREAD].acquired, memory_order_acquire)
             == atomic_load_explicit (&version, memory_order_acquire))
    return;
  upcr_race_is_inside = true;
  pthread_mutex_lock (&common_lock);
  upcr_race_acquire_from (&common);
  atomic_store_explicit (&own[MYTHREAD].acquired, entry (&version), memory_order_release);
  pthread_mutex_unlock (&common_lock);
  upcr_race_is_inside = false;
}

static unsigned
number_of (const void *address)
{
  return ((uintptr_t) address >> 4) * 0x9e3779b97f4a7c15ul >> 54;
}

upcr_clock *
upcr_race_take_lock (const void *address)
{
  unsigned number = number_of (address);

  upcr_race_is_inside = true;
  pthread_mutex_lock (&lock_clocks[number].lock);
  return &lock_clocks[number].clock;
}

void
upcr_race_give_lock (const void *address)
{
  pthread_mutex_unlock (&lock_clocks[number_of (address)].lock);
  upcr_race_is_inside = false;
}
