/* Stores to elements by variable indexes are seen by loads by constant ones, and the
   other way round; through pointers too. */
#include <upc.h>
#include <stdio.h>

shared int a[8 * THREADS];
shared [3] long b[9 * THREADS];
shared [] int c[8];
shared int scalar, *scalar_pointer = &scalar;
shared struct { int n, m[2]; } s[2 * THREADS];

int
main (void)
{
  int i, bad = 0;
  shared int *p = a;

  if (MYTHREAD)
    return 0;
  for (i = 0; i < 8; i++)
    a[i] = i + 1, b[i] = i + 1, c[i] = i + 1;
  a[0] = b[0] = c[0] = 5;
  a[a[7] - 8] = a[a[0] - 5] + 1;
  b[b[7] - 8] = b[b[0] - 5] + 1;
  c[c[7] - 8] = c[c[0] - 5] + 1;
  bad += a[0] != 6 || b[0] != 6 || c[0] != 6;
  p[a[7] - 8] = 7;
  bad += a[0] != 7;
  a[0] = 8;
  bad += *p != 8 || p[a[7] - 8] != 8;
  *p = 9;
  bad += a[0] != 9 || a[c[7] - 8] != 9;
  scalar = 1;
  *scalar_pointer = 2;
  bad += scalar != 2;
  s[0].m[0] = 1;
  s[c[7] - 8].m[c[7] - 8] = 2;
  bad += s[0].m[0] != 2;
  puts (bad ? "WRONG" : "aliases: seen");
  return bad;
}
