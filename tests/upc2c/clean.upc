#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
#include <string.h>

struct rec { int x; double y[4]; };
typedef shared struct node { shared struct node *next; int v; } node_t;
shared int a[10 * THREADS];
shared [5] double b[10 * THREADS];
static shared struct rec r[THREADS];
shared node_t *head;
extern shared int ext[THREADS];
shared int ext[THREADS];
strict shared int flag;
static upc_lock_t *lock;
int total (shared const int *p, int n);

int
total (shared const int *p, int n)
{
  int s = 0;
  int i;

  upc_forall (i = 0; i < n; i++; p + i)
    s += p[i];
  return s;
}

static inline double
scale (shared [5] double *p, double f)
{
  *p *= f;
  return *p++;
}

/* What is done to allocated memory comes from the cast, not from a test of it. */
static shared int *
cleared (void)
{
  struct found { int n; double room[20]; shared int *p[2]; };
  struct found *found = (struct found *) upc_alloc (sizeof (struct found));

  memset (found, 0, sizeof *found);
  found->n = 1;
  return found->p[0];
}

int
main (int argc, char **argv)
{
  int i;
  shared int *q = a;
  struct rec mine = { .x = 1, .y = { 0 } };
  shared void *v;
  size_t n;
  unsigned char c = 3;

  (void) argc;
  (void) argv;
  lock = upc_all_lock_alloc ();
  upc_forall (i = 0; i < 10 * THREADS; i++; &a[i])
    {
      a[i] = i;
      b[i] = 0.5 * i;
    }
  upc_forall (i = 0; i < THREADS; i++; i)
    r[i] = mine;
  upc_barrier 1;
  upc_lock (lock);
  flag = flag + 1;
  flag += c;
  flag++;
  upc_unlock (lock);
  upc_notify;
  n = upc_threadof (q) + sizeof (a) + upc_blocksizeof (b);
  upc_wait;
  v = &b[3];
  if (v == NULL || n == 0 || cleared () != NULL)
    return 1;
  r[MYTHREAD].y[2] += scale (&b[MYTHREAD], 2);
  q += THREADS;
  q[0]--;
  ext[MYTHREAD] = *q > 3 ? q[-1] : (int) b[2];
  for (q = a; q < a + 10; q++)
    *q = (int) (q - a);
  upc_fence;
  upc_barrier;
  switch (a[1])
    {
    case 0:
      break;
    default:
      i = total (a, 10);
    }
  upc_barrier;
  if (MYTHREAD == 0)
    {
      printf ("%d %s\n", flag, __func__);
      upc_lock_free (lock);
    }
  return 0;
}
