/* The n queens, by bit masks. Threads take first and second columns as jobs from a
   counter under a lock; counts are collected in a shared array. */
#include <upc_strict.h>
#include <stdio.h>

#ifndef N
#define N 9
#endif

typedef unsigned int mask_t;

shared unsigned long long method_total[THREADS];
shared int next_job = 0;
upc_lock_t *job_lock;
static mask_t all;

static unsigned long long
place (mask_t columns, mask_t left, mask_t right)
{
  unsigned long long found = 0;
  mask_t open;

  if (columns == all)
    return 1;
  for (open = all & ~(columns | left | right); open; open &= open - 1)
    {
      mask_t bit = open & -open;

      found += place (columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
  return found;
}

static int
take_job (void)
{
  int job;

  upc_lock (job_lock);
  job = next_job++;
  upc_unlock (job_lock);
  return job;
}

int
main (void)
{
  int n, job, i;

  job_lock = upc_all_lock_alloc ();
  for (n = 1; n <= N; n++)
    {
      unsigned long long total = 0;

      all = (1u << n) - 1;
      method_total[MYTHREAD] = 0;
      if (MYTHREAD == THREADS - 1)
        next_job = 0;
      upc_barrier n;
      while ((job = take_job ()) < n * n)
        {
          mask_t a = 1u << job / n, b = 1u << job % n;

          if (n == 1)
            method_total[MYTHREAD] += 1;
          else if (!(b & (a | a << 1 | a >> 1)))
            method_total[MYTHREAD] += place (a | b, (a << 1 | b) << 1, (a >> 1 | b) >> 1);
        }
      upc_barrier;
      if (MYTHREAD == 0)
        {
          for (i = 0; i < THREADS; i++)
            total += method_total[i];
          printf ("%d queens: %llu\n", n, total);
        }
      upc_barrier;
    }
  return 0;
}
