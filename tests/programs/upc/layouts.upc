/* Types and layouts: chains of typedefs, arrays of arrays in blocks, casts between
   block sizes, generic pointers, members, complex and long double elements, unions,
   bit-fields, const, volatile and restrict; what the sizeof family says. */
#include <upc.h>
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>

static int wrong;
#define TEST(e) ((e) ? (void) 0 : (void) (wrong++, printf ("%d: line %d: %s\n", MYTHREAD, __LINE__, #e)))

typedef int integer;
typedef shared integer shared_integer;
typedef shared_integer *pointer_to_integer;
typedef shared [3] double tripled;
typedef tripled triples[THREADS][3];
typedef struct { float complex z; long double l; char c[3]; } mixed_t;
typedef shared [2] mixed_t mixed_pairs[2 * THREADS];
typedef union { unsigned u; struct { unsigned low : 7, mid : 14, high : 11; } bits; unsigned char bytes[4]; } word_t;
typedef enum { LOW, HIGH = 7 } level_t;
typedef int matrix_t[4][5];

triples t;
mixed_pairs mixed;
shared word_t words[THREADS];
shared [4] long double longs[8 * THREADS];
shared [] double complex spectrum[16];
shared const integer constant = 42;
shared volatile level_t levels[THREADS];
shared [20] matrix_t matrices[THREADS];
shared matrix_t scattered[THREADS];
shared pointer_to_integer pointers[THREADS];
shared shared_integer numbers[7 * THREADS];
shared [5] char text[10 * THREADS];
shared int empty_alone;
struct outer
{
  struct { short n; } first, second;
  union { struct { int q; } rows[3], single; };
  struct { struct { char z; } y; } *private;
};
static struct { long k; } local_k;
static shared [] struct inner { int a; struct { short b[3]; } in; } *own;

extern shared [7] int later[];
shared [7] int later[14 * THREADS];

static pointer_to_integer
advance (pointer_to_integer p, ptrdiff_t n)
{
  return p += n;
}

static shared void *
erase (shared void *p)
{
  return p;
}

static void
sizes (void)
{
  TEST (sizeof (shared int *) == sizeof (shared [10] char *));
  TEST (upc_blocksizeof (t) == 3 && upc_blocksizeof (tripled) == 3 && upc_blocksizeof (numbers) == 1);
  TEST (upc_blocksizeof (spectrum) == 0 && upc_blocksizeof (shared [] int) == 0);
  TEST (upc_elemsizeof (t) == sizeof (double) && upc_elemsizeof (matrices) == sizeof (int));
  TEST (upc_elemsizeof (mixed) == sizeof (mixed_t) && upc_localsizeof (t) == 3 * sizeof (double));
  TEST (upc_localsizeof numbers == 7 * sizeof (int) && upc_localsizeof (longs[0]) == sizeof (long double));
  TEST (sizeof (t) == THREADS * 3 * sizeof (double) && sizeof t[0] == 3 * sizeof (double));
  TEST (sizeof numbers / sizeof numbers[0] == 7u * THREADS);
  TEST (sizeof (matrices[0]) == sizeof (matrix_t) && sizeof (mixed_pairs) == 2 * THREADS * sizeof (mixed_t));
}

static void
arrays (void)
{
  int i, j, k;
  shared [20] int *p;
  shared [20] int (*row)[5];
  shared [20] matrix_t *m = matrices;

  upc_forall (i = 0; i < THREADS; i++; &matrices[i])
    for (j = 0; j < 4; j++)
      for (k = 0; k < 5; k++)
        matrices[i][j][k] = 100 * i + 10 * j + k;
  if (MYTHREAD == THREADS - 1)
    for (i = 0; i < THREADS; i++)
      for (j = 0; j < 4; j++)
        for (k = 0; k < 5; k++)
          scattered[i][j][k] = 100 * i + 10 * j + k;
  upc_barrier;
  for (i = 0; i < THREADS; i++)
    {
      row = matrices[i];
      for (j = 0; j < 4; j++, row++)
        for (k = 0; k < 5; k++)
          {
            TEST ((*row)[k] == 100 * i + 10 * j + k && scattered[i][j][k] == 100 * i + 10 * j + k);
            TEST (upc_threadof (&scattered[i][j][k]) == (20 * i + 5 * j + k) % THREADS);
            TEST (m[i][j][k] == *(matrices[i][j] + k) && (*(m + i))[j][k] == k[j[i[m]]]);
          }
    }
  for (p = &matrices[0][0][0], i = 0; i < 20 * THREADS; i++)
    TEST (*p++ == i / 20 * 100 + i % 20 / 5 * 10 + i % 5);
  TEST (p - &matrices[0][0][0] == 20 * THREADS);
  TEST ((&matrices[THREADS - 1] - matrices) == THREADS - 1);
  TEST (&matrices[0][3] - &matrices[0][1] == 2);
  upc_barrier;
}

