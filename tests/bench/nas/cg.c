/* Conjugate gradients with a sparse matrix: `cg STEPS`. Each thread has the matrix for itself, vectors
   are shared. */

#include "nas.h"

enum
{
  N = 14000,
  WIDTH = 13
};

static SHARED (1) double x[ROWS (N)], r[ROWS (N)], p[ROWS (N)], q[ROWS (N)];
static int first[N + 1], column[N * WIDTH];
static double value[N * WIDTH];

static void
make_matrix (void)
{
  unsigned seed = 1;
  int at = 0;

  for (int i = 0; i < N; i++)
    {
      first[i] = at;
      column[at] = i;
      value[at++] = 20;
      for (int k = 1; k < WIDTH; k++)
        {
          seed = seed * 1664525 + 1013904223;
          column[at] = (int) ((seed >> 8) % N);
          value[at++] = -0.01 * (seed % 7);
        }
    }
  first[N] = at;
}

static double
times_matrix (void)
{
  double sum = 0;
  int i;

  FOR_EACH_ADDING (i, 0, N, q[i], sum)
    {
      double row = 0;

      for (int k = first[i]; k < first[i + 1]; k++)
        row += value[k] * p[column[k]];
      q[i] = row;
      sum += p[i] * row;
    }
  return TOTAL (sum);
}

static double
advance (double alpha)
{
  double sum = 0;
  int i;

  FOR_EACH_ADDING (i, 0, N, x[i], sum)
    {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      sum += r[i] * r[i];
    }
  return TOTAL (sum);
}

static void
turn (double beta)
{
  int i;

  FOR_EACH (i, 0, N, p[i])
    p[i] = r[i] + beta * p[i];
  MEET;
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 1, i;
  double rho = 0;

  make_matrix ();
  while (steps > 0)
    {
      FOR_EACH (i, 0, N, x[i])
        x[i] = 0, r[i] = p[i] = 1 + i % 5;
      MEET;
      rho = advance (0);
      for (int step = 0; step < 8 && steps > 0; step++, steps--)
        {
          double before = rho;

          rho = advance (rho / times_matrix ());
          turn (rho / before);
        }
    }
  if (!(rho < 1))
    fprintf (stderr, "cg: the square of the residual is %g\n", rho);
  return !(rho < 1);
}
