/* Integers sorted by buckets, one a thread: a sample chooses the splitters, which thread 0
   broadcasts; upc_all_exchange moves sizes, then the integers; prefix sums of the sizes say
   where each thread's part of the result begins. */
#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 3000, SAMPLES = 16 };   /* of each thread */

static shared int *samples, *all_samples, *splitters, *sizes, *sizes_got, *keys, *keys_got;
shared long lengths[THREADS], ends[THREADS], sums[2 * THREADS];
shared [] long total[2];
shared int smallest[THREADS], largest[THREADS], wrong[THREADS], all_wrong;

static int *
mine (shared int *array)
{
  return (int *) &array[MYTHREAD];
}

static int
compare (const void *a, const void *b)
{
  int x = *(const int *) a, y = *(const int *) b;

  return (x > y) - (x < y);
}

static shared int *
allocate (int count)
{
  return upc_all_alloc (THREADS, count * sizeof (int));
}

static int
bucket_of (int key)
{
  const int *bounds = mine (splitters);
  int b = 0;

  while (b < THREADS - 1 && key >= bounds[b])
    b++;
  return b;
}

/* Thread 0 has all samples; every SAMPLES-th of them, sorted, is a splitter. */
static void
choose_splitters (const int *own)
{
  int i;
  int *at_first = (int *) &all_samples[0];

  for (i = 0; i < SAMPLES; i++)
    mine (samples)[i] = own[i * (KEYS / SAMPLES)];
  upc_all_gather (all_samples, samples, SAMPLES * sizeof (int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
  if (MYTHREAD == 0)
    {
      qsort (at_first, SAMPLES * THREADS, sizeof (int), compare);
      for (i = 1; i < THREADS; i++)
        at_first[i - 1] = at_first[i * SAMPLES];
    }
  upc_all_broadcast (splitters, all_samples, THREADS * sizeof (int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}

/* Returns how many keys this thread gets, gathered at the front of its keys_got. */
static int
exchange_keys (const int *own)
{
  int i, count = 0, *to = mine (keys), *from = mine (keys_got);

  memset (mine (sizes), 0, THREADS * sizeof (int));
  for (i = 0; i < KEYS; i++)
    {
      int b = bucket_of (own[i]);
      to[b * KEYS + mine (sizes)[b]++] = own[i];
    }
  upc_all_exchange (sizes_got, sizes, sizeof (int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
  upc_all_exchange (keys_got, keys, KEYS * sizeof (int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
  for (i = 0; i < THREADS; i++)
    {
      memmove (from + count, from + i * KEYS, mine (sizes_got)[i] * sizeof (int));
      count += mine (sizes_got)[i];
    }
  return count;
}

/* Nothing is lost, and all is in order, across threads too. */
static void
verify (const int *sorted, int count, long sum_before)
{
  long sum = 0;
  int i;

  for (i = 0; i < count; i++)
    {
      wrong[MYTHREAD] += i > 0 && sorted[i - 1] > sorted[i];
      sum += sorted[i];
    }
  lengths[MYTHREAD] = count;
  sums[MYTHREAD] = sum;
  sums[MYTHREAD + THREADS] = -sum_before;
  smallest[MYTHREAD] = count ? sorted[0] : 0;
  largest[MYTHREAD] = count ? sorted[count - 1] : 0;
  upc_all_prefix_reduceL (ends, lengths, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
  upc_all_reduceL (total, sums, UPC_ADD, 2 * THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
  wrong[MYTHREAD] += ends[THREADS - 1] != (long) KEYS * THREADS || total[0] != 0;
  wrong[MYTHREAD] += MYTHREAD > 0 && count && ends[MYTHREAD - 1] > 0 && lengths[MYTHREAD - 1]
                     && largest[MYTHREAD - 1] > smallest[MYTHREAD];
}

int
main (void)
{
  static int own[KEYS];
  long sum = 0;
  int i, count;

  samples = allocate (SAMPLES), all_samples = allocate (SAMPLES * THREADS);
  splitters = allocate (THREADS), sizes = allocate (THREADS), sizes_got = allocate (THREADS);
  keys = allocate (KEYS * THREADS), keys_got = allocate (KEYS * THREADS);
  srandom (MYTHREAD + 1);
  for (i = 0; i < KEYS; i++)
    sum += own[i] = random () % 100000 * (random () % 3);
  choose_splitters (own);
  count = exchange_keys (own);
  qsort (mine (keys_got), count, sizeof (int), compare);
  verify (mine (keys_got), count, sum);
  upc_all_reduceI (&all_wrong, wrong, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
  if (MYTHREAD == 0)
    printf ("sorted by buckets: %d wrong\n", all_wrong);
  return 0;
}
