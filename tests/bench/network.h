/* What programs of several processes do, in UPC (network.upc) and in MPI (network-mpi.c): both print `NAME SIZE
   NANOSECONDS` for the rows whose measure has the word of their first argument in its name; bench.py pairs the
   two. The second argument is how many times as often to do all, a number below 1 where messages are slow.

   Where one process acts, the last one's memory is the target, and the first one acts. A collective function's size is
   what a thread has, or has for each: MOST_BYTES at most. */

#ifndef BENCH_NETWORK_H
#define BENCH_NETWORK_H

#include "tests/bench/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  LONG_BYTES = 1 << 20,
  MOST_BYTES = 64 << 20,
  TABLE_WORDS = 1 << 16, /* of each process, for random updates */
  CELLS = 1 << 14,       /* of each process, of a line */
  SIDE = 256,            /* of a square that is transposed */
  BATCHES = 15
};

struct work
{
  const char *name;
  long size;
  void (*run) (long rounds);
  long rounds;
  bool is_of_all; /* else of the first process alone */
};

#define OF_SIZES(name, function)                                           \
  { name, 8, function, 500, true }, { name, 1 << 16, function, 50, true }, \
      { name, 1 << 20, function, 8, true },                                \
  {                                                                        \
    name, MOST_BYTES, function, 1, true                                    \
  }

/* Both programs have functions of these names. */
#define NETWORK_WORKS                                                                             \
  {                                                                                               \
    { "get", 8, get_word, 1000, false }, { "put", 8, put_word, 1000, false },                     \
        { "puts", 8, put_words, 1000, false }, { "get", LONG_BYTES, get_long, 8, false },         \
        { "put", LONG_BYTES, put_long, 8, false }, { "barrier", 0, meet, 500, true },             \
        { "updates", 8, update_words, 500, true }, { "stencil", CELLS, smooth, 10, true },        \
        { "transpose", SIDE, transpose, 5, true }, { "local", CELLS, compute_alone, 1000, true }, \
        OF_SIZES ("broadcast", broadcast), OF_SIZES ("reduce", reduce),                           \
        OF_SIZES ("gather-all", gather_all), OF_SIZES ("exchange", exchange)                      \
  }

static long work_size;

static bool
is_work_wanted (const struct work *work, const char *only)
{
  char measure[64];

  snprintf (measure, sizeof measure, "network/%s-%ld", work->name, work->size);
  return strstr (measure, only) != NULL;
}

static int
compare_times (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* All processes call this. MEET lets them begin and end together. The median of several batches: one in which a
   process has lost its CPU takes milliseconds more. */
static void
measure_work (const struct work *work, double times, int me, void (*meet) (long rounds))
{
  long rounds = work->rounds * times < 1 ? 1 : work->rounds * times;
  double took[BATCHES], start;

  work_size = work->size;
  for (int i = -1; i < BATCHES; i++)
    {
      meet (1);
      start = bench_now_ns ();
      if (work->is_of_all || me == 0)
        work->run (rounds);
      if (work->is_of_all)
        meet (1);
      if (i >= 0)
        took[i] = (bench_now_ns () - start) / rounds;
    }
  qsort (took, BATCHES, sizeof *took, compare_times);
  if (me == 0)
    printf ("%s %ld %.6g\n", work->name, work->size, took[BATCHES / 2]);
  meet (1);
}

static void
measure_works (int argc, char **argv, const struct work *works, int count, int me,
               void (*meet) (long rounds))
{
  for (int i = 0; i < count; i++)
    if (is_work_wanted (&works[i], argc > 1 ? argv[1] : ""))
      measure_work (&works[i], argc > 2 ? atof (argv[2]) : 1, me, meet);
}

#endif
