/* What the benchmark programs share: comparing two loops.

   Samples of ours and of the reference alternate in one process, so that a noisy
   neighbour or a change of the CPU's clock meets both. The programs print what
   they measured, sample by sample; bench.py makes medians and the table of them:

       measure <tab> NAME <tab> UNIT <tab> REFERENCE <tab> TARGET
       sample <tab> OURS <tab> THEIRS

   A target is a bound on ours, such as "<= 30", "<= ref + 2", ">= 0.95 ref", or
   empty for a measure that only informs.

   The programs are linked like objects of a UPC compiler: they have upc_main, and
   call what compiled code calls. Those in UPC include this too. */

#ifndef BENCH_H
#define BENCH_H

#ifndef __UPC__
#include "runtime/shared/shared.h"
#endif
#include "tests/bench/clock.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifndef __UPC__
int upc_main (int argc, char **argv);
upcr_pts upc_alloc (size_t bytes);
upcr_pts upc_global_alloc (size_t blocks, size_t bytes);
upcr_pts upc_all_alloc (size_t blocks, size_t bytes);
void upc_free (upcr_pts block);
void __upc_barrier (int id);
#endif

/* Few where all threads take part: those take long. */
enum { BENCH_SAMPLES = 101, BENCH_SAMPLES_TOGETHER = 21 };

/* The word of only=WORD; the empty one is in every name. */
static const char *bench_only = "";

/* Two programs take turns: a line of input each time that this one may go on. */
static int bench_takes_turns;

/* LOOP does the measured operation ROUNDS times. */
typedef void bench_loop (long rounds);

struct bench
{
  const char *name;
  bench_loop *ours;
  const char *reference;
  bench_loop *theirs;
  const char *target;
  /* 0: nanoseconds a round; else a round moves this many bytes, and what counts is
     GB/s. */
  size_t bytes;
  /* 0: as many as fill a sample's time. */
  long rounds;
  /* Called after each sample of theirs, untimed; may be null. */
  void (*settle) (void);
};

/* What may be given behind the target: .bytes, .rounds, .settle. */
#define BENCH(name_, ours_, reference_, theirs_, target_, ...)                  \
  {                                                                             \
    .name = name_, .ours = ours_, .reference = reference_, .theirs = theirs_,   \
    .target = target_, ##__VA_ARGS__                                            \
  }

/* To the compiler, VALUE is used and all memory read and written here. */
static inline void
bench_use (uint64_t value)
{
  __asm__ volatile ("" : : "r" (value) : "memory");
}

static inline double
bench_time_ns (bench_loop *loop, long rounds)
{
  double start = bench_now_ns ();

  loop (rounds);
  return bench_now_ns () - start;
}

/* The rounds that take a quarter of a millisecond: far longer than reading the
   clock, and so much shorter than a slice of the scheduler that most samples are
   whole ones even on a busy machine. Three times, lest one was not. */
static inline long
bench_rounds (bench_loop *loop)
{
  for (long rounds = 1;; rounds *= 2)
    {
      int long_enough = 0;
      for (int i = 0; i < 3; i++)
        long_enough += bench_time_ns (loop, rounds) >= 250e3;
      if (long_enough == 3)
        return rounds;
    }
}

static inline double
bench_sample (const struct bench *bench, bench_loop *loop, long rounds)
{
  /* Caches and branch predictors are the other loop's. */
  loop (rounds / 8);
  double ns = bench_time_ns (loop, rounds) / rounds;
  return bench->bytes ? bench->bytes / ns : ns;
}

static inline void
bench_print_head (const char *name, const char *unit, const char *reference, const char *target)
{
  printf ("measure\t%s\t%s\t%s\t%s\n", name, unit, reference, target);
  fflush (stdout);
}

static inline void
bench_print_sample (double ours, double theirs)
{
  printf ("sample\t%.6g\t%.6g\n", ours, theirs);
  fflush (stdout);
}

static inline void
bench_await_turn (void)
{
  while (bench_takes_turns && getchar () > '\n')
    ;
}

/* Runs and prints one comparison. Where all threads call it for loops that meet,
   ROUNDS must be given; thread 0 prints. */
static inline void
bench_compare (const struct bench *bench)
{
  long rounds = bench->rounds;
  int samples = rounds ? BENCH_SAMPLES_TOGETHER : BENCH_SAMPLES;

  if (!strstr (bench->name, bench_only))
    return;
  bench_await_turn ();
  if (!rounds)
    {
      long ours = bench_rounds (bench->ours), theirs = bench_rounds (bench->theirs);
      rounds = ours < theirs ? ours : theirs;
    }
  if (MYTHREAD == 0)
    bench_print_head (bench->name, bench->bytes ? "GB/s" : "ns", bench->reference, bench->target);
  for (int i = 0; i < samples; i++)
    {
      bench_await_turn ();
      double ours = bench_sample (bench, bench->ours, rounds);
      double theirs = bench_sample (bench, bench->theirs, rounds);
      if (bench->settle)
        bench->settle ();
      if (MYTHREAD == 0)
        bench_print_sample (ours, theirs);
    }
}

#ifndef __UPC__
/* On thread 0, while the others wait. */
static inline void
bench_compare_all (const struct bench *benches, size_t count)
{
  if (MYTHREAD == 0)
    for (size_t i = 0; i < count; i++)
      bench_compare (&benches[i]);
  __upc_barrier (INT_MIN);
}
#endif

static inline void
bench_arguments (int argc, char **argv)
{
  if (argc > 1)
    bench_only = argv[1];
  bench_takes_turns = argc > 2;
}

#endif
