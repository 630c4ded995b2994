/* The classic litmus shapes: which outcomes there are says what the explorer takes for C11. */

#include "explore.h"

static _Atomic uint32_t x, y;
static uint32_t seen[4], data;

#define LOAD(p, order) atomic_load_explicit (p, memory_order_##order)
#define STORE(p, value, order) atomic_store_explicit (p, value, memory_order_##order)
#define FENCE(order) atomic_thread_fence (memory_order_##order)

/* Two threads do the same to X and Y, and to Y and X. */
static _Atomic uint32_t *
mine (void)
{
  return explore_self == 0 ? &x : &y;
}

static _Atomic uint32_t *
theirs (void)
{
  return explore_self == 0 ? &y : &x;
}

void
explore_setup (void)
{
}

static void
begin (int threads)
{
  (void) threads;
  seen[0] = seen[1] = seen[2] = seen[3] = data = 0;
}

static void
end (void)
{
  explore_outcome ("%u %u", seen[0], seen[1]);
}

/* Store buffering. */
#define SB(name, store, fence, load)             \
  static void name (void)                        \
  {                                              \
    STORE (mine (), 1, store);                   \
    fence;                                       \
    seen[explore_self] = LOAD (theirs (), load); \
  }
SB (sb_relaxed, relaxed, , relaxed)
SB (sb_acq_rel, release, , acquire)
SB (sb_seq_cst, seq_cst, , seq_cst)
SB (sb_store_alone, seq_cst, , relaxed)
SB (sb_fence, relaxed, FENCE (seq_cst), relaxed)
SB (sb_fence_acq_rel, relaxed, FENCE (acq_rel), relaxed)

/* One side has a fence, the other a seq_cst exchange alone: on x86 that would be enough. */
static void
sb_exchange (void)
{
  atomic_exchange_explicit (mine (), 1, memory_order_seq_cst);
  if (explore_self == 0)
    FENCE (seq_cst);
  seen[explore_self] = LOAD (theirs (), relaxed);
}

/* Message passing. */
#define MP(name, store, behind, load, before) \
  static void name (void)                     \
  {                                           \
    if (explore_self == 0)                    \
      {                                       \
        STORE (&x, 1, relaxed);               \
        before;                               \
        STORE (&y, 1, store);                 \
        return;                               \
      }                                       \
    seen[0] = LOAD (&y, load);                \
    behind;                                   \
    seen[1] = LOAD (&x, relaxed);             \
  }
MP (mp_relaxed, relaxed, , relaxed, )
MP (mp_release, release, , relaxed, )
MP (mp_acquire, relaxed, , acquire, )
MP (mp_both, release, , acquire, )
MP (mp_fences, relaxed, FENCE (acquire), relaxed, FENCE (release))
MP (mp_one_fence, relaxed, FENCE (acquire), relaxed, )

/* The same with plain data: a race where the message does not order it. */
#define MP_PLAIN(name, store, load) \
  static void name (void)           \
  {                                 \
    if (explore_self == 0)          \
      {                             \
        data = 1;                   \
        STORE (&y, 1, store);       \
      }                             \
    else if (LOAD (&y, load))       \
      seen[0] = data;               \
  }
MP_PLAIN (plain_both, release, acquire)
MP_PLAIN (plain_release, release, relaxed)
MP_PLAIN (plain_acquire, relaxed, acquire)

/* seq_cst fences order stores, but not plain data where nothing is read. */
static void
plain_fences (void)
{
  if (explore_self == 0)
    data = 1;
  FENCE (seq_cst);
  if (explore_self == 1)
    seen[0] = data;
}

/* A release sequence: thread 1 adds to what thread 0 has stored. */
#define SEQUENCE(name, middle)        \
  static void name (void)             \
  {                                   \
    if (explore_self == 0)            \
      {                               \
        data = 1;                     \
        STORE (&y, 1, release);       \
      }                               \
    else if (explore_self == 1)       \
      middle;                         \
    else if (LOAD (&y, acquire) == 2) \
      seen[0] = data;                 \
  }
SEQUENCE (sequence_rmw, atomic_fetch_add_explicit (&y, 1, memory_order_relaxed))
SEQUENCE (sequence_store, STORE (&y, LOAD (&y, relaxed) + 1, relaxed))

/* Load buffering: what the explorer leaves out. */
static void
lb (void)
{
  seen[explore_self] = LOAD (mine (), relaxed);
  STORE (theirs (), 1, relaxed);
}

/* Independent reads of independent writes. */
#define IRIW(name, store, load, fence)                                     \
  static void name (void)                                                  \
  {                                                                        \
    if (explore_self < 2)                                                  \
      {                                                                    \
        STORE (mine (), 1, store);                                         \
        return;                                                            \
      }                                                                    \
    seen[explore_self * 2 - 4] = LOAD (explore_self == 2 ? &x : &y, load); \
    fence;                                                                 \
    seen[explore_self * 2 - 3] = LOAD (explore_self == 2 ? &y : &x, load); \
  }
