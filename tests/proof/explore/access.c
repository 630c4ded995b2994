/* Explores strict accesses: what a thread does before and behind one stays there, and all threads
   agree on the order of all. Relaxed accesses are relaxed operations here, so that they do not race. */

#include "runtime.h"

#include "runtime/shared/shared.h"

/* Places of their own for what is on one line where a macro is used. */
static void
fence (void)
{
  explore_fence (EXPLORE_SITE ("upcr_strict_fence", ""), memory_order_seq_cst);
}

static void
fence_behind (void)
{
  upcr_fence_after_rmw ();
}

static uint32_t
load (_Atomic uint32_t *p, memory_order order)
{
  return atomic_load_explicit (p, order);
}

static void
store (_Atomic uint32_t *p, uint32_t value, memory_order order)
{
  atomic_store_explicit (p, value, order);
}

#define upcr_strict_fence() fence ()
#undef upcr_fence_after_rmw
#define upcr_fence_after_rmw() fence_behind ()
#define __atomic_load(p, value, order) (*(value) = load (p, order))
#define __atomic_store(p, value, order) store (p, *(value), order)
#define upcr_pts_address(p) (p)
#include "runtime/abi/access.h"

#include "words.h"

enum
{
  MOST = 4 /* threads */
};

static uint32_t seen_then[MOST];

void
explore_setup (void)
{
  leave_out_diagnosis ();
}

/* A step of a loop that waits, which none is here. */
void
upcr_strict_read_at (const void *caller, uint64_t value)
{
  (void) caller, (void) value;
}

static void
begin (int threads)
{
  THREADS = threads;
  atomic_init (&x, 0);
  atomic_init (&y, 0);
  for (int t = 0; t < MOST; t++)
    seen[t] = seen_then[t] = 0;
}

static void
put_strictly (_Atomic uint32_t *p)
{
  uint32_t one = 1;

  UPCR_PUTS_WORD (si, _Atomic uint32_t, p, one);
}

static uint32_t
get_strictly (_Atomic uint32_t *p)
{
  uint32_t value;

  UPCR_GETS_WORD (si, _Atomic uint32_t, value, p);
  return value;
}

static void
put (_Atomic uint32_t *p)
{
  atomic_store_explicit (p, 1, memory_order_relaxed);
}

static uint32_t
get (_Atomic uint32_t *p)
{
  return atomic_load_explicit (p, memory_order_relaxed);
}

/* The first of two strict stores is before both loads of the other thread. */
static void
load_behind_store (void)
{
  put_strictly (mine ());
  seen[MYTHREAD] = get (theirs ());
}

static void
store_before_load (void)
{
  put (mine ());
  seen[MYTHREAD] = get_strictly (theirs ());
}

static void
both_strict (void)
{
  put_strictly (mine ());
  seen[MYTHREAD] = get_strictly (theirs ());
}

static void
store_before_store (void)
{
  if (MYTHREAD == 0)
    {
      put (&x);
      put_strictly (&y);
    }
  else if (get_strictly (&y))
    EXPLORE_REQUIRE (get (&x));
}

static void
store_behind_store (void)
{
  if (MYTHREAD == 0)
    {
      put_strictly (&x);
      put (&y);
    }
  else if (get (&y))
    EXPLORE_REQUIRE (get_strictly (&x));
}

/* Two threads store, two look in different orders. */
static void
order (void)
{
  if (MYTHREAD < 2)
    {
      put_strictly (mine ());
      return;
    }
  seen[MYTHREAD] = get_strictly (MYTHREAD == 2 ? &x : &y);
  seen_then[MYTHREAD] = get_strictly (MYTHREAD == 2 ? &y : &x);
}

static void
end_order (void)
{
  EXPLORE_REQUIRE (!(seen[2] && !seen_then[2] && seen[3] && !seen_then[3]));
}

const struct explore_case explore_cases[] = {
  EXPLORE_CASE ("load_behind_store", load_behind_store, 2, begin, end_one_sees),
  EXPLORE_CASE ("store_before_load", store_before_load, 2, begin, end_one_sees),
  EXPLORE_CASE ("both_strict", both_strict, 2, begin, end_one_sees),
  EXPLORE_CASE ("store_before_store", store_before_store, 2, begin, NULL),
  EXPLORE_CASE ("store_behind_store", store_behind_store, 2, begin, NULL),
  EXPLORE_CASE ("order", order, 4, begin, end_order),
  { 0 },
};
