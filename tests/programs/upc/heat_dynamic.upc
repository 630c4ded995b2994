/* Heat conduction in a cube with memory from upc_all_alloc and a directory of
   private pointers to each thread's planes, as the UPC tutorials do it. */
#include <upc.h>
#include <stdio.h>
#include <math.h>

#define SIDE 12

typedef shared [] double *plane_t;
typedef struct { shared [] double *now; shared [] double *next; int first, last; } slab_t;

shared slab_t slabs[THREADS];
shared [] double *shared directory[SIDE + 2][THREADS];
strict shared int turn;
shared double dTmax_local[THREADS];
upc_lock_t *lock;
shared double total;

static int
owner (int plane)
{
  return plane * THREADS / (SIDE + 2);
}

#define AT(p, x, y) ((p)[(x) * (SIDE + 2) + (y)])

int
main ()
{
  static plane_t now[SIDE + 2], next[SIDE + 2], swap;
  double dTmax, epsilon = 0.01, sum = 0;
  int z, x, y, finished = 0, iterations = 0, t;

  lock = upc_all_lock_alloc ();
  for (z = 0; z < SIDE + 2; z++)
    if (owner (z) == MYTHREAD)
      {
        plane_t p = upc_alloc (2 * (SIDE + 2) * (SIDE + 2) * sizeof (double));

        upc_memset (p, 0, 2 * (SIDE + 2) * (SIDE + 2) * sizeof *p);
        for (t = 0; t < THREADS; t++)
          directory[z][t] = p;
      }
  upc_barrier 1;
  for (z = 0; z < SIDE + 2; z++)
    {
      now[z] = directory[z][MYTHREAD];
      next[z] = now[z] + (SIDE + 2) * (SIDE + 2);
      if (owner (z) == MYTHREAD)
        for (x = 0; x < SIDE + 2; x++)
          AT (now[z], x, 0) = AT (next[z], x, 0) = 1.0;
    }
  upc_barrier 2;
  do
    {
      dTmax = 0.0;
      for (z = 1; z <= SIDE; z++)
        {
          if (owner (z) != MYTHREAD)
            continue;
          for (x = 1; x <= SIDE; x++)
            for (y = 1; y <= SIDE; y++)
              {
                double T = (AT (now[z], x - 1, y) + AT (now[z], x + 1, y) + AT (now[z], x, y - 1)
                            + AT (now[z], x, y + 1) + AT (now[z - 1], x, y) + AT (now[z + 1], x, y))
                           / 6.0;
                double dT = T - AT (now[z], x, y);

                AT (next[z], x, y) = T;
                if (dTmax < fabs (dT))
                  dTmax = fabs (dT);
              }
        }
      dTmax_local[MYTHREAD] = dTmax;
      upc_barrier 3;
      for (t = 0; t < THREADS; t++)
        if (dTmax_local[t] > dTmax)
          dTmax = dTmax_local[t];
      upc_barrier 4;
      if (dTmax < epsilon)
        finished = 1;
      for (z = 0; z < SIDE + 2; z++)
        swap = now[z], now[z] = next[z], next[z] = swap;
      iterations++;
    }
  while (!finished);
  for (z = 1; z <= SIDE; z++)
    if (owner (z) == MYTHREAD)
      for (x = 1; x <= SIDE; x++)
        for (y = 1; y <= SIDE; y++)
          sum += AT (now[z], x, y);
  upc_lock (lock);
  total += sum;
  upc_unlock (lock);
  slabs[MYTHREAD].now = now[SIDE];
  slabs[MYTHREAD].last = iterations;
  upc_barrier 5;
  for (t = 0; t < THREADS; t++)
    {
      slab_t s = slabs[t];

      if (s.last != iterations || s.now != now[SIDE] || s.next)
        printf ("thread %d disagrees with %d\n", t, MYTHREAD);
    }
  if (MYTHREAD == 0)
    {
      printf ("%d iterations, mean %.6f\n", iterations, total / (SIDE * SIDE * SIDE));
      upc_lock_free (lock);
    }
  return 0;
}