IRIW (iriw_acquire, release, acquire, )
IRIW (iriw_seq_cst, seq_cst, seq_cst, )
IRIW (iriw_fence, relaxed, relaxed, FENCE (seq_cst))

static void
end_iriw (void)
{
  explore_outcome ("%u%u %u%u", seen[0], seen[1], seen[2], seen[3]);
}

/* Two stores by each of two. */
#define TWO_WRITES(name, order, fence) \
  static void name (void)              \
  {                                    \
    STORE (mine (), 1, order);         \
    fence;                             \
    STORE (theirs (), 2, order);       \
  }
TWO_WRITES (two_writes_relaxed, relaxed, )
TWO_WRITES (two_writes_release, release, )
TWO_WRITES (two_writes_seq_cst, seq_cst, )
TWO_WRITES (two_writes_fence, relaxed, FENCE (seq_cst))

static void
end_two_writes (void)
{
  explore_outcome ("%u %u", LOAD (&x, relaxed), LOAD (&y, relaxed));
}

/* Coherence: two loads of one location. */
static void
corr (void)
{
  if (explore_self == 0)
    {
      STORE (&x, 1, relaxed);
      STORE (&x, 2, relaxed);
      return;
    }
  seen[0] = LOAD (&x, relaxed);
  seen[1] = LOAD (&x, relaxed);
}

/* Read-modify-writes lose nothing. */
static void
add (void)
{
  seen[explore_self] = atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
}

/* A comparison that fails may have read something old. */
static void
compare (void)
{
  uint32_t found = 2;

  STORE (mine (), 1, seq_cst);
  atomic_compare_exchange_strong_explicit (theirs (), &found, 3, memory_order_seq_cst,
                                           memory_order_relaxed);
  seen[explore_self] = found;
}

/* Waits: the store is seen at last. */
static void
wait_for_store (void)
{
  if (explore_self == 0)
    STORE (&x, 1, relaxed);
  else
    while ((seen[0] = LOAD (&x, relaxed)) == 0)
      explore_pause ();
}

/* A wait for what does not come. */
static void
wait_for_ever (void)
{
  if (explore_self == 0)
    while (LOAD (&x, relaxed) == 0)
      explore_pause ();
}

/* Sleeps on X, for which thread 0 may have stored and woken before. */
#define SLEEP(name, fence)            \
  static void name (void)             \
  {                                   \
    if (explore_self == 0)            \
      {                               \
        STORE (&x, 1, relaxed);       \
        fence;                        \
        if (LOAD (&y, relaxed))       \
          explore_futex_wake (&x, 1); \
        return;                       \
      }                               \
    STORE (&y, 1, relaxed);           \
    fence;                            \
    explore_futex_wait (&x, 0, NULL); \
  }
SLEEP (sleep_with_fences, FENCE (seq_cst))
SLEEP (sleep_without_fences, )

#define CASE(name, threads, end)     \
  {                                  \
#name, threads, begin, name, end \
  }
const struct explore_case explore_cases[] = {
  CASE (sb_relaxed, 2, end),
  CASE (sb_acq_rel, 2, end),
  CASE (sb_seq_cst, 2, end),
  CASE (sb_store_alone, 2, end),
  CASE (sb_fence, 2, end),
  CASE (sb_fence_acq_rel, 2, end),
  CASE (sb_exchange, 2, end),
  CASE (mp_relaxed, 2, end),
  CASE (mp_release, 2, end),
  CASE (mp_acquire, 2, end),
  CASE (mp_both, 2, end),
  CASE (mp_fences, 2, end),
  CASE (mp_one_fence, 2, end),
  CASE (plain_both, 2, end),
  CASE (plain_release, 2, end),
  CASE (plain_acquire, 2, end),
  CASE (plain_fences, 2, end),
  CASE (sequence_rmw, 3, end),
  CASE (sequence_store, 3, end),
  CASE (lb, 2, end),
  CASE (iriw_acquire, 4, end_iriw),
  CASE (iriw_seq_cst, 4, end_iriw),
  CASE (iriw_fence, 4, end_iriw),
  CASE (two_writes_relaxed, 2, end_two_writes),
  CASE (two_writes_release, 2, end_two_writes),
  CASE (two_writes_seq_cst, 2, end_two_writes),
  CASE (two_writes_fence, 2, end_two_writes),
  CASE (corr, 2, end),
  CASE (add, 2, end),
  CASE (compare, 2, end),
  CASE (wait_for_store, 2, end),
  CASE (wait_for_ever, 2, end),
  CASE (sleep_with_fences, 2, NULL),
  CASE (sleep_without_fences, 2, NULL),
  { 0 },
};
