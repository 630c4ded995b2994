/* Sample sort: a few keys of each thread determine how to divide all keys among the threads. Each thread
   fetches its range from all others, and sorts it. */

#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

#define EACH 10000
#define SAMPLES 32 /* of each thread */
#define MOST (4 * EACH)

shared [EACH] unsigned keys[EACH * THREADS];
shared [SAMPLES] unsigned samples[SAMPLES * THREADS];
shared [MOST] unsigned sorted[MOST * THREADS];
/* Thread t's keys for thread u begin at bounds[t][u] of its own, and end at bounds[t][u + 1]. */
shared [] int *shared bounds[THREADS];
shared int received[THREADS];

static int
compare (const void *a, const void *b)
{
  unsigned x = *(const unsigned *) a, y = *(const unsigned *) b;

  return (x > y) - (x < y);
}

static void
make_keys (unsigned *own)
{
  unsigned long state = 88172645463325252ul + MYTHREAD;

  for (int i = 0; i < EACH; i++)
    {
      state = state * 6364136223846793005ul + 1442695040888963407ul;
      /* More small keys than large ones. */
      own[i] = (state >> 40) * (state >> 33 & 0xff);
    }
}

/* The index in OWN, which is sorted, of the first key that is not less than KEY. */
static int
find (const unsigned *own, unsigned key)
{
  int low = 0, high = EACH;

  while (low < high)
    {
      int middle = (low + high) / 2;

      if (own[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Each thread divides its keys by the same splitters: every SAMPLES-th of all samples. */
static void
divide (const unsigned *own)
{
  unsigned *all = malloc (SAMPLES * THREADS * sizeof *all);
  shared [] int *mine = upc_alloc ((THREADS + 1) * sizeof (int));

  for (int i = 0; i < SAMPLES; i++)
    samples[SAMPLES * MYTHREAD + i] = own[i * EACH / SAMPLES];
  upc_barrier;
  for (int t = 0; t < THREADS; t++)
    upc_memget (all + SAMPLES * t, &samples[SAMPLES * t], SAMPLES * sizeof *all);
  qsort (all, SAMPLES * THREADS, sizeof *all, compare);
  mine[0] = 0;
  for (int t = 1; t < THREADS; t++)
    mine[t] = find (own, all[SAMPLES * t]);
  mine[THREADS] = EACH;
  bounds[MYTHREAD] = mine;
  free (all);
  upc_barrier;
}

static int
receive (unsigned *to)
{
  int n = 0;

  for (int t = 0; t < THREADS; t++)
    {
      int first = bounds[t][MYTHREAD], behind = bounds[t][MYTHREAD + 1];

      if (n + behind - first > MOST)
        {
          fprintf (stderr, "thread %d: more than %d keys\n", MYTHREAD, MOST);
          upc_global_exit (1);
        }
      upc_memget (to + n, &keys[EACH * t + first], (behind - first) * sizeof *to);
      n += behind - first;
    }
  return n;
}

/* Is each thread's part in order, and does it come after the previous one? */
static void
check (void)
{
  unsigned last = 0;
  int total = 0, wrong = 0;

  for (int t = 0; t < THREADS; t++)
    for (int i = 0; i < received[t]; i++, total++)
      {
        wrong += sorted[MOST * t + i] < last;
        last = sorted[MOST * t + i];
      }
  printf ("%d keys, %d out of order\n", total, wrong);
  for (int t = 0; t < THREADS; t++)
    if (received[t] > 0)
      printf ("thread %d has %d, from %u to %u\n", t, received[t], sorted[MOST * t],
              sorted[MOST * t + received[t] - 1]);
}

int
main (void)
{
  unsigned *own = (unsigned *) &keys[EACH * MYTHREAD], *result = (unsigned *) &sorted[MOST * MYTHREAD];

  make_keys (own);
  qsort (own, EACH, sizeof *own, compare);
  divide (own);
  received[MYTHREAD] = receive (result);
  qsort (result, received[MYTHREAD], sizeof *result, compare);
  upc_barrier;
  if (MYTHREAD == 0)
    check ();
  return 0;
}
