/* UPC as it was written before 2005, and C as it was before 1999: names of UPC 1.0,
   K&R functions, foreign pragmas. */
#include <upc_relaxed.h>
#include <stdio.h>
#ifdef __BERKELEY_UPC__
#include <bupc_extensions.h>
#endif
#pragma pgas something
#pragma bupc strict_reads
#pragma IDENT "dialect"

#ifndef THREADS
#define PER_THREAD(n) ((n) * THREADS)
#else
#define PER_THREAD(n) (n * THREADS)
#endif

static shared int total, flags[THREADS];
shared [2] struct pair { int a, b; } pairs[2*THREADS];
upc_lock_t *lock;
relaxed shared int counter;
strict shared int flag = 0;
shared int x = 3, y[THREADS] = { 7 };
shared [3] int z[PER_THREAD (3)] = { 1, 2, 3 };

add (a, b)
  int a, b;
{
  static shared int calls;

  if (MYTHREAD == 0)
    calls++;
  return a + b;
}

shared int *
where (p, n)
  shared int *p;
  register n;
{
  return p + n;
}

struct pair
make (a)
{
  struct pair p;

  p.a = a;
  p.b = -a;
  return p;
}

/* The same words as names of the program. */
int
names ()
{
  int barrier = 1, notify = 2, fence = 3;
  struct { int wait; } forall = { 4 };

  if (MYTHREAD > 0)
    barrier;
  notify += fence * barrier;
  goto wait;
  notify = 0;
wait:
  fence;
  return notify + forall.wait;
}

main (argc, argv)
  int argc;
  char **argv;
{
  int i, bad = 0;
  shared int *p = upc_local_alloc (4, sizeof (int));
  shared [] int *mine = (shared [] int *) p;

  for (i = 0; i < 4; i++)
    mine[i] = add (i, MYTHREAD);
  forall (i = 0; i < THREADS; i++; &flags[i])
    flags[i] = i;
  notify;
  wait;
  barrier;
  barrier 17;
  notify 1;
  wait 1;
  fence;
  upc_poll ();
  forall (i = 0; i < 2 * THREADS; i++; &pairs[i])
    pairs[i] = make (i);
  if (MYTHREAD == 0)
    flag = 1;
  while (!flag)
    upc_poll ();
  upc_barrier;
  for (i = 0; i < THREADS; i++)
    {
      bad += *where (flags, i) != i;
      bad += y[i] != (i ? 0 : 7);
      bad += pairs[2 * i + 1].b != -(2 * i + 1);
    }
  bad += x != 3 || z[0] != 1 || z[2] != 3;
  bad += mine[3] != 3 + MYTHREAD;
  bad += names () != 9;
  lock = upc_all_lock_alloc ();
  upc_lock (lock);
  total += bad;
  upc_unlock (lock);
  upc_free (p);
  barrier;
  if (MYTHREAD == 0)
    printf ("old UPC: %d wrong\n", total);
  exit (0);
}
