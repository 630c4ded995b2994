/* The transpose of a matrix that is dealt out by rows: each thread packs a block for each
   other, upc_all_exchange moves them, and each transposes what it got. */
#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>

enum { SIDE = 24 };   /* of a block */

typedef double block[SIDE][SIDE];

/* SIDE rows of SIDE * THREADS each thread, then a row of blocks each. */
static shared double *rows, *packed, *received;

static double *
mine (shared double *array)
{
  return (double *) &array[MYTHREAD];
}

static double
element (int i, int j)
{
  return i * 1000.0 + j;
}

static void
pack (block *to, const double *from)
{
  int b, i, j;

  for (b = 0; b < THREADS; b++)
    for (i = 0; i < SIDE; i++)
      for (j = 0; j < SIDE; j++)
        to[b][i][j] = from[i * SIDE * THREADS + b * SIDE + j];
}

static void
unpack (double *to, block *from)
{
  int b, i, j;

  for (b = 0; b < THREADS; b++)
    for (i = 0; i < SIDE; i++)
      for (j = 0; j < SIDE; j++)
        to[j * SIDE * THREADS + b * SIDE + i] = from[b][i][j];
}

static void
transpose (upc_flag_t flags)
{
  pack ((block *) mine (packed), mine (rows));
  upc_all_exchange (received, packed, sizeof (block), flags);
  unpack (mine (rows), (block *) mine (received));
}

static int
count_wrong (int is_transposed)
{
  int i, j, wrong = 0;
  double *row = mine (rows);

  for (i = 0; i < SIDE; i++)
    for (j = 0; j < SIDE * THREADS; j++)
      {
        int global = MYTHREAD * SIDE + i;
        wrong += *row++ != (is_transposed ? element (j, global) : element (global, j));
      }
  return wrong;
}

int
main (void)
{
  static const upc_flag_t flags[]
    = { UPC_IN_MYSYNC | UPC_OUT_MYSYNC, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, UPC_IN_MYSYNC, 0 };
  static shared int wrong[THREADS], all;
  int i, j, k;

  rows = upc_all_alloc (THREADS, SIDE * SIDE * THREADS * sizeof (double));
  packed = upc_all_alloc (THREADS, SIDE * SIDE * THREADS * sizeof (double));
  received = upc_all_alloc (THREADS, SIDE * SIDE * THREADS * sizeof (double));
  for (i = 0; i < SIDE; i++)
    for (j = 0; j < SIDE * THREADS; j++)
      mine (rows)[i * SIDE * THREADS + j] = element (MYTHREAD * SIDE + i, j);
  for (k = 0; k < 40; k++)
    {
      transpose (flags[k % 4]);
      wrong[MYTHREAD] += count_wrong (k % 2 == 0);
    }
  upc_all_reduceI (&all, wrong, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
  if (MYTHREAD == 0)
    printf ("transposed 40 times, %d wrong\n", all);
  upc_all_free (rows);
  upc_all_free (packed);
  upc_all_free (received);
  return 0;
}
