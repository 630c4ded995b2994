/* Conjugate gradient as NAS CG, class S: the smallest eigenvalue of a sparse matrix
   of random pattern by inverse iteration. Rows of the matrix are private to the
   threads that own them, vectors are shared in blocks. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#define NA 1400
#define NONZER 7
#define NITER 15
#define SHIFT 10.0
#define RCOND 0.1
#define ZETA_VERIFY 8.5971775078648
#define CGITMAX 25
#define BLOCK 1400 /* of the vectors; each has THREADS of them */

static double tran, amult = 1220703125.0;

/* One row of the matrix: sorted by nothing, each column once. */
struct row { int n, room; int *column; double *value; };
static struct row rows[NA];

shared [BLOCK] double p_piece[THREADS][BLOCK];
shared double partial[THREADS];
static int first, last;
static double p[NA], q[NA], r[NA], x[NA], z[NA];

static double
randlc (double *seed, double a)
{
  unsigned long long product = (unsigned long long) *seed * (unsigned long long) a;

  product &= (1ULL << 46) - 1;
  *seed = (double) product;
  return *seed * 0x1p-46;
}

static double
sum_over_threads (double mine)
{
  double all = 0;
  int t;

  partial[MYTHREAD] = mine;
  upc_barrier;
  for (t = 0; t < THREADS; t++)
    all += partial[t];
  upc_barrier;
  return all;
}

static void
sprnvc (int nz, int nn1, double v[], int iv[])
{
  int nzv = 0, ii;

  while (nzv < nz)
    {
      double vecelt = randlc (&tran, amult);
      double vecloc = randlc (&tran, amult);
      int i = (int) (nn1 * vecloc) + 1;

      if (i > NA)
        continue;
      for (ii = 0; ii < nzv && iv[ii] != i; ii++)
        ;
      if (ii < nzv)
        continue;
      v[nzv] = vecelt;
      iv[nzv++] = i;
    }
}

static void
vecset (double v[], int iv[], int *nzv, int i, double val)
{
  int k, set = 0;

  for (k = 0; k < *nzv; k++)
    if (iv[k] == i)
      v[k] = val, set = 1;
  if (!set)
    v[*nzv] = val, iv[(*nzv)++] = i;
}

static void
add_entry (int i, int j, double v)
{
  struct row *row = &rows[i];
  int k;

  for (k = 0; k < row->n; k++)
    if (row->column[k] == j)
      {
        row->value[k] += v;
        return;
      }
  if (row->n == row->room)
    {
      row->room = row->room ? 2 * row->room : 16;
      row->column = realloc (row->column, row->room * sizeof (int));
      row->value = realloc (row->value, row->room * sizeof (double));
    }
  row->column[row->n] = j;
  row->value[row->n++] = v;
}

static void
makea (void)
{
  static int acol[NA][NONZER + 1], arow[NA];
  static double aelt[NA][NONZER + 1];
  double size = 1.0, ratio = pow (RCOND, 1.0 / NA);
  int nn1 = 1, i, a, b;

  while (nn1 < NA)
    nn1 *= 2;
  for (i = 0; i < NA; i++)
    {
      arow[i] = NONZER;
      sprnvc (arow[i], nn1, aelt[i], acol[i]);
      vecset (aelt[i], acol[i], &arow[i], i + 1, 0.5);
    }
  for (i = 0; i < NA; i++, size *= ratio)
    for (a = 0; a < arow[i]; a++)
      {
        int j = acol[i][a] - 1;

        if (j < first || j >= last)
          continue;
        for (b = 0; b < arow[i]; b++)
          {
            int jcol = acol[i][b] - 1;
            double va = aelt[i][b] * size * aelt[i][a];

            if (jcol == j && j == i)
              va += RCOND - SHIFT;
            add_entry (j, jcol, va);
          }
      }
}

/* Everyone gets all of V, whose own part is set. */
static void
exchange (double *v)
{
  int t;

  if (last > first)
    memcpy ((double *) &p_piece[MYTHREAD][0], v + first, (last - first) * sizeof *v);
  upc_barrier;
  for (t = 0; t < THREADS; t++)
    {
      int from = (long) NA * t / THREADS, to = (long) NA * (t + 1) / THREADS;

      if (t != MYTHREAD && to > from)
        upc_memget (v + from, &p_piece[t][0], (to - from) * sizeof *v);
    }
  upc_barrier;
}

static void
multiply (double *out, const double *in)
{
  int i, k;

  for (i = first; i < last; i++)
    {
      double sum = 0;

      for (k = 0; k < rows[i].n; k++)
        sum += rows[i].value[k] * in[rows[i].column[k]];
      out[i] = sum;
    }
}

static double
dot (const double *a, const double *b)
{
  double sum = 0;
  int i;

  for (i = first; i < last; i++)
    sum += a[i] * b[i];
  return sum_over_threads (sum);
}

static double
conj_grad (void)
{
  double rho, rho0, d, alpha, beta;
  int cgit, i;

  for (i = first; i < last; i++)
    q[i] = z[i] = 0, r[i] = p[i] = x[i];
  rho = dot (r, r);
  for (cgit = 1; cgit <= CGITMAX; cgit++)
    {
      exchange (p);
      multiply (q, p);
      d = dot (p, q);
      alpha = rho / d;
      rho0 = rho;
      for (i = first; i < last; i++)
        z[i] += alpha * p[i], r[i] -= alpha * q[i];
      rho = dot (r, r);
      beta = rho / rho0;
      for (i = first; i < last; i++)
        p[i] = r[i] + beta * p[i];
    }
  exchange (z);
  multiply (r, z);
  for (i = first; i < last; i++)
    r[i] = x[i] - r[i];
  return sqrt (dot (r, r));
}

int
main (void)
{
  double zeta = 0, rnorm = 0, norm;
  int it, i;

  first = (long) NA * MYTHREAD / THREADS;
  last = (long) NA * (MYTHREAD + 1) / THREADS;
  tran = 314159265.0;
  randlc (&tran, amult);
  makea ();
  for (it = 0; it <= NITER; it++)
    {
      /* The first time is not counted. */
      if (it <= 1)
        for (i = 0; i < NA; i++)
          x[i] = 1.0;
      rnorm = conj_grad ();
      norm = 1.0 / sqrt (dot (z, z));
      zeta = SHIFT + 1.0 / dot (x, z);
      for (i = first; i < last; i++)
        x[i] = norm * z[i];
    }
  for (i = 0; i < NA; i++)
    {
      free (rows[i].column);
      free (rows[i].value);
    }
  if (MYTHREAD == 0)
    {
      if (fabs (zeta - ZETA_VERIFY) / ZETA_VERIFY <= 1.0e-10 && rnorm < 1e-10)
        printf ("CG class S: zeta is %.10f, verified\n", zeta);
      else
        printf ("CG class S: zeta is %.13f, not %.13f, residual %g\n", zeta, ZETA_VERIFY, rnorm);
    }
  return 0;
}
