/* The loops of watching.upc. They are compiled as they are, under names that begin with
   plain_, and with --profile, as watched_. */

#include <upc_relaxed.h>
#include <stdlib.h>

#include "tests/bench/watched.h"

enum { ELEMENTS = 1024 };

static shared int cyclic[ELEMENTS * THREADS];
static shared [ELEMENTS] int blocked[ELEMENTS * THREADS];

static __attribute__ ((__noinline__)) long
called (long n)
{
  __asm__ volatile ("" : "+r" (n));
  return n;
}

#define LOOP(name, statement)                                                   \
  void                                                                          \
  WATCHED (name) (long rounds)                                                  \
  {                                                                             \
    upc_lock_t *lock = bench_lock;                                              \
    long value = 0;                                                             \
                                                                                \
    for (; rounds > 0; rounds--)                                                \
      {                                                                         \
        unsigned at = rounds % ELEMENTS;                                        \
        statement;                                                              \
        __asm__ volatile ("" : "+r" (value), "+r" (lock) : "r" (at) : "memory"); \
      }                                                                         \
  }

LOOP (get, value += cyclic[at])
LOOP (get_blocked, value += blocked[ELEMENTS + at])
LOOP (get_in_order, for (int i = 0; i < ELEMENTS; i++) value += blocked[ELEMENTS + i])
LOOP (put, cyclic[at] = value)
LOOP (update, cyclic[at]++)
LOOP (function, value = called (value))
LOOP (loop, upc_forall (int i = 0; i < 1; i++; continue) value++)
LOOP (fence, upc_fence)
LOOP (allocate, void *block = malloc (64); __asm__ volatile ("" : "+r" (block)); free (block))
LOOP (lock, (upc_lock (lock), upc_unlock (lock)))
