/* Threads, private data and shared data. */

#include <upc.h>
#include <stdio.h>

int mine;               /* each thread has its own */
shared int ours;        /* one for all threads, in thread 0's memory */
shared int row[THREADS]; /* one element in each thread's memory */

int
main (void)
{
  mine = 10 * MYTHREAD;
  row[MYTHREAD] = mine;
  if (MYTHREAD == 0)
    ours = 42;
  /* Until all threads are here, none can read what the others have written. */
  upc_barrier;
  if (MYTHREAD == THREADS - 1)
    {
      printf ("%d threads; ours is %d\n", THREADS, ours);
      for (int t = 0; t < THREADS; t++)
        printf ("thread %d wrote %d\n", t, row[t]);
    }
  return 0;
}
