/* Every construct of the language, right in dynamic and static THREADS. It is
   translated, not run: test_sources.py wants no message. */

typedef unsigned long size_t;
struct lock;
typedef shared struct lock upc_lock_t;
extern shared void *upc_all_alloc (size_t, size_t);
extern void upc_free (shared void *);
extern void upc_lock (upc_lock_t *);
extern size_t upc_threadof (shared void *);
extern void upc_memcpy (shared void *restrict, shared const void *restrict, size_t);
extern int printf (const char *, ...);

/* 6.5.1: qualifiers and layouts, in any order and through typedefs. */
shared int x;
strict shared int flag;
relaxed shared [5] double blocked[5 * THREADS];
int shared behind[THREADS], *shared [2] pointers[2 * THREADS];
const shared int constant = 3;
shared const volatile long clock;
shared int matrix[THREADS][10];
shared [*] int star[7 * THREADS];
shared [*] char star_rows[THREADS][9];
typedef int row_t[10];
shared [3] row_t rows_of_typedef[3 * THREADS];
typedef shared [3] struct { int a, b; } pair_t;
pair_t pairs[6 * THREADS];

/* 6.5.1.1: pointees of members; members of all kinds in a shared record. */
shared [] struct node
{
  int bits : 5;
  long double wide;
  struct node *private;
  shared struct node *next;
  shared [] struct node *inner;
  union { int i; float f; };
  int grid[4][5];
  double _Complex z;
} nodes[10];

shared int *shared cursor;
upc_lock_t *shared lock;
upc_lock_t *locks[5];
shared [10] int (*rows)[10];
shared int (*cyclic_row)[THREADS];
shared [2] int *table[3][4];
shared [4] int *(*function_pointer) (shared [4] int *, int);
shared int **private_to_pointer;
shared int ***deeper;

/* Initialisers. */
shared int initialised = 5;
shared int zeros[THREADS] = { 0 };
shared [] int list[4] = { 1, [2] = 3 };
shared struct { int a; double b[3]; } record = { 1, { 2, 3 } };
shared [] char string[] = "hello";
static shared [] int ranged[5] = { [1 ... 3] = 7 };
shared int *to_scalar = &x;
shared int *to_element = &matrix[0][3];
struct { shared int *p; int n; } holder = { &x, 4 }, holders[2] = { { &x }, { .n = 2, .p = 0 } };

/* 6.4.1: the operators on sizes are constants. */
enum { BLOCK = upc_blocksizeof (blocked), ELEMENT = upc_elemsizeof (pairs), LOCAL = upc_localsizeof (star) };
int as_wanted[BLOCK == 5 && ELEMENT == 8 && LOCAL == 7 * 4 && sizeof x == 4
              && upc_blocksizeof star == 7 && upc_blocksizeof (star_rows) == 9
              && upc_localsizeof (blocked) == 40 && upc_localsizeof (matrix) == 40
              && upc_blocksizeof (nodes[0].grid) == 0 && sizeof nodes == 10 * upc_elemsizeof (nodes)
              && upc_blocksizeof (shared [7] int) == 7 && upc_blocksizeof (shared int) == 1
              && upc_elemsizeof (shared [] row_t) == 4 && upc_blocksizeof (rows_of_typedef) == 3
              ? 1 : -1];

shared int *
parameters (shared int *p, shared [2] int *q, shared int a[], shared [5] int b[][10])
{
  return a ? p : (shared int *) q;
}

old (p, n)
  shared int *p;
  int n;
{
  return p[n];
}

