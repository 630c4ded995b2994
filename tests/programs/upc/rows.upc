/* Pointers to rows of shared arrays, and private arrays whose length depends on THREADS. */
#include <upc.h>
#include <stdio.h>
#include <assert.h>
#include <string.h>
shared int m[3][THREADS];
shared [2] int n[4][2 * THREADS];
shared [] double col[5][7];
shared int cube[2][3][THREADS * 2];
typedef shared int row_t[THREADS];
row_t rows[5];
row_t *rp;

static int
total (shared int (*p)[THREADS], int k)
{
  int i, j, s = 0;
  for (i = 0; i < k; i++)
    for (j = 0; j < THREADS; j++)
      s += p[i][j];
  return s;
}

static double
tot2 (int k, int l, shared [] double (*p)[7])
{
  double s = 0;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < l; j++)
      s += (*(p + i))[j];
  return s;
}

int
main ()
{
  int i, j, k;
  if (MYTHREAD == 0)
    {
      for (i = 0; i < 3; i++)
        for (j = 0; j < THREADS; j++)
          m[i][j] = i * THREADS + j;
      for (i = 0; i < 5; i++)
        for (j = 0; j < 7; j++)
          col[i][j] = i + j;
      for (i = 0; i < 4; i++)
        for (j = 0; j < 2 * THREADS; j++)
          n[i][j] = 100 * i + j;
      for (i = 0; i < 2; i++)
        for (j = 0; j < 3; j++)
          for (k = 0; k < 2 * THREADS; k++)
            cube[i][j][k] = i * 10000 + j * 1000 + k;
    }
  upc_barrier;
  assert (total (m, 3) == 3 * THREADS * (3 * THREADS - 1) / 2 && total (&m[1], 1) == total (m + 1, 1));
  shared int (*p)[THREADS] = m;
  p++;
  assert ((*p)[0] == THREADS && p - m == 1 && &p[1] - p == 1 && &m[2] == p + 1);
  --p;
  p += 2;
  assert (**p == 2 * THREADS && *p == m[2]);
  p -= 2;
  assert (p == m);
  assert (sizeof *p == THREADS * sizeof (int) && sizeof m == 3 * sizeof *m && sizeof (row_t) == sizeof *rp
          && sizeof rows == 5 * sizeof (row_t));
  shared [2] int (*q)[2 * THREADS] = &n[3];
  assert ((*q)[1] == 301 && q[-1][0] == 200 && (q - 2)[0][2 * THREADS - 1] == 100 + 2 * THREADS - 1);
  q--;
  assert (q - n == 2 && *q[0] == 200);
  assert (tot2 (5, 7, col) == 5 * 21 + 7 * 10);
  shared int (*c)[3][2 * THREADS] = cube;
  assert (c[1][2][3 % (2 * THREADS)] == 12000 + 3 % (2 * THREADS));
  c++;
  assert ((*c)[1][0] == 11000 && ***c == 10000 && c - cube == 1);
  shared int (*d)[2 * THREADS] = cube[1];
  assert (d[2][1] == 12001 && d - cube[0] == 3 && *(d[1] + 1) == 11001);
  d++;
  assert (**d == 11000);
  upc_forall (i = 0; i < 5; i++; continue) upc_forall (j = 0; j < THREADS; j++; &rows[i][j]) rows[i][j]
      = i * 100 + j;
  upc_barrier;
  rp = &rows[4];
  assert ((*rp)[THREADS - 1] == 400 + THREADS - 1);
  rp--;
  assert (rp[0][0] == 300);
  assert (upc_threadof (*rp) == 0 && upc_threadof (&(*rp)[THREADS - 1]) == THREADS - 1);
  shared int *arr[THREADS];
  shared int *(*pa)[THREADS] = &arr;
  (*pa)[THREADS - 1] = m[1];
  assert (*arr[THREADS - 1] == THREADS && sizeof arr == sizeof *pa);
  int vl = 3;
  shared int *v2[vl][THREADS];
  v2[2][THREADS - 1] = &m[2][0];
  assert (*v2[2][THREADS - 1] == 2 * THREADS && sizeof v2 == vl * THREADS * sizeof (shared int *));

  struct
  {
    shared int *q[2];
  } sv[2 * THREADS + 1];

  memset (sv, 0, sizeof sv);
  sv[2 * THREADS].q[1] = m[0];
  assert (!sv[0].q[0] && sv[2 * THREADS].q[1] == m[0]);
  upc_barrier;
  if (MYTHREAD == 0)
    puts ("rows: good");
  return 0;
}
