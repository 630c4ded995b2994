/* A histogram of sums of dice, with atomic operations: all threads count in the same elements. */

#include <upc.h>
#include <upc_atomic.h>
#include <stdio.h>

#define DICE 3
#define SUMS (6 * DICE + 1)
#define ROLLS 200000 /* of all threads together */

shared [] long count[SUMS]; /* all in thread 0's memory */

static unsigned long state;

static int
roll (void)
{
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (state >> 33) % 6 + 1;
}

int
main (void)
{
  upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc (UPC_LONG, UPC_INC, 0);

  /* The iterations go to the threads in turn. */
  upc_forall (int i = 0; i < ROLLS; i++; i)
    {
      int sum = 0;

      state = 0x9e3779b97f4a7c15ul * (i + 1);
      for (int d = 0; d < DICE; d++)
        sum += roll ();
      upc_atomic_relaxed (domain, NULL, UPC_INC, &count[sum], NULL, NULL);
    }
  upc_barrier;
  if (MYTHREAD == 0)
    for (int sum = DICE; sum < SUMS; sum++)
      {
        printf ("%2d %6ld ", sum, count[sum]);
        for (long i = 0; i < count[sum]; i += ROLLS / 200)
          putchar ('*');
        putchar ('\n');
      }
  upc_all_atomicdomain_free (domain);
  return 0;
}
