/* The Fourier transform of a series of LENGTH complex numbers in six steps: transpose, short
   transforms of rows, twiddle factors, transpose, transforms, transpose. The matrix is dealt
   out by rows; upc_all_exchange transposes. Verified by the transform of a few waves, by the
   way back, and by Parseval's equation. */
#include <upc.h>
#include <upc_collective.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The matrix is SIDE x SIDE; rows go to the threads in equal numbers, and padding rows
   where THREADS does not divide SIDE. */
enum { SIDE = 64, LENGTH = SIDE * SIDE };

typedef double complex number;

static int rows;   /* of each thread */
static shared number *data, *packed, *received;
shared double powers[THREADS], power, errors[THREADS], error;

static number *
mine (shared number *array)
{
  return (number *) &array[MYTHREAD];
}

static int
first_row (void)
{
  return MYTHREAD * rows;
}

/* Element (i, j) of the matrix goes to thread j / rows. */
static void
transpose (void)
{
  int side = rows * THREADS, b, i, j;
  number *own = mine (data), *part = mine (packed);

  for (b = 0; b < THREADS; b++)
    for (j = 0; j < rows; j++)
      for (i = 0; i < rows; i++)
        *part++ = own[i * side + b * rows + j];
  upc_all_exchange (received, packed, rows * rows * sizeof (number), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
  part = mine (received);
  for (b = 0; b < THREADS; b++)
    for (i = 0; i < rows; i++)
      for (j = 0; j < rows; j++)
        own[i * side + b * rows + j] = *part++;
}

static void
transform_row (number *row, int direction)
{
  int i, j, bit, size;
  number old;

  for (i = 1, j = 0; i < SIDE; i++)
    {
      for (bit = SIDE / 2; j & bit; bit /= 2)
        j ^= bit;
      j ^= bit;
      if (i < j)
        old = row[i], row[i] = row[j], row[j] = old;
    }
  for (size = 2; size <= SIDE; size *= 2)
    for (i = 0; i < SIDE; i += size)
      for (j = 0; j < size / 2; j++)
        {
          number turned = row[i + j + size / 2] * cexp (direction * 2 * M_PI * I * j / size);
          row[i + j + size / 2] = row[i + j] - turned;
          row[i + j] += turned;
        }
}

static void
transform_rows (int direction)
{
  int i;

  for (i = 0; i < rows && first_row () + i < SIDE; i++)
    transform_row (mine (data) + i * rows * THREADS, direction);
}

static void
twiddle (int direction)
{
  int i, j;

  for (i = 0; i < rows; i++)
    for (j = 0; j < SIDE; j++)
      mine (data)[i * rows * THREADS + j]
        *= cexp (direction * 2 * M_PI * I * (first_row () + i) * j / LENGTH);
}

static void
transform (int direction)
{
  transpose ();
  transform_rows (direction);
  twiddle (direction);
  transpose ();
  transform_rows (direction);
  transpose ();
}

static double
sum_of_squares (void)
{
  int i, j;

  powers[MYTHREAD] = 0;
  for (i = 0; i < rows && first_row () + i < SIDE; i++)
    for (j = 0; j < SIDE; j++)
      powers[MYTHREAD] += pow (cabs (mine (data)[i * rows * THREADS + j]), 2);
  upc_all_reduceD (&power, powers, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
  return power;
}

/* Waves 5 and 777, and a constant. */
static number
sample (int i)
{
  return 2 + cexp (2 * M_PI * I * 5 * i / LENGTH) - 0.5 * cexp (2 * M_PI * I * 777 * (double) i / LENGTH);
}

static number
frequency (int i)
{
  return LENGTH * (i == 0 ? 2 : i == 5 ? 1 : i == 777 ? -0.5 : 0);
}

static double
largest_error (number (*expected) (int), double scale)
{
  int i, j;

  errors[MYTHREAD] = 0;
  for (i = 0; i < rows && first_row () + i < SIDE; i++)
    for (j = 0; j < SIDE; j++)
      errors[MYTHREAD] = fmax (errors[MYTHREAD],
                               cabs (mine (data)[i * rows * THREADS + j] / scale
                                     - expected ((first_row () + i) * SIDE + j)));
  upc_all_reduceD (&error, errors, UPC_MAX, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
  return error;
}

int
main (void)
{
  double before, there, back;
  size_t bytes;
  int i, j;

  rows = (SIDE + THREADS - 1) / THREADS;
  bytes = rows * rows * THREADS * sizeof (number);
  data = upc_all_alloc (THREADS, bytes);
  packed = upc_all_alloc (THREADS, bytes);
  received = upc_all_alloc (THREADS, bytes);
  memset (mine (data), 0, bytes);
  for (i = 0; i < rows && first_row () + i < SIDE; i++)
    for (j = 0; j < SIDE; j++)
      mine (data)[i * rows * THREADS + j] = sample ((first_row () + i) * SIDE + j);
  before = sum_of_squares ();
  upc_barrier;
  transform (-1);
  there = largest_error (frequency, 1);
  upc_barrier;
  if (MYTHREAD == 0)
    printf ("transform %s\n", there < 1e-8 ? "right" : "wrong");
  if (fabs (sum_of_squares () / LENGTH / before - 1) > 1e-12 && MYTHREAD == 0)
    printf ("Parseval's equation does not hold\n");
  upc_barrier;
  transform (1);
  back = largest_error (sample, LENGTH);
  if (MYTHREAD == 0)
    printf ("and back %s\n", back < 1e-12 ? "right" : "wrong");
  return 0;
}
