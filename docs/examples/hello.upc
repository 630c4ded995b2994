/* Threads, and what is theirs and what is everybody's. */

#include <upc.h>
#include <stdio.h>

int mine;               /* one for each thread */
shared int ours;        /* one for all, in thread 0's memory */
shared int row[THREADS]; /* an element in each thread's memory */

int
main (void)
{
  mine = 10 * MYTHREAD;
  row[MYTHREAD] = mine;
  if (MYTHREAD == 0)
    ours = 42;
  /* Until all are here, nobody knows what the others have written. */
  upc_barrier;
  if (MYTHREAD == THREADS - 1)
    {
      printf ("%d threads; ours is %d\n", THREADS, ours);
      for (int t = 0; t < THREADS; t++)
        printf ("thread %d wrote %d\n", t, row[t]);
    }
  return 0;
}
