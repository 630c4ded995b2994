/* The conjugate gradient method: solves A x = b for a sparse matrix A, that of a plate in which each point is
   the mean of its four neighbours. */

#include <upc.h>
#include <upc_collective.h>
#include <math.h>
#include <stdio.h>

#define SIDE 24
#define EACH (SIDE * 6) /* rows of the matrix for each thread */
#define N (EACH * THREADS)
#define MOST 5 /* elements of a row that are not zero */
#define SYNC (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)

shared [EACH] double x[N], r[N], p[N], q[N];
shared double parts[THREADS], total;

/* The rows that the thread has. */
int count[EACH], column[EACH][MOST];
double value[EACH][MOST];

static void
add (int row, int to, double a)
{
  column[row][count[row]] = to;
  value[row][count[row]++] = a;
}

static void
make_row (int row, int i)
{
  add (row, i, 4);
  if (i >= SIDE)
    add (row, i - SIDE, -1);
  if (i < N - SIDE)
    add (row, i + SIDE, -1);
  if (i % SIDE > 0)
    add (row, i - 1, -1);
  if (i % SIDE < SIDE - 1)
    add (row, i + 1, -1);
}

/* The scalar product: each thread's part, added up, for all threads to read. */
static double
dot (const double *a, const double *b)
{
  double sum = 0;

  for (int k = 0; k < EACH; k++)
    sum += a[k] * b[k];
  parts[MYTHREAD] = sum;
  upc_all_reduceD (&total, parts, UPC_ADD, THREADS, 1, NULL, SYNC);
  return total;
}

/* q = A p, for the thread's own rows. Any thread may have the elements of p. */
static void
multiply (double *own_q)
{
  for (int k = 0; k < EACH; k++)
    {
      double sum = 0;

      for (int m = 0; m < count[k]; m++)
        sum += value[k][m] * p[column[k][m]];
      own_q[k] = sum;
    }
}

/* Returns the number of steps. */
static int
solve (double *own_x, double *own_r, double *own_p, double *own_q)
{
  double rr = dot (own_r, own_r), goal = 1e-20 * rr;
  int steps = 0;

  for (; rr > goal; steps++)
    {
      double alpha, before = rr;

      multiply (own_q);
      alpha = rr / dot (own_p, own_q);
      for (int k = 0; k < EACH; k++)
        {
          own_x[k] += alpha * own_p[k];
          own_r[k] -= alpha * own_q[k];
        }
      rr = dot (own_r, own_r);
      for (int k = 0; k < EACH; k++)
        own_p[k] = own_r[k] + rr / before * own_p[k];
      /* The others read p in the next step. */
      upc_barrier;
    }
  return steps;
}

int
main (void)
{
  int first = EACH * MYTHREAD, steps;
  double *own_x = (double *) &x[first], *own_r = (double *) &r[first], largest = 0;

  for (int k = 0; k < EACH; k++)
    {
      make_row (k, first + k);
      /* At the beginning x is 0; b is 1 everywhere. */
      own_r[k] = 1;
      p[first + k] = 1;
    }
  upc_barrier;
  steps = solve (own_x, own_r, (double *) &p[first], (double *) &q[first]);
  /* Does it solve the system? */
  for (int k = 0; k < EACH; k++)
    {
      double sum = 0;

      for (int m = 0; m < count[k]; m++)
        sum += value[k][m] * x[column[k][m]];
      largest = fmax (largest, fabs (sum - 1));
    }
  parts[MYTHREAD] = largest;
  upc_all_reduceD (&total, parts, UPC_MAX, THREADS, 1, NULL, SYNC);
  if (MYTHREAD == 0)
    printf ("%d unknowns: %s after %d steps\n", N, total < 1e-8 ? "solved" : "not solved", steps);
  return 0;
}
