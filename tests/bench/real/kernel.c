/* A numeric program with static arrays, as translated from Fortran: conjugate gradients on
   a grid, a matrix product, a histogram of random numbers. PRIVATE is what the compiler
   itself could make thread-local. */

#include "tests/bench/real/real.h"

#include <math.h>

#ifdef NATIVE_TLS
#define PRIVATE static __thread
#else
#define PRIVATE static
#endif

enum { N = 130, M = 160, BINS = 1000 };

PRIVATE double x[N][N], r[N][N], p[N][N], q[N][N];
PRIVATE double a[M][M], b[M][M], c[M][M];
PRIVATE int bins[BINS];
PRIVATE double residual;
PRIVATE int iterations;

/* The common block of a generator. */
PRIVATE struct
{
  unsigned long state[2];
  long drawn;
} generator = { { 1, 2 }, 0 };

static double
draw (void)
{
  unsigned long s = generator.state[0], t = generator.state[1];

  generator.state[0] = t;
  s ^= s << 23;
  generator.state[1] = s ^ t ^ (s >> 18) ^ (t >> 5);
  generator.drawn++;
  return (generator.state[1] + t) * 0x1p-64;
}

static void
apply (void)
{
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      q[i][j] = 4 * p[i][j] - p[i - 1][j] - p[i + 1][j] - p[i][j - 1] - p[i][j + 1];
}

static __attribute__ ((noinline)) void
solve (void)
{
  residual = 0;
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      {
        x[i][j] = 0;
        r[i][j] = p[i][j] = draw ();
        residual += r[i][j] * r[i][j];
      }
  for (iterations = 0; residual > 1e-12 && iterations < 250; iterations++)
    {
      double pq = 0, old = residual, step;
      apply ();
      for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
          pq += p[i][j] * q[i][j];
      step = residual / pq;
      residual = 0;
      for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
          {
            x[i][j] += step * p[i][j];
            r[i][j] -= step * q[i][j];
            residual += r[i][j] * r[i][j];
          }
      for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
          p[i][j] = r[i][j] + residual / old * p[i][j];
    }
}

static __attribute__ ((noinline)) void
multiply (void)
{
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++)
      {
        a[i][j] = draw ();
        b[i][j] = draw ();
        c[i][j] = 0;
      }
  for (int i = 0; i < M; i++)
    for (int k = 0; k < M; k++)
      for (int j = 0; j < M; j++)
        c[i][j] += a[i][k] * b[k][j];
}

static __attribute__ ((noinline)) void
sort_into_bins (void)
{
  for (int i = 0; i < 3000000; i++)
    bins[(int) (draw () * draw () * BINS)]++;
}

int
main (void)
{
  double sum = 0;

  for (int round = 0; round < 4; round++)
    {
      solve ();
      multiply ();
      sort_into_bins ();
      sum += x[N / 2][N / 2] + c[M / 2][M / 3];
    }
  printf ("%.10g %d %d %ld\n", sum, iterations, bins[1], generator.drawn);
  return 0;
}
