/* Heat in a plate, in three versions that compute the same. One side is hot, and each step makes a point the
   mean of its four neighbours. */

#include <upc.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS 64
#define ROWS_EACH 8 /* of each thread */
#define ROWS (ROWS_EACH * THREADS)
#define STEPS 1000

/* A block has all rows of a thread: neighbours in the plate are neighbours in memory. */
shared [ROWS_EACH * COLUMNS] double plate[2][ROWS_EACH * COLUMNS * THREADS];
shared double checksums[THREADS];

static void
set_up (void)
{
  for (int p = 0; p < 2; p++)
    upc_forall (int i = 0; i < ROWS * COLUMNS; i++; &plate[p][i])
      plate[p][i] = i < COLUMNS ? 100 : 0;
  upc_barrier;
}

static double
checksum (const double *own)
{
  double sum = 0;

  for (int i = 0; i < ROWS_EACH * COLUMNS; i++)
    sum += own[i];
  checksums[MYTHREAD] = sum;
  upc_barrier;
  sum = 0;
  for (int t = 0; t < THREADS; t++)
    sum += checksums[t];
  upc_barrier;
  return sum;
}

/* 1: as one would write it for a single thread. */
static void
step_plainly (int from, int to)
{
  upc_forall (int i = 1; i < ROWS - 1; i++; &plate[to][i * COLUMNS])
    for (int j = 1; j < COLUMNS - 1; j++)
      plate[to][i * COLUMNS + j]
          = 0.25 * (plate[from][(i - 1) * COLUMNS + j] + plate[from][(i + 1) * COLUMNS + j]
                    + plate[from][i * COLUMNS + j - 1] + plate[from][i * COLUMNS + j + 1]);
  upc_barrier;
}

/* Computes a row of TO from three rows of FROM. */
static void
do_row (double *to, const double *above, const double *row, const double *below)
{
  for (int j = 1; j < COLUMNS - 1; j++)
    to[j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
}

static const double *
row_of (const double *own, int i, const double *ghost_above, const double *ghost_below)
{
  if (i < 0)
    return ghost_above;
  return i < ROWS_EACH ? own + i * COLUMNS : ghost_below;
}

/* The thread's rows FIRST to BEHIND - 1, without the plate's rim. */
static void
do_rows (double *to, const double *from, const double *above, const double *below, int first, int behind)
{
  for (int i = first; i < behind; i++)
    if ((MYTHREAD > 0 || i > 0) && (MYTHREAD < THREADS - 1 || i < ROWS_EACH - 1))
      do_row (to + i * COLUMNS, row_of (from, i - 1, above, below), from + i * COLUMNS,
              row_of (from, i + 1, above, below));
}

static double *
own_rows (int p)
{
  return (double *) &plate[p][MYTHREAD * ROWS_EACH * COLUMNS];
}

static void
get_neighbours (int from, double *above, double *below)
{
  if (MYTHREAD > 0)
    upc_memget (above, &plate[from][(MYTHREAD * ROWS_EACH - 1) * COLUMNS], COLUMNS * sizeof (double));
  if (MYTHREAD < THREADS - 1)
    upc_memget (below, &plate[from][(MYTHREAD + 1) * ROWS_EACH * COLUMNS], COLUMNS * sizeof (double));
}

/* 2: own rows through private pointers; the neighbours' rows are copied as a whole. */
static void
step_by_copies (int from, int to)
{
  double above[COLUMNS], below[COLUMNS];

  get_neighbours (from, above, below);
  do_rows (own_rows (to), own_rows (from), above, below, 0, ROWS_EACH);
  upc_barrier;
}

/* 3: the same, but a thread notifies the others as soon as its outer rows are done, and does its other rows
   while it waits. */
static void
step_split (int from, int to)
{
  double above[COLUMNS], below[COLUMNS];

  get_neighbours (from, above, below);
  do_rows (own_rows (to), own_rows (from), above, below, 0, 1);
  do_rows (own_rows (to), own_rows (from), above, below, ROWS_EACH - 1, ROWS_EACH);
  upc_notify;
  do_rows (own_rows (to), own_rows (from), above, below, 1, ROWS_EACH - 1);
  upc_wait;
}

static void
draw (void)
{
  for (int i = 0; i < ROWS; i += 2)
    {
      for (int j = 0; j < COLUMNS; j++)
        putchar (" .:-=+*#%@"[(int) (plate[0][i * COLUMNS + j] / 10.01)]);
      putchar ('\n');
    }
}

int
main (void)
{
  static void (*const versions[]) (int, int) = { step_plainly, step_by_copies, step_split };
  static const char *const names[] = { "plain accesses", "copies", "split phases" };

  for (int v = 0; v < 3; v++)
    {
      double sum;

      set_up ();
      for (int s = 0; s < STEPS; s++)
        versions[v](s % 2, 1 - s % 2);
      sum = checksum (own_rows (0));
      if (MYTHREAD == 0)
        printf ("%-14s  sum %.6f\n", names[v], sum);
    }
  if (MYTHREAD == 0)
    draw ();
  return 0;
}
