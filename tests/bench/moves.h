/* The collective functions that UPC and MPI both have, for coll-pair.c and coll-mpi.c,
   which each print `NAME SIZE NANOSECONDS` for all of them: bench.py pairs the two.

   SIZE is that of a block in bytes; of reductions and scans, that of the doubles which each
   thread has. Calls follow each other, so that they overlap as far as they may; each waits
   for its own data and no more. */

#ifndef BENCH_MOVES_H
#define BENCH_MOVES_H

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SIZES = 8, LARGEST = 64 << 20 };
static const long move_sizes[SIZES] = { 8, 64, 512, 4096, 65536, 1 << 20, 8 << 20, LARGEST };

/* A call for blocks of BYTES. */
typedef void move_call (long bytes);

struct move
{
  const char *name;
  move_call *call;
  /* Nothing larger. */
  long most;
};

/* Both programs have functions of these names. */
#define MOVES                                                                   \
  {                                                                             \
    { "barrier", barrier, 8 }, { "broadcast", broadcast, LARGEST },             \
    { "scatter", scatter, LARGEST }, { "gather", gather, LARGEST },             \
    { "gather_all", gather_all, LARGEST }, { "exchange", exchange, LARGEST },   \
    { "reduce", reduce, LARGEST }, { "scan", scan, LARGEST },                   \
  }

static double
move_now_ns (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

/* The same number on both sides, as many as take some milliseconds. */
static long
move_rounds (long bytes)
{
  return bytes <= 4096 ? 4000 : bytes <= 65536 ? 400 : bytes <= 1 << 20 ? 30 : bytes <= 8 << 20 ? 5 : 1;
}

/* All threads call this; MEET lets them begin and end together. */
static void
measure_moves (const struct move *moves, int count, int me, void (*meet) (void))
{
  for (int m = 0; m < count; m++)
    for (int s = 0; s < SIZES && move_sizes[s] <= moves[m].most; s++)
      {
        long bytes = move_sizes[s], rounds = move_rounds (bytes);
        double start;

        for (long i = 0; i < rounds / 8 + 1; i++)
          moves[m].call (bytes);
        meet ();
        start = move_now_ns ();
        for (long i = 0; i < rounds; i++)
          moves[m].call (bytes);
        meet ();
        if (me == 0)
          printf ("%s %ld %.6g\n", moves[m].name, bytes, (move_now_ns () - start) / rounds);
      }
}

#endif
