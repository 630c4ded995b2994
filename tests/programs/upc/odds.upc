/* Odds and ends of declarations, initial values and expressions, one assertion after
   the other. */
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <assert.h>

typedef shared int shared_int;
typedef shared_int *pointer;
typedef pointer four_pointers[4];
struct deep { int a[3]; struct { double d; char s[8]; } in; };
struct found { pointer p; int n; shared struct deep *d; };
struct methods { pointer (*same) (pointer); union { pointer u; long l; }; struct { int n; pointer q; }; };

shared [] char greeting[] = "hello, world";
shared [] const char *const names[] = { 0, greeting + 7 };
shared [] int primes[] = { 2, 3, 5, 7, 11, [7] = 19 };
shared [] struct { const char *n; int v; } table[] = { { "a", 1 }, { "b", 2 }, { .v = 3 } };
shared const double coefficients[THREADS] = { 0.5 };
shared [2] short pairs[2 * THREADS] = { 1, 2 };
shared struct deep deep[THREADS] = { { { 1, 2, 3 }, { 2.5, "abc" } } };
int shared a[8 * THREADS];
extern shared int a[], b[8 * THREADS];
shared int b[8 * THREADS];
const int shared [2] constant_pairs[2 * THREADS];
shared const strict int strict_one;
shared four_pointers pointer_table[THREADS];
int shared *shared to_shared[THREADS];
int (*takes) (shared int *, shared [] char *, pointer);
shared [] int *(*returns) (shared [] int *);
pointer (*function_table[3]) (pointer);
shared int *to_a (), *to_array (shared int (*)[THREADS]);
int counter, global;

pointer
same (pointer p)
{
  return p;
}

struct methods methods = { same };

static int shared *
pick (int shared *p, int n)
{
  return n ? pick (p + 1, n - 1) : p;
}

shared int *
to_a ()
{
  return a;
}

shared int *
to_array (shared int (*array)[THREADS])
{
  return *array;
}

static int
distance (shared int *p, ...)
{
  __builtin_va_list list;
  shared int *q;

  __builtin_va_start (list, p);
  q = __builtin_va_arg (list, shared int *);
  __builtin_va_end (list);
  return q - p;
}

static int
parameters (shared int p[], shared [3] int q[THREADS * 3], shared int r[const 4])
{
  return p[0] + q[1] + r[2];
}

static struct found
find (shared int *p, int n)
{
  struct found x;

  x.p = p, x.n = n, x.d = deep;
  return x;
}

static shared int *
next (shared int **pp)
{
  return (*pp)++;
}

static int
compare (const void *x, const void *y)
{
  shared int *const *p = x, *const *q = y;

  return **p - **q;
}

/* Private arrays whose length is a multiple of THREADS. */
static void
private_arrays (void)
{
  shared int *sorted[8 * THREADS], *rows[THREADS][2];
  struct found all[THREADS];
  int i;

  assert (sizeof sorted == 8 * THREADS * sizeof *sorted && sizeof rows == THREADS * sizeof *rows);
  upc_forall (i = 0; i < 8 * THREADS; i++; &a[i])
    a[i] = (5 * i + 3) % (8 * THREADS);
  upc_barrier;
  for (i = 0; i < 8 * THREADS; i++)
    sorted[i] = &a[i];
  for (i = 0; i < THREADS; i++)
    rows[i][0] = rows[i][1] = &a[i], all[i] = find (&b[i], i);
  qsort (sorted, 8 * THREADS, sizeof *sorted, compare);
  for (i = 1; i < 8 * THREADS; i++)
    assert (*sorted[i - 1] <= *sorted[i]);
  assert (rows[THREADS - 1][1] == &a[THREADS - 1] && all[THREADS - 1].p - b == all[THREADS - 1].n);
  upc_barrier;
}

static int
side (void)
{
  return counter++;
}

static int
inner_statics (void)
{
  static shared int n = 10;

  if (MYTHREAD == 0)
    {
      static shared int n = 20;

      assert (n++ >= 20);
    }
  return MYTHREAD ? 0 : ++n;
}

static void
declarations (void)
{
  four_pointers shared *w = &pointer_table[MYTHREAD];

  function_table[1] = same, function_table[0] = &same;
  assert (function_table[1] (a) == a && methods.same (a + 1) == &a[1] && !takes && !returns);
  methods.u = a, methods.q = a + 1;
  assert (methods.u && methods.q == methods.u + 1 && (*methods.same) (methods.q)[0] == 0);
  pointer_table[MYTHREAD][2] = a + 1;
  assert ((*w)[2] == a + 1 && w[0][2] == *(*w + 2));
  to_shared[MYTHREAD] = a;
  inner_statics ();
  assert (MYTHREAD || inner_statics () == 12);
  upc_barrier;
  assert (to_shared[THREADS - 1] == a && **to_shared == to_shared[0][0] && distance (a, a + 3) == 3);
  assert (pick (a, 2) == a + 2 && to_a () == a && *to_array ((shared int (*)[THREADS]) a) == a[0]);
  assert (parameters (a, (shared [3] int *) a, a) == 0 && strict_one == 0 && constant_pairs[1] == 0);
  upc_barrier;
}