static void
casts (void)
{
  shared [3] int *three;
  shared [2] int *two;
  shared [] int *none;
  shared int *one;
  shared void *generic;
  shared const char *bytes;
  int i, *local;

  for (i = MYTHREAD; i < 7 * THREADS; i += THREADS)
    numbers[i] = i;
  upc_forall (i = 0; i < 14 * THREADS; i++; &later[i])
    later[i] = 1000 + i;
  upc_barrier;
  three = (shared [3] int *) numbers;
  TEST (three[1] == THREADS && three[3] == (THREADS > 1 ? 1 : 3));
  two = (shared [2] int *) (numbers + 0);
  TEST (two[2] == (THREADS > 1 ? 1 : 2));
  none = (shared [] int *) &numbers[MYTHREAD];
  local = (int *) &numbers[MYTHREAD];
  for (i = 0; i < 7; i++)
    TEST (none[i] == MYTHREAD + i * THREADS && local[i] == none[i]);
  TEST (upc_phaseof (&later[5]) == 5 && upc_phaseof (upc_resetphase (&later[5])) == 0);
  generic = &later[5];
  TEST (upc_phaseof (generic) == 5);
  TEST (*((shared [7] int *) generic + 2) == 1007);
  one = generic;
  TEST (*one == 1005 && upc_phaseof (one) == 0 && generic == one);
  TEST (one[THREADS] == 1006);
  one = advance (numbers + 7 * THREADS, -(7 * THREADS - 1));
  TEST (*one == 1 % (7 * THREADS) && one - numbers == 1 && one > numbers && numbers <= one);
  TEST (erase (one) == (shared void *) one && erase (NULL) == NULL && !erase (0));
  bytes = (shared const char *) one;
  TEST (upc_threadof ((shared void *) bytes) == upc_threadof (one));
  pointers[MYTHREAD] = one;
  pointers[MYTHREAD] += THREADS;
  TEST (*pointers[MYTHREAD]++ == 1 + THREADS || THREADS == 1);
  upc_barrier;
}

static void
elements (void)
{
  shared word_t *w = &words[MYTHREAD];
  shared [2] mixed_t *m = &mixed[2 * MYTHREAD];
  mixed_t copy;
  const shared integer *restrict read = &constant;
  level_t old;

  w->u = 0;
  w->bits.mid = 0x1555;
  w->bits.low--;
  w->bits.high += 1030;
  TEST (w->bits.mid == 0x1555 && w->bits.low == 127 && (*w).bits.high == 1030);
  TEST (w->u == (127u | 0x1555u << 7 | 1030u << 21) && w->bytes[0] == (w->u & 255));
  m->z = 1 + 2 * I;
  m->z *= I;
  m[0].l = 1.5L, m[0].l *= m->l;
  m->c[2] = 'x';
  ++m->c[2];
  m[1] = *m;
  __real__ m[1].z += 2;
  copy = m[1];
  TEST (copy.z == 0 + I && copy.l == 2.25L && copy.c[2] == 'y' && m->z == -2 + I);
  m[0] = copy;
  TEST (crealf (m->z) == 0 && cimagf (m[0].z) == 1);
  if (MYTHREAD == 0)
    {
      int i;

      for (i = 0; i < 16; i++)
        spectrum[i] = cexp (I * i);
      spectrum[3] += 1;
      spectrum[4] = conj (spectrum[4]);
    }
  longs[4 * MYTHREAD + 1] = 1.0L / 3;
  longs[4 * MYTHREAD + 1] += 1;
  TEST (longs[MYTHREAD * 4 + 1] == 1 + 1.0L / 3);
  levels[MYTHREAD] = LOW;
  old = levels[MYTHREAD]++;
  TEST (old == LOW && levels[MYTHREAD] == 1 && ~levels[MYTHREAD] == -2);
  levels[MYTHREAD] = HIGH;
  TEST (*read == 42 && constant / 2 == 21);
  upc_barrier;
  TEST (cabs (spectrum[3] - 1 - cexp (3 * I)) < 1e-12 && cimag (spectrum[4]) > 0);
  TEST ((levels[(MYTHREAD + 1) % THREADS] == HIGH ? t[0][0] : 1) == 0);
  TEST ((levels[0], constant) == 42 && !(constant == 41) && (constant && !empty_alone));
  upc_barrier;
}

/* Copies of structs that have no tags. */
static void
untagged (shared [] struct outer *o)
{
  struct outer x = { { 1 }, { 2 }, { .rows = { { 3 }, { 4 }, { 5 } } } };
  shared [] __typeof__ (local_k) *k = (shared void *) o;

  *o = x;
  o->first = o->second;
  x.second = o->first;
  o->rows[1] = x.rows[2];
  x.single = o->rows[1];
  TEST (o->first.n == 2 && x.second.n == 2 && o->rows[1].q == 5 && x.rows[0].q == 5);
  local_k.k = 1L << 40;
  *k = local_k;
  local_k = k[0];
  TEST (k->k == 1L << 40 && local_k.k == k->k);
}

static void
members (void)
{
  shared [] short *b;
  shared [] struct inner *in;

  own = upc_alloc (3 * sizeof *own);
  own[1].in.b[2] = 9;
  own[1].a = own[1].in.b[2]++ << 2;
  b = own[1].in.b;
  in = &own[1];
  TEST (b[2] == 10 && in->a == 36 && &b[2] == &in->in.b[2] && upc_threadof (b) == MYTHREAD);
  TEST ((char *) &in->in - (char *) in == offsetof (struct inner, in));
  TEST (sizeof own[0].in.b == 6 && *own[1].in.b == in->in.b[0]);
  upc_free (own);
  own = upc_alloc (sizeof (struct outer));
  untagged ((shared void *) own);
  upc_free (own);
  upc_forall (int i = 0; i < 10 * THREADS; i++; &text[i])
    text[i] = 'a' + i % 26;
  upc_barrier;
  for (int i = 0; i < 10 * THREADS; i += 5)
    {
      char part[5];

      upc_memget (part, &text[i], 5);
      TEST (part[0] == 'a' + i % 26 && text[i + 4] == part[4]);
    }
}

int
main ()
{
  sizes ();
  arrays ();
  casts ();
  elements ();
  members ();
  upc_barrier;
  if (MYTHREAD == 0 && !wrong)
    puts ("layouts: as declared");
  return wrong;
}