/* 6.4: reads, stores and addresses. */
void
accesses (int i, shared int *p)
{
  shared int *q;
  struct node copy;
  int private;

  i = x + flag * blocked[3] - matrix[i][2] + constant + behind[i] + *pointers[i];
  x = i, x += 3, x++, --x, x <<= 2, blocked[i] *= 2.5, *&x = 4;
  x = flag = 3;
  q = &x, q = &matrix[0][0], q = matrix[1], q = *matrix, q = cursor, cursor = q;
  cursor++, *cursor = 3, *cursor++ = *q++, (*cursor)++, pointers[3] = pointers[2];
  nodes[1].bits = nodes[0].bits + 1, nodes[1].bits++, nodes[1].wide = 3.0L, nodes[1].i = 3;
  nodes[i].next->bits = 3, nodes[0].next = nodes[1].next, nodes[0].inner->inner->bits = 1;
  nodes[1].z = 3.0 + 2.0 * nodes[2].z, nodes[1].z += 1, __real__ nodes[0].z = 2;
  copy = nodes[3], nodes[3] = copy, nodes[4] = nodes[3], pairs[2].a = pairs[3].b;
  (x, matrix[1][1]), i = (i, x), i = ({ int t = x; t; }), (void) x, (i ? x : matrix[0][0]);
  i = -x + ~x + !x, i = x ?: 2, i = (int) x, i = THREADS + MYTHREAD, private = x && p;
  holder.p = p, *holder.p = 3, holder.p[2]++, holders[i].n = x;
  q = *private_to_pointer, **private_to_pointer = 3, (**deeper)[i] = *p, private_to_pointer = &q;
}

/* 6.4.2, 6.4.3: arithmetic, comparisons, conversions. */
void
pointers_to_shared (int i, shared int *p, shared int *q)
{
  shared void *generic = p;
  shared const int *read_only = p;
  shared [] int *indefinite = &nodes[2].grid[1][2];
  pair_t *pair = &pairs[4];
  int *local = (int *) p;
  long number = (long) p;

  indefinite = nodes[2].grid[0], nodes[0].inner = nodes, pair += 3, pair = pair - 2;
  i = pair - pairs, i = &pairs[5] - pair, pair->a = (*pair).b, i = p - q;
  q = 0, q = (void *) 0, q = generic, generic = q, p = (shared int *) indefinite;
  q = (shared int *) 0, local = (int *) &nodes[1], q = upc_all_alloc (THREADS, 4);
  if ((p && !q) || generic)
    while (p == q || p != 0 || 0 == p || p == generic || generic == p)
      break;
  for (; p < q && q >= p; p++)
    ;
  q = p ? p : 0, q = p ?: q, generic = i ? generic : p, generic = i ? p : (void *) 0;
  rows++, i = (*rows)[3], i = rows[2][3], rows = (shared [10] int (*)[10]) generic;
  i = sizeof *rows + sizeof matrix + sizeof (shared int *) + upc_elemsizeof (*p);
  table[1][2] = (shared [2] int *) p, i = *table[1][2], function_pointer (0, 3)[2] = 3;
  upc_lock (lock), upc_free (p), upc_free (lock), upc_memcpy (&x, &constant, sizeof (int));
  printf ("%d %p %d %zu\n", x, p, MYTHREAD, upc_threadof (&blocked[3]));
  (void) read_only, (void) local, (void) number;
}

/* 6.6: statements. */
void
statements (int n, shared int *p)
{
  int i, lengths[n][THREADS];
  static shared int own;
  extern shared int x;

  upc_barrier;
  upc_barrier 1;
  upc_notify (x + 1);
  upc_wait x;
  if (n)
    upc_barrier;
  else
    upc_fence;
  upc_forall (i = 0; i < n; i++; &blocked[i])
    {
      if (i)
        continue;
      else
        break;
    }
  upc_forall (int j = 0, k = x; j < THREADS; j++, k--; j)
    upc_forall (;;; continue)
      break;
  upc_forall (;;;)
    break;
  upc_forall (; x < 3; x++; p)
    own += lengths[0][0];
  switch (x)
    {
    case 1 ... 3:
      x = 2;
    default:
      return;
    }
}

int
main (void)
{
  return x;
}
