"""Writes a UPC program of LINES lines, for the speed of the translator: functions as
programs have them, with private and shared data, and no two alike.

    lines.py LINES >FILE"""

import sys

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
"""

FUNCTION = """
/* Particles of group @, by cell. */
struct particle@
{
  double position[3], velocity[3];
  int cell, kind;
  struct particle@ *next;
};

#define CELLS@ (@ % 61 + 3)

shared [CELLS@] double field@[CELLS@ * THREADS];
shared int count@[CELLS@ * THREADS];
shared [] struct particle@ *shared heads@[THREADS];
static struct particle@ local@[CELLS@];

static double
kick@ (struct particle@ *p, int n, double step)
{
  double energy = 0;

  for (int i = 0; i < n; i++)
    {
      for (int k = 0; k < 3; k++)
        {
          p[i].velocity[k] += step * (k == @ % 3 ? 0.5 : -p[i].position[k]);
          p[i].position[k] += step * p[i].velocity[k];
          energy += p[i].velocity[k] * p[i].velocity[k];
        }
      if (p[i].position[0] < 0 || p[i].position[0] >= CELLS@)
        p[i].kind ^= 1;
      p[i].cell = ((int) fabs (p[i].position[0]) + @) % CELLS@;
    }
  return energy / 2;
}

double
deposit@ (int steps)
{
  shared [] struct particle@ *list = heads@[(MYTHREAD + 1) % THREADS];
  shared [CELLS@] double *walk = field@;
  double sum = 0;
  int i;

  while (steps-- > 0)
    {
      sum += kick@ (local@, CELLS@, 1e-3 * steps);
      for (i = 0; i < CELLS@; i++)
        count@[local@[i].cell * THREADS + MYTHREAD]++;
      upc_barrier;
      upc_forall (i = 0; i < CELLS@ * THREADS; i++; &field@[i])
        field@[i] += count@[i] * 0.25;
      upc_barrier @;
      for (i = 1; i < CELLS@ * THREADS; i++, walk++)
        sum += *walk * (field@[i] - field@[i - 1]);
      walk = field@;
      if (list && list->kind)
        sum += list->position[steps % 3];
    }
  if (MYTHREAD == 0 && sum < 0)
    fprintf (stderr, "group %d: %g\\n", @, sum);
  return sum;
}
"""

TAIL = """
int
main (void)
{
  return 0;
}
"""


def main():
    lines = int(sys.argv[1]) - HEAD.count("\n") - TAIL.count("\n")
    functions = lines // FUNCTION.count("\n")
    padding = lines - functions * FUNCTION.count("\n")
    sys.stdout.write(HEAD)
    for number in range(functions):
        sys.stdout.write(FUNCTION.replace("@", str(number)))
    sys.stdout.write("\n" * padding + TAIL)


if __name__ == "__main__":
    main()
