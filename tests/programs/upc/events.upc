/* Structs that mix pointers of both kinds, in private and shared memory, as arguments and as
   results; functions called through shared memory. */
#include <upc_relaxed.h>
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#define CHECK(...) assert ((__VA_ARGS__))

typedef void (*handler_t) (shared void *, int);

struct event
{
  handler_t f;
  shared void *arg;
  int n;
};
shared struct event queue[4 * THREADS];
shared int seen[THREADS];

static void
on_event (shared void *arg, int n)
{
  *((shared int *)arg) += n;
}

struct tree
{
  shared struct tree *kid[2];
  struct tree *local;
  int v;

  enum
  {
    RED,
    BLACK
  } c;
};

static shared struct tree *
mk (int v, int depth)
{
  shared struct tree *t = upc_alloc (sizeof *t);
  t->v = v;
  t->c = v & 1 ? RED : BLACK;
  t->local = (struct tree *)t;
  t->kid[0] = depth ? mk (2 * v, depth - 1) : NULL;
  t->kid[1] = depth ? mk (2 * v + 1, depth - 1) : NULL;
  return t;
}

static int
sum (shared const struct tree *t)
{
  return t ? t->v + sum (t->kid[0]) + sum (t->kid[1]) : 0;
}

static void
del (shared struct tree *t)
{
  if (!t)
    return;
  for (int i = 0; i < 2; i++)
    del (t->kid[i]);
  upc_free (t);
}

typedef union
{
  shared int *s;
  int *p;
  long bits[2];
} any_t;

struct mat
{
  int rows, cols;
  shared [] double *data;
  shared [] double *shared *dir;
};

#define ELT(m, i, j) ((m)->data[(i) * (m)->cols + (j)])

static void
fill (struct mat *m)
{
  for (int i = 0; i < m->rows; i++)
    for (int j = 0; j < m->cols; j++)
      ELT (m, i, j) = i - j;
}

static inline shared [] double *
row (const struct mat *m, int i)
{
  return &m->data[i * m->cols];
}

struct big
{
  char c[1000];
  int tail;
};
shared struct big bigs[THREADS];
shared [2] struct big bb[2 * THREADS];

static struct big
ret (shared struct big *b)
{
  return *b;
}

static int
take (struct big b, shared struct big *p)
{
  return b.tail - p->tail;
}

int
cmp (const void *a, const void *b)
{
  shared int *const *x = a, *const *y = b;
  return **x - **y;
}

shared int keys[16 * THREADS];

int
main (int argc, char **argv)
{
  int i;
  shared struct tree *t;
  any_t u;
  struct mat m = { 3, 4 };
  struct big local;
  for (i = 0; i < 4; i++)
    {
      queue[i * THREADS + MYTHREAD].f = on_event;
      queue[i * THREADS + MYTHREAD].arg = &seen[MYTHREAD];
      queue[i * THREADS + MYTHREAD].n = i;
    }
  struct event e;
  for (i = 0; i < 4; i++)
    {
      e = queue[i * THREADS + MYTHREAD];
      e.f (e.arg, e.n);
      queue[i * THREADS + MYTHREAD].f (queue[i * THREADS + MYTHREAD].arg, 10);
      (*queue[MYTHREAD].f) (e.arg, 0);
    }
  CHECK (seen[MYTHREAD] == 46);
  t = mk (1, 4);
  CHECK (sum (t) == 31 * 32 / 2, t->kid[1]->kid[0]->v == 6 && t->kid[1]->local->v == 3);
  CHECK (t->kid[0]->c == BLACK && t->kid[1]->c == RED);
  t->kid[0]->kid[1]->v *= 2;
  CHECK (sum (t) == 496 + 5);
  del (t);
  u.s = &keys[MYTHREAD];
  u.s[0] = 7;
  u.p = (int *)&keys[MYTHREAD];
  CHECK (*u.p == 7);
  m.data = upc_alloc (12 * sizeof (double));
  fill (&m);
  CHECK (ELT (&m, 2, 1) == 1 && row (&m, 1)[3] == -2 && *row (&m, 2) == 2);
  upc_free (m.data);
  memset (&local, 1, sizeof local);
  local.tail = MYTHREAD;
  bigs[MYTHREAD] = local;
  upc_barrier;
  local = bigs[(MYTHREAD + 1) % THREADS];
  CHECK (local.tail == (MYTHREAD + 1) % THREADS && local.c[999] == 1);
  CHECK (ret (&bigs[MYTHREAD]).tail == MYTHREAD && take (bigs[MYTHREAD], &bigs[MYTHREAD]) == 0
         && take (ret (bigs + MYTHREAD), bigs + (MYTHREAD + 1) % THREADS)
                == MYTHREAD - (MYTHREAD + 1) % THREADS);
  bb[2 * MYTHREAD + 1] = bb[2 * MYTHREAD] = bigs[MYTHREAD];
  CHECK (bb[2 * MYTHREAD + 1].tail == MYTHREAD);
  bigs[MYTHREAD].c[3]++;
  bigs[MYTHREAD].c[bigs[MYTHREAD].c[3]] = 9;
  CHECK (bigs[MYTHREAD].c[2] == 9);
  upc_barrier;
  upc_forall (i = 0; i < 16 * THREADS; i++; &keys[i]) keys[i] = (i * 7 + 3) % (16 * THREADS);
  upc_barrier;
  if (MYTHREAD == 0)
    {
      shared int *p[16 * THREADS];
      for (i = 0; i < 16 * THREADS; i++)
        p[i] = keys + i;
      qsort (p, 16 * THREADS, sizeof *p, cmp);
      for (i = 1; i < 16 * THREADS; i++)
        CHECK (*p[i - 1] <= *p[i]);
    }
  shared int *(*choose[2]) (void) = { 0 };
  CHECK (!choose[0]);

  struct
  {
    shared int *a[3];
    int n;
  } loc = { { keys, keys + 1, [2] = &keys[2 % (16 * THREADS)] }, 3 }, loc2 = loc, *lp = &loc2;

  CHECK (lp->a[1] - loc.a[0] == 1 && ++lp->a[0] == loc.a[1]);
  shared int *arr[2][2] = { { keys }, { keys + 1, keys + 2 } };
  CHECK (arr[0][1] == NULL && arr[1][1] == &keys[2] && **arr[1] == keys[1]);
  static shared int *sp = keys + 3;

  static struct
  {
    int x;
    shared int *q;
  } st = { 1, &keys[4] };

  CHECK (sp == keys + 3 && st.q == sp + 1);
  shared int *restrict rp = keys;
  const shared int *cp = rp;
  shared int *volatile vp = rp;
  shared volatile int *pv = rp;
  CHECK (*cp == *vp && *pv == *cp);
  vp++;
  CHECK (vp == &keys[1]);
  register shared int *gp = vp;
  gp += 2;
  CHECK (gp == keys + 3);
  size_t n = sizeof (shared int[4]) + sizeof *bigs;
  CHECK (n == 16 + sizeof (struct big));
  for (shared int *a = keys, *b = keys + 4; a < b; a++, --b)
    ;
  if (argc > 5)
    return main (0, NULL);
  upc_barrier;
  if (MYTHREAD == 0)
    puts ("events: good");
  return 0;
}
