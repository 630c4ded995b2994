/* What only the static THREADS environment has: THREADS in preprocessing, several
   dimensions, layouts of THREADS, lengths that are no multiple of it. */
#include <upc_relaxed.h>
#include <stdio.h>
#ifndef THREADS
#error "compile with a fixed number of threads"
#endif
#if THREADS > 8
#define PER 2
#else
#define PER (16 / THREADS)
#endif
#define N (4 * THREADS)

shared [N * N / THREADS] int A[N][N];
shared [N / THREADS] float strip[N][N];
shared [*] double star[N][3];
shared int odd_length[10], square[THREADS][4 * THREADS];
shared [THREADS] char by_threads[THREADS * THREADS + 1];
shared [] int zero[THREADS];
shared [PER] short per[PER * THREADS];
struct table { int size[THREADS]; shared int *p[THREADS]; };
static int counts[THREADS];
enum { LAST = THREADS - 1 };

_Static_assert (upc_localsizeof (odd_length) >= (10 + THREADS - 1) / THREADS * sizeof (int), "local part");
_Static_assert (sizeof (struct table) == THREADS * (4 + sizeof (shared int *)) + (THREADS % 2 ? 4 : 0)
                || sizeof (shared int *) == 16, "table");

int
main (void)
{
  int i, j, sum, bad = 0;
  shared int (**pp)[THREADS][THREADS];
  shared [N] int *p = (shared [N] int *) &A[0][0];
  struct table t;

  switch (MYTHREAD)
    {
    case LAST:
      counts[LAST] = 1;
      break;
    case THREADS:
      return 1;
    }
  upc_forall (i = 0; i < N; i++; &A[i][0])
    upc_forall (j = 0; j < N; j++; continue)
      A[i][j] = i * N + j;
  upc_forall (i = 0; i < 10; i++; i)
    odd_length[i] = i;
  for (i = 0; i < N; i++)
    upc_forall (j = 0; j < N; j++; &strip[i][j])
      strip[i][j] = i + j / 4.0;
  upc_forall (i = 0; i < N; i++; &star[i])
    star[i][0] = star[i][2] = i;
  upc_forall (i = 0; i < THREADS * THREADS + 1; i++; &by_threads[i])
    by_threads[i] = i % 100;
  for (i = 0; i < THREADS; i++)
    upc_forall (j = 0; j < 4 * THREADS; j++; j)
      square[i][j] = i - j;
  if (!MYTHREAD)
    for (i = 0; i < THREADS; i++)
      zero[i] = ~i;
  upc_forall (i = 0; i < PER * THREADS; i++; &per[i])
    per[i] = MYTHREAD;
  t.p[LAST] = odd_length + 9, t.size[0] = 10;
  upc_barrier;
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      {
        bad += A[i][j] != i * N + j || upc_threadof (&A[i][j]) != i / 4;
        bad += strip[i][j] != (float) (i + j / 4.0) || upc_threadof (&strip[i][j]) != j / 4;
      }
  for (i = 0; i < 10; i++)
    bad += odd_length[i] != i;
  for (i = 0; i < N; i++)
    bad += star[i][2] != i || star[i][0] != star[i][2];
  for (i = 0; i < THREADS * THREADS + 1; i++)
    bad += by_threads[i] != i % 100 || upc_threadof (&by_threads[i]) != i / THREADS % THREADS;
  for (i = 0; i < THREADS; i++)
    bad += zero[i] != ~i || square[i][4 * i] != -3 * i;
  for (sum = 0, i = 0; i < PER * THREADS; i++)
    sum += per[i];
  bad += sum != PER * THREADS * (THREADS - 1) / 2;
  bad += *t.p[LAST] != t.size[0] - 1;
  bad += sizeof (**pp) != THREADS * THREADS * sizeof (int) || sizeof A != N * N * 4;
  bad += *p != 0;
  upc_barrier;
  if (bad)
    printf ("thread %d: %d wrong\n", MYTHREAD, bad);
  if (MYTHREAD == 0)
    puts ("static threads: good");
  return 0;
}
