/* Layouts: which thread has which element of a shared array. */

#include <upc.h>
#include <stdio.h>

#define N 16

shared int cyclic[N * THREADS];
shared [4] int blocked[N * THREADS];
shared [*] int even[N * THREADS];
shared [] int one[N];
shared [6] int rows[2 * THREADS][6];

/* As many elements as two threads have, or one where there are no two. */
#define SHOWN (THREADS == 1 ? N : 2 * N)

/* Prints the thread that each of the first COUNT elements has affinity to. ELEMENT is element i. */
#define SHOW(name, element, count)                        \
  do                                                      \
    {                                                     \
      printf ("%-8s", name);                              \
      for (int i = 0; i < (count); i++)                   \
        printf (" %d", (int) upc_threadof (&(element))); \
      putchar ('\n');                                     \
    }                                                     \
  while (0)

int
main (void)
{
  if (MYTHREAD != 0)
    return 0;
  SHOW ("cyclic", cyclic[i], SHOWN);
  SHOW ("blocked", blocked[i], SHOWN);
  SHOW ("even", even[i], SHOWN);
  SHOW ("one", one[i], N);
  SHOW ("rows", rows[i / 6][i % 6], THREADS < 3 ? 12 * THREADS : SHOWN);
  printf ("blocked[6] is element %d of its block\n", (int) upc_phaseof (&blocked[6]));
  return 0;
}
