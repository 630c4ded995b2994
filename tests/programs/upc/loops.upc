/* upc_forall in every form, inside and outside of other loops and functions; the scopes of
   pragmas. */
#include <upc.h>
#include <stdio.h>
#include <assert.h>
#pragma upc strict
shared int flag, data;
#pragma upc relaxed

int
s (void)
{
#pragma upc strict
  return flag;
}

shared int hits[THREADS * 8];

void
inner (int i)
{
  int j;
  upc_forall (j = 0; j < 3; j++; j) hits[i] += 1;
}

int
main (void)
{
  int i, n = 0;

  upc_forall (i = 0; i < 8 * THREADS; i++; &hits[i])
  {
    inner (i);
    for (;;)
      {
        if (n >= 0)
          break;
      }
    switch (i)
      {
      case 0:
        continue;
      default:
        n++;
      }
    if (n < 0)
      goto l;
  l:;
  }
  upc_barrier;
  for (i = 0; i < 8 * THREADS; i++)
    assert (hits[i] == 3);
  upc_barrier;
  i = 0;
  upc_forall (; i < 5;;)
  {
    i++;
    n++;
  }
  upc_forall (i = 7; i >= 0; i -= 3;) n++;
  upc_forall (unsigned u = 10; u-- > 0;; u) n++;
  upc_forall (shared int *p = hits; p < hits + 8 * THREADS; p++; p) *p = 7;
  upc_forall (i = 0; i < 8 * THREADS; i += 2; &hits[i + 1]) hits[i + 1]++;
  upc_forall (i = 8 * THREADS - 1; i >= 0; i--; &hits[i]) hits[i]++;
  upc_forall (long k = 0; k < 8 * THREADS; k++; &hits[8 * THREADS - 1 - k]) hits[8 * THREADS - 1 - k]++;
  upc_forall (char c = 0; c < 8; c++; &hits[c]) hits[c]++;
  upc_barrier;
  for (i = 0; i < 8 * THREADS; i++)
    assert (hits[i] == 9 + i % 2 + (i < 8));
  upc_barrier;
  if (MYTHREAD == 0)
    {
      data = 5;
      flag = 1;
    }
  while (!s ())
    upc_poll ();
  assert (data == 5);
  upc_barrier;
  if (MYTHREAD == 0)
    puts ("loops: good");
  return 0;
}
