/* Layouts: which thread has which element of a shared array. */

#include <upc.h>
#include <stdio.h>

#define N 16

shared int cyclic[N * THREADS];
shared [4] int blocked[N * THREADS];
shared [*] int even[N * THREADS];
shared [] int one[N];
shared [6] int rows[2 * THREADS][6];

/* Prints the thread that each of the first COUNT elements has affinity to. */
#define SHOW(name, array, count)                              \
  do                                                          \
    {                                                         \
      printf ("%-8s", name);                                  \
      for (int i = 0; i < (count); i++)                       \
        printf (" %d", (int) upc_threadof (&(array)[i]));     \
      putchar ('\n');                                         \
    }                                                         \
  while (0)

int
main (void)
{
  if (MYTHREAD != 0)
    return 0;
  SHOW ("cyclic", cyclic, 2 * N);
  SHOW ("blocked", blocked, 2 * N);
  SHOW ("even", even, 2 * N);
  SHOW ("one", one, N);
  SHOW ("rows", *rows, 2 * N);
  printf ("blocked[6] is element %d of its block\n", (int) upc_phaseof (&blocked[6]));
  return 0;
}
