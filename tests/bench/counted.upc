/* Operations whose instructions are counted (counts.py): each in a function of its own, which
   thread 0 calls three times. The other thread is at the barrier before it. */

#include <stdint.h>
#include <stdio.h>
#include <upc.h>

#define COUNTED(name) long __attribute__ ((noinline)) counted_##name (long i)

static long mine, other = 1, table[100];
static __thread long own_mine, own_other = 1, own_table[100];
shared long cyclic[100 * THREADS];
shared [10] long blocked[100 * THREADS];
static upc_lock_t *lock;
static strict shared int arrived, passed;

/* A return alone. */
COUNTED (nothing)
{
  __asm__ ("" : "=r"(i));
  return i;
}

COUNTED (end) { return i; }

#define PRIVATE(prefix, mine, other, table)                          \
  COUNTED (prefix##_get) { return mine; }                            \
  COUNTED (prefix##_put) { return mine = i; }                        \
  COUNTED (prefix##_add) { return ++mine; }                          \
  COUNTED (prefix##_element) { return table[i]; }                    \
  COUNTED (prefix##_element_put) { return table[i] = i; }            \
  COUNTED (prefix##_two) { return mine + other; }                    \
  COUNTED (prefix##_address) { return (uintptr_t) table; }           \
  COUNTED (prefix##_loop)                                            \
  {                                                                  \
    long sum = 0;                                                    \
    for (long k = 0; k < 100; k++)                                   \
      {                                                              \
        sum += table[k];                                             \
        __asm__ volatile("" : "+r"(sum));                            \
      }                                                              \
    return sum;                                                      \
  }
PRIVATE (private, mine, other, table)
PRIVATE (thread_local, own_mine, own_other, own_table)

COUNTED (shared_get) { return cyclic[i]; }
COUNTED (shared_put) { return cyclic[i] = i; }
COUNTED (shared_get_blocked) { return blocked[i]; }
COUNTED (shared_get_own) { return *(long *) &cyclic[i * THREADS]; }
COUNTED (shared_get_strict) { return *(strict shared long *) &cyclic[i]; }
COUNTED (lock) { upc_lock (lock); upc_unlock (lock); return i; }
COUNTED (lock_attempt) { if (upc_lock_attempt (lock)) upc_unlock (lock); return i; }
COUNTED (barrier_last) { upc_barrier; return i; }
COUNTED (notify_first) { upc_notify; return i; }

/* The compiler is not to know which functions these are. */
static void
call (long (*volatile operation) (long), long (*volatile end) (long))
{
  operation (1);
  end (1);
}

static void
count (long (*operation) (long))
{
  for (int i = 0; i < 3; i++)
    call (operation, counted_end);
}

/* Thread 0 comes last, then first. */
static void
count_barriers (void)
{
  for (int phase = 1; phase <= 3; phase++)
    {
      if (MYTHREAD == 0)
        {
          while (arrived != phase)
            ;
          call (counted_barrier_last, counted_end);
          passed = phase;
          call (counted_notify_first, counted_end);
          arrived = -phase;
          upc_wait;
          continue;
        }
      upc_notify;
      arrived = phase;
      while (passed != phase)
        ;
      upc_wait;
      while (arrived != -phase)
        ;
      upc_barrier;
    }
}

#define COUNT(name) count (counted_##name);
#define COUNT_PRIVATE(prefix)                                                                    \
  COUNT (prefix##_get)                                                                           \
  COUNT (prefix##_put)                                                                           \
  COUNT (prefix##_add)                                                                           \
  COUNT (prefix##_element)                                                                       \
  COUNT (prefix##_element_put)                                                                   \
  COUNT (prefix##_two)                                                                           \
  COUNT (prefix##_address)                                                                       \
  COUNT (prefix##_loop)

int
main (void)
{
  lock = upc_all_lock_alloc ();
  if (MYTHREAD == 0)
    {
      COUNT (nothing)
      COUNT_PRIVATE (private)
      COUNT_PRIVATE (thread_local)
      COUNT (shared_get)
      COUNT (shared_put)
      COUNT (shared_get_blocked)
      COUNT (shared_get_own)
      COUNT (shared_get_strict)
      COUNT (lock)
      COUNT (lock_attempt)
    }
  upc_barrier;
  count_barriers ();
  return 0;
}
