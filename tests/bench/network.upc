/* The UPC side of network.h: shared accesses as a user writes them. */

#include "tests/bench/network.h"

#include <upc.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

static shared long words[THREADS];
static shared [LONG_BYTES / 2] char blocks[2 * THREADS][LONG_BYTES / 2];
static shared [TABLE_WORDS] long table[THREADS][TABLE_WORDS];
static shared [CELLS] double line[THREADS * CELLS], next_line[THREADS * CELLS];
static shared [SIDE] double square[SIDE][SIDE], turned[SIDE][SIDE];
static shared double sum;
static shared char *source, *target; /* THREADS * MOST_BYTES of each thread */
static upc_atomicdomain_t *domain;
static char buffer[LONG_BYTES];
static volatile long kept;

/* Of one block of the last thread, which is as long as blocks may be, twice. */
static void
get_long (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      upc_memget (buffer, blocks[THREADS - 1], LONG_BYTES / 2);
      upc_memget (buffer + LONG_BYTES / 2, blocks[2 * THREADS - 1], LONG_BYTES / 2);
    }
}

static void
put_long (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      upc_memput (blocks[THREADS - 1], buffer, LONG_BYTES / 2);
      upc_memput (blocks[2 * THREADS - 1], buffer + LONG_BYTES / 2, LONG_BYTES / 2);
      upc_fence;
    }
}

static void
get_word (long rounds)
{
  for (long i = 0; i < rounds; i++)
    kept = words[THREADS - 1];
}

static void
put_word (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      words[THREADS - 1] = i;
      upc_fence;
    }
}

static void
put_words (long rounds)
{
  for (long i = 0; i < rounds; i++)
    table[THREADS - 1][i & 1023] = i;
  upc_fence;
}

static void
meet (long rounds)
{
  for (long i = 0; i < rounds; i++)
    upc_barrier;
}

static void
broadcast (long rounds)
{
  for (long i = 0; i < rounds; i++)
    upc_all_broadcast (target, source, work_size, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}

static void
reduce (long rounds)
{
  long count = work_size / sizeof (double);

  for (long i = 0; i < rounds; i++)
    upc_all_reduceD (&sum, source, UPC_ADD, THREADS * count, count, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}

static void
gather_all (long rounds)
{
  for (long i = 0; i < rounds; i++)
    upc_all_gather_all (target, source, work_size, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}

static void
exchange (long rounds)
{
  for (long i = 0; i < rounds; i++)
    upc_all_exchange (target, source, work_size, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}

static void
update_words (long rounds)
{
  unsigned long random = 88172645463325252ul + MYTHREAD;

  for (long i = 0; i < rounds; i++)
    {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      upc_atomic_relaxed (domain, NULL, UPC_XOR, &table[random / TABLE_WORDS % THREADS][random % TABLE_WORDS],
                          &random, NULL);
    }
}

static void
smooth (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      upc_forall (long k = 1; k < CELLS * THREADS - 1; k++; &next_line[k])
        next_line[k] = (line[k - 1] + line[k] + line[k + 1]) / 3;
      upc_barrier;
      upc_forall (long k = 1; k < CELLS * THREADS - 1; k++; &line[k])
        line[k] = (next_line[k - 1] + next_line[k] + next_line[k + 1]) / 3;
      upc_barrier;
    }
}

static void
transpose (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      upc_forall (int row = 0; row < SIDE; row++; &turned[row][0])
        for (int column = 0; column < SIDE; column++)
          turned[row][column] = square[column][row];
      upc_barrier;
    }
}

static void
compute_alone (long rounds)
{
  for (long i = 0; i < rounds; i++)
    upc_forall (long k = 0; k < CELLS * THREADS; k++; &line[k])
      line[k] = line[k] * 0.5 + next_line[k];
}

int
main (int argc, char **argv)
{
  static const struct work works[] = NETWORK_WORKS;

  source = upc_all_alloc (THREADS, (size_t) THREADS * MOST_BYTES);
  target = upc_all_alloc (THREADS, (size_t) THREADS * MOST_BYTES);
  memset ((char *) &source[MYTHREAD], 0, (size_t) THREADS * MOST_BYTES);
  memset ((char *) &target[MYTHREAD], 0, (size_t) THREADS * MOST_BYTES);
  domain = upc_all_atomicdomain_alloc (UPC_LONG, UPC_XOR, 0);
  measure_works (argc, argv, works, sizeof works / sizeof *works, MYTHREAD, meet);
  return 0;
}