static void
initial_values (void)
{
  int i;

  assert (upc_threadof (greeting) == 0 && sizeof greeting == 13 && greeting[4] == 'o');
  for (i = 0; greeting[i]; i++)
    assert (greeting[i] == "hello, world"[i]);
  assert (primes[7] == 19 && primes[5] == 0 && sizeof primes == 32 && table[2].v == 3 && !table[2].n);
  assert (coefficients[0] == 0.5 && pairs[1] == 2 && deep[0].a[2] == 3 && deep[0].in.d == 2.5);
  for (i = 0; i < 8; i++)
    assert (deep->in.s[i] == "abc\0\0\0\0"[i]);
  assert (!names[0] && names[1] == greeting + 7 && *names[1] == 'w');
  upc_barrier;
}

static void
expressions (void)
{
  int i, j, k;
  shared int *p = a, *q;
  struct found s;
  unsigned char c = 250;
  bool t, u;

  for (i = 0; i < 8; i++)
    a[i] = i + 1, b[i] = 10 * (i + 1);
  i = j = 0;
  a[i++] += b[j++];
  assert (i == 1 && j == 1 && a[0] == b[0] + 1);
  a[side ()] -= 1;
  a[side ()]++;
  --a[side ()];
  assert (counter == 3 && a[0] == 10 && a[1] == 3 && a[2] == 2);
  a[3] = b[3] = global = 77;
  *next (&p) = 5;
  *next (&p) += 6;
  *next (&p) <<= 2;
  assert (p == a + 3 && a[0] == 5 && a[1] == 9 && a[2] == 8 && a[3] == 77 && b[3] == 77);
  s = find (a, 4);
  assert (find (a, 1).p[2] == 8 && *find (b, 2).p == b[0] && find (a, 0).d->in.d == 2.5);
  s.p++, ++s.p;
  assert (*s.p-- == 8 && s.p == &a[1] && *&*s.p == 9 && &*s.p == &s.p[0] && *&a[1] == 9);
  s.d->a[1]++;
  assert (deep[0].a[1] == 3 && (&s)->d->a[1]-- == 3 && (*s.d).a[1] == 2);
  q = i ? a : b;
  q = !q ? 0 : q;
  t = q, u = s.p == NULL;
  assert (t && !u && q && (p || 0));
  while (p && *p != 9)
    p--;
  assert (p == a + 1 && (i ? a[0] : b[0]) == 5 && (a[0], b[1]) == 20);
  {
    struct deep private = i ? deep[0] : deep[THREADS - 1], *at = &private;

    deep[0] = private;
    deep[0].in = at->in;
    memcpy ((int *) &deep[0].a, private.a, sizeof private.a);
    assert (deep[0].a[2] == 3 && at->in.d == 2.5 && &a[5] - &a[2] == 3);
  }
  a[a[7] - 8] = a[a[0] - 5] + 1;
  assert (a[0] == 6);
  a[0] ^= a[1], a[0] |= 0x10, a[0] &= ~1, a[0] %= 7, a[0] *= -8, a[0] >>= 1, a[0] /= 2;
  assert (a[0] == -4);
  pairs[0] = c;
  pairs[0] += c;
  pairs[1] = 32767;
  assert (pairs[0] == 500 && ++pairs[1] == -32768);
  {
    int list[] = { a[3], b[3], sizeof (a[0]), [4] = -a[3] };
    float half = a[3] / 2;

    assert (list[0] == 77 && list[2] == 4 && list[4] == -77 && sizeof list == 20);
    assert (half * deep[0].in.d + (a[3] < 78) - ~a[3] == 38 * 2.5 + 1 + 78);
  }
  a[0] = 'a';
  switch (a[0])
    {
    case 'a':
      k = ({ a[1] = 3; a[1]; });
      break;
    default:
      abort ();
    }
  assert (k == 3 && (k ?: a[2]) == 3);
  assert (sizeof a / sizeof *a == 8 * THREADS && sizeof p == sizeof (shared void *));
}

int
main (void)
{
  declarations ();
  initial_values ();
  private_arrays ();
  if (MYTHREAD == 0)
    {
      expressions ();
      printf ("%d %s %.1f\n", a[3], (char *) greeting, deep[0].in.d);
    }
  return 0;
}
