/* Producers and consumers that hand items over one by one, by strict flags that they
   poll. `handover PAIRS`: the first PAIRS pairs of neighbouring threads do, each the
   same number of items; the others are in the next barrier. */

#include <upc_relaxed.h>

#include <stdlib.h>

enum { ITEMS = 100000 };

/* 0: empty, else the item. */
strict shared int slot[THREADS];

static void
produce (int to)
{
  for (int item = 1; item <= ITEMS; item++)
    {
      while (slot[to] != 0)
        continue;
      slot[to] = item;
    }
}

static long
consume (void)
{
  long sum = 0;

  for (int item = 1; item <= ITEMS; item++)
    {
      int got;
      while ((got = slot[MYTHREAD]) == 0)
        continue;
      slot[MYTHREAD] = 0;
      sum += got;
    }
  return sum;
}

int
main (int argc, char **argv)
{
  int pairs = argc > 1 ? atoi (argv[1]) : 1;
  long sum = (long) ITEMS * (ITEMS + 1) / 2;

  upc_barrier;
  if (MYTHREAD / 2 < pairs)
    {
      if (MYTHREAD % 2 == 0)
        produce (MYTHREAD + 1);
      else
        sum = consume ();
    }
  upc_barrier;
  return sum != (long) ITEMS * (ITEMS + 1) / 2;
}
