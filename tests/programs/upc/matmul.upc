/* C = A * B three ways: elements, rows blocked by thread with [N*P/THREADS] layouts,
   and with the columns of B copied to private memory first. Only static THREADS has
   the second; in the dynamic environment a block is one row. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <string.h>

#ifdef __UPC_STATIC_THREADS__
#define N (8 * THREADS)
#define P 12
#define M (4 * THREADS)
shared [N * P / THREADS] int a[N][P], c[N][M];
shared [M / THREADS] int b[P][M];
#else
#define N (8 * THREADS)
#define P 12
#define M 20
shared [P] int a[N][P];
shared [M] int c[N][M];
shared [M] int b[P * THREADS][M]; /* of which P rows are used */
#endif

static int b_local[P][M];
shared int wrong;

static void
multiply_by_elements (void)
{
  int i, j, l;

  upc_forall (i = 0; i < N; i++; &c[i][0])
    {
      for (j = 0; j < M; j++)
        {
          c[i][j] = 0;
          for (l = 0; l < P; l++)
            c[i][j] += a[i][l] * b[l][j];
        }
    }
}

static void
multiply_by_copies (void)
{
  int i, j, l;

  for (i = 0; i < P; i++)
    for (j = 0; j < M; j++)
      b_local[i][j] = b[i][j];
  upc_forall (i = 0; i < N; i++; &c[i][0])
    for (j = 0; j < M; j++)
      {
        int sum = 0;

        for (l = 0; l < P; l++)
          sum += a[i][l] * b_local[l][j];
        c[i][j] += sum;
      }
}

static void
check (int factor)
{
  int i, j, l;

  upc_forall (i = 0; i < N; i++; i)
    for (j = 0; j < M; j++)
      {
        int sum = 0;

        for (l = 0; l < P; l++)
          sum += ((i * P + l + 1) % 17) * ((l * M + j + 1) % 13);
        if (c[i][j] != factor * sum)
          wrong = 1;
      }
}

int
main (void)
{
  int i, j;

  upc_forall (i = 0; i < N; i++; &a[i][0])
    for (j = 0; j < P; j++)
      a[i][j] = (i * P + j + 1) % 17;
  upc_forall (j = 0; j < M; j++; &b[0][j])
    for (i = 0; i < P; i++)
      b[i][j] = (i * M + j + 1) % 13;
  upc_barrier;
  multiply_by_elements ();
  upc_barrier;
  check (1);
  upc_barrier;
  multiply_by_copies ();
  upc_barrier;
  check (2);
  upc_barrier;
  if (!MYTHREAD)
    printf ("matrix multiply: %s\n", wrong ? "WRONG" : "verified");
  return 0;
}
