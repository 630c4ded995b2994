/* The collective functions that UPC and MPI both have, for coll-pair.c and coll-mpi.c,
   which each print `NAME SIZE NANOSECONDS` for those whose measure has the word of their
   first argument in its name: bench.py pairs the two.

   SIZE is that of a block in bytes; of reductions and scans, that of the doubles which each
   thread has. Calls follow each other, so that they overlap as far as they may; each waits
   for its own data and no more. */

#ifndef BENCH_MOVES_H
#define BENCH_MOVES_H

#include "tests/bench/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST = 64 << 20 };
static const long move_sizes[] = { 8, 64, 512, 1024, 2048, 4096, 65536, 1 << 20, 8 << 20, LARGEST };
enum { SIZES = sizeof move_sizes / sizeof *move_sizes };

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

/* The same number on both sides, as many as take some milliseconds. */
static long
move_rounds (long bytes)
{
  return bytes <= 4096 ? 4000 : bytes <= 65536 ? 400 : bytes <= 1 << 20 ? 30 : bytes <= 8 << 20 ? 5 : 1;
}

static bool
is_move_wanted (const char *name, long bytes, const char *only)
{
  char measure[64];

  snprintf (measure, sizeof measure, "mpi/%s-%ld", name, bytes);
  return strstr (measure, only) != NULL;
}

/* MEET lets all begin and end together. */
static void
measure_move (const struct move *move, long bytes, int me, void (*meet) (void))
{
  long rounds = move_rounds (bytes);
  double start;

  for (long i = 0; i < rounds / 8 + 1; i++)
    move->call (bytes);
  meet ();
  start = bench_now_ns ();
  for (long i = 0; i < rounds; i++)
    move->call (bytes);
  meet ();
  if (me == 0)
    printf ("%s %ld %.6g\n", move->name, bytes, (bench_now_ns () - start) / rounds);
}

/* All threads call this. */
static void
measure_moves (const struct move *moves, int count, const char *only, int me, void (*meet) (void))
{
  for (int m = 0; m < count; m++)
    for (int s = 0; s < SIZES && move_sizes[s] <= moves[m].most; s++)
      if (is_move_wanted (moves[m].name, move_sizes[s], only))
        measure_move (&moves[m], move_sizes[s], me, meet);
}

#endif
