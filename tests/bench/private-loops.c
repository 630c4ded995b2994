/* Loops that do little but use statics: plain ones for upc-privatize, in code with and without
   line numbers, or with NATIVE thread-local ones of the compiler's. */

#include "tests/bench/bench.h"

#ifdef NATIVE
#define PRIVATE __thread
#define NAME(loop) native_##loop
#elif defined LINES
#define PRIVATE
#define NAME(loop) lines_##loop
#else
#define PRIVATE
#define NAME(loop) private_##loop
#endif

enum
{
  ENTRIES = 256
};

bench_loop NAME (counters), NAME (calls), NAME (array), NAME (address);

static PRIVATE long rounds_done, odd, sum;
static PRIVATE int last, calls_done;
static PRIVATE unsigned seed = 1;
static PRIVATE long histogram[ENTRIES];

/* Counters in memory: bench_use forbids to keep them in registers. */
void
NAME (counters) (long rounds)
{
  while (rounds--)
    {
      rounds_done++;
      odd += rounds & 1;
      sum += rounds;
      last = rounds;
      bench_use (0);
    }
}

static __attribute__ ((noinline)) unsigned
next_random (void)
{
  calls_done++;
  seed = seed * 1103515245 + 12345;
  return seed >> 16;
}

/* A function with state, as in any random number generator. */
void
NAME (calls) (long rounds)
{
  while (rounds--)
    sum += next_random ();
}

/* An index into an array: the address is made, not only used. */
void
NAME (array) (long rounds)
{
  while (rounds--)
    {
      histogram[rounds % ENTRIES] += last;
      bench_use (0);
    }
}

/* The address alone, as of what is passed to a function. */
void
NAME (address) (long rounds)
{
  while (rounds--)
    bench_use ((uintptr_t) &histogram[3]);
}
