/* Heat conduction on a square plate by Jacobi's method: rows are dealt out in
   blocks, the boundary is hot on one side. The result is compared, bit by bit, with
   that of one thread that does the same sums in private memory. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define COLUMNS 64
#define ROWS_PER_THREAD 8
#define N (ROWS_PER_THREAD * THREADS)
#define STEPS 50

shared [ROWS_PER_THREAD * COLUMNS] double plate[2][N][COLUMNS];
shared double change[THREADS];
shared double largest;

static double
reduce_max (double mine)
{
  int t;

  change[MYTHREAD] = mine;
  upc_barrier;
  if (MYTHREAD == 0)
    {
      double most = 0;

      for (t = 0; t < THREADS; t++)
        most = fmax (most, change[t]);
      largest = most;
    }
  upc_barrier;
  return largest;
}

static double
relax (int from)
{
  double most = 0;
  int i, j;

  upc_forall (i = 1; i < N - 1; i++; &plate[from][i][0])
    for (j = 1; j < COLUMNS - 1; j++)
      {
        double next = 0.25 * (plate[from][i - 1][j] + plate[from][i + 1][j]
                              + plate[from][i][j - 1] + plate[from][i][j + 1]);

        most = fmax (most, fabs (next - plate[from][i][j]));
        plate[1 - from][i][j] = next;
      }
  return most;
}

static int
differs (int last, double change_at_end)
{
  double (*a)[COLUMNS] = calloc (N, sizeof *a), (*b)[COLUMNS] = calloc (N, sizeof *b), (*c)[COLUMNS];
  double most = 0;
  int i, j, step, bad = 0;

  for (i = 0; i < N; i++)
    a[i][0] = b[i][0] = 100;
  for (step = 0; step < STEPS; step++, c = a, a = b, b = c)
    for (most = 0, i = 1; i < N - 1; i++)
      for (j = 1; j < COLUMNS - 1; j++)
        {
          b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
          most = fmax (most, fabs (b[i][j] - a[i][j]));
        }
  for (i = 0; i < N; i++)
    for (j = 0; j < COLUMNS; j++)
      bad += a[i][j] != plate[last][i][j];
  bad += most != change_at_end;
  free (a);
  free (b);
  return bad;
}

int
main (void)
{
  double most = 0;
  int i, step;

  upc_forall (i = 0; i < N; i++; &plate[0][i][0])
    {
      plate[0][i][0] = 100;
      plate[1][i][0] = 100;
    }
  upc_barrier;
  for (step = 0; step < STEPS; step++)
    most = reduce_max (relax (step % 2));
  if (MYTHREAD == 0)
    puts (differs (STEPS % 2, most) ? "WRONG" : "heat: verified");
  return 0;
}
