/* Loops of real programs that no strip makes cheap, for patterns.upc, which includes this twice:

   DATA (BLOCK)     `shared [BLOCK]`, or nothing
   NAME (LOOP)      what the loop is called
   EACH (I, N, AT)  a loop of I from 0 to N, over the elements that this thread has; AT is one */

/* A round is a pass over some thousand elements. */
#define LOOP(name, ...)                                     \
  static __attribute__ ((noinline)) void NAME (loop_##name) (long rounds) \
  {                                                         \
    int i, j, k, n = elements, m = order;                   \
    double sum = 0;                                         \
    (void) i, (void) j, (void) k, (void) n, (void) m;       \
    while (rounds--)                                        \
      {                                                     \
        __VA_ARGS__;                                        \
        bench_use (sum);                                    \
      }                                                     \
  }

struct NAME (node)
{
  DATA (0) struct NAME (node) *next;
  DATA (0) struct NAME (node) *left, *right;
  int value;
};

struct NAME (body)
{
  double x[3], v[3], mass;
};

static DATA (N) double NAME (a)[N * OWNERS][N], NAME (b)[N * OWNERS][N], NAME (c)[N * OWNERS][N];
/* Each thread has some columns. */
static DATA (N) double NAME (wide_a)[N][N * OWNERS], NAME (wide_b)[N][N * OWNERS], NAME (wide_c)[N][N * OWNERS];
static DATA (BLOCK) double NAME (x)[ELEMENTS * OWNERS], NAME (y)[ELEMENTS * OWNERS];
static DATA (BLOCK) int NAME (halves)[ELEMENTS * OWNERS], NAME (merged)[ELEMENTS * OWNERS],
                     NAME (mixed)[ELEMENTS * OWNERS];
static DATA (1) double NAME (cycle)[ELEMENTS * OWNERS];
static DATA (1) unsigned long NAME (table)[ELEMENTS * OWNERS];
static DATA (8) struct NAME (body) NAME (bodies)[ELEMENTS * OWNERS];
static DATA (0) struct NAME (node) *NAME (list), *NAME (tree);
static DATA (0) int *NAME (keys), *NAME (column), *NAME (first);
static DATA (0) char *NAME (text);
static DATA (0) double *NAME (row)[N], *NAME (value);
static DATA (1) struct NAME (body) *NAME (cloud);

/* ---- Matrix products in all orders ---- */

#define PRODUCT(name, first, second, third)                 \
  LOOP (name, for (first = 0; first < m; first++) for (second = 0; second < m; second++) \
          for (third = 0; third < m; third++) NAME (c)[i][j] += NAME (a)[i][k] * NAME (b)[k][j])

PRODUCT (product_ijk, i, j, k)
PRODUCT (product_ikj, i, k, j)
PRODUCT (product_jik, j, i, k)
PRODUCT (product_jki, j, k, i)
PRODUCT (product_kij, k, i, j)
PRODUCT (product_kji, k, j, i)

LOOP (wide_product, for (i = 0; i < m; i++) for (j = 0; j < m; j++) for (k = 0; k < m; k++) \
        NAME (wide_c)[i][j] += NAME (wide_a)[i][k] * NAME (wide_b)[k][j])
LOOP (wide_stencil, for (i = 1; i < m - 1; i++) for (j = 1; j < m - 1; j++)     \
        NAME (wide_c)[i][j] = (NAME (wide_c)[i - 1][j] + NAME (wide_c)[i + 1][j] \
                               + NAME (wide_c)[i][j - 1] + NAME (wide_c)[i][j + 1]) / 4)
LOOP (wide_transpose, for (i = 0; i < m; i++) for (j = 0; j < m; j++) NAME (wide_c)[j][i] = NAME (wide_a)[i][j])
LOOP (wide_sum, for (i = 0; i < m; i++) for (j = 0; j < m; j++) sum += NAME (wide_a)[i][j])

LOOP (tiles, for (int l = 0; l < m; l += 8) for (int o = 0; o < m; o += 8) for (int p = 0; p < m; p += 8)      \
        for (i = l; i < l + 8; i++) for (k = o; k < o + 8; k++) for (j = p; j < p + 8; j++)                  \
          NAME (c)[i][j] += NAME (a)[i][k] * NAME (b)[k][j])

/* ---- Indexes and pointers that come from memory ---- */

LOOP (sparse, for (i = 0; i < n / 8; i++)
        for (k = NAME (first)[i]; k < NAME (first)[i + 1]; k++)
          sum += NAME (value)[k] * NAME (x)[NAME (column)[k]])
LOOP (histogram, unsigned long r = 1; for (i = 0; i < n; i++)
        {
          r = r * 6364136223846793005ul + 1442695040888963407ul;
          NAME (table)[r >> 32 & (ELEMENTS - 1)]++;
        })
LOOP (updates, unsigned long r = 1; DATA (1) unsigned long *t = NAME (table); for (i = 0; i < n; i++)
        {
          r = r << 1 ^ ((long) r < 0 ? 7 : 0);
          t[r & (ELEMENTS - 1)] ^= r;
        })
LOOP (list, for (DATA (0) struct NAME (node) *p = NAME (list); p; p = p->next) sum += p->value)
LOOP (tree, for (i = 0; i < n / 8; i++)
        {
          DATA (0) struct NAME (node) *p = NAME (tree);
          int key = i * 7919 & (ELEMENTS - 1);
          while (p && p->value != key)
            p = key < p->value ? p->left : p->right;
          sum += p != 0;
        })
LOOP (rows, for (i = 1; i < m - 1; i++) for (j = 1; j < m - 1; j++)
        NAME (row)[i][j] = (NAME (row)[i - 1][j] + NAME (row)[i + 1][j]
                            + NAME (row)[i][j - 1] + NAME (row)[i][j + 1]) / 4)

/* ---- Records ---- */

LOOP (fields, for (i = 0; i < n; i++)
        {
          NAME (bodies)[i].x[0] += NAME (bodies)[i].v[0];
          NAME (bodies)[i].x[1] += NAME (bodies)[i].v[1];
          NAME (bodies)[i].x[2] += NAME (bodies)[i].v[2];
        })
LOOP (fields_by_pointer, DATA (1) struct NAME (body) *p = NAME (cloud); for (i = 0; i < n; i++, p++)
        {
          for (j = 0; j < 3; j++)
            p->x[j] += p->v[j];
          sum += p->mass;
        })
LOOP (records, for (i = 0; i < n - 1; i++) NAME (cloud)[i] = NAME (bodies)[i])

/* ---- Control ---- */

LOOP (calls, for (i = 0; i < n; i++) NAME (x)[i] = changed (NAME (x)[i]))
LOOP (search, i = 0; while (i < n && NAME (cycle)[i] >= 0) i++; sum = i)
LOOP (search_blocked, i = 0; while (i < n && NAME (x)[i] >= 0) i++; sum = i)
LOOP (length, for (DATA (0) char *p = NAME (text); *p; p++) sum += *p == ' ')
LOOP (bisection, for (i = 0; i < n / 8; i++)
        {
          int low = 0, high = n, key = i * 7919 & (ELEMENTS - 1);
          while (high - low > 1)
            {
              int middle = (low + high) / 2;
              if (NAME (keys)[middle] <= key)
                low = middle;
              else
                high = middle;
            }
          sum += low;
        })
LOOP (insertion, for (i = 0; i < n; i += 16)
        {
          for (k = 0; k < 16; k++)
            NAME (keys)[i + k] = i + (k * 5 & 15);
          for (j = i + 1; j < i + 16; j++)
            {
              int key = NAME (keys)[j];
              for (k = j; k > i && NAME (keys)[k - 1] > key; k--)
                NAME (keys)[k] = NAME (keys)[k - 1];
              NAME (keys)[k] = key;
            }
        })
LOOP (merge, i = 0; j = n / 2; k = 0; while (i < n / 2 && j < n)
        if (NAME (halves)[i] <= NAME (halves)[j])
          NAME (merged)[k++] = NAME (halves)[i++];
        else
          NAME (merged)[k++] = NAME (halves)[j++];
      sum = k)
LOOP (partition, int pivot = 2 * n; i = 0; j = n - 1; while (i <= j)
        {
          while (NAME (merged)[i] < pivot)
            i++;
          while (NAME (merged)[j] > pivot)
            j--;
          if (i <= j)
            {
              int element = NAME (merged)[i];

              NAME (merged)[i++] = NAME (merged)[j];
              NAME (merged)[j--] = element;
            }
        }
      for (i = 0; i < n; i++) NAME (merged)[i] = NAME (mixed)[i])
LOOP (largest, j = 0; for (i = 1; i < n; i++) if (NAME (x)[i] > NAME (x)[j]) j = i; sum = j)
LOOP (conditional, for (i = 0; i < n; i++) if (NAME (y)[i] > 5) NAME (x)[i] += NAME (y)[i])
LOOP (conditional_cyclic, for (i = 0; i < n; i++) if (NAME (cycle)[i] > 5) NAME (cycle)[i] += 1)
LOOP (stride, for (j = 0; j < 7; j++) for (i = j; i < n; i += 7) NAME (cycle)[i] += 1)

/* ---- Arrays that a function is given ---- */

static __attribute__ ((noinline)) void
NAME (add_scaled) (DATA (BLOCK) double *y, DATA (BLOCK) double *x, double s, int n)
{
  for (int i = 0; i < n; i++)
    y[i] += s * x[i];
}

static __attribute__ ((noinline)) double
NAME (dot) (DATA (0) double *x, DATA (0) double *y, int n)
{
  double sum = 0;

  while (n--)
    sum += *x++ * *y++;
  return sum;
}

static __attribute__ ((noinline)) void
NAME (increment) (DATA (1) double *p, int n)
{
  EACH (i, n, p + i) p[i] += 1;
}

LOOP (parameters, NAME (add_scaled) (NAME (y), NAME (x), 1e-3, n))
LOOP (parameters_short, for (i = 0; i < n; i += 8) sum += NAME (dot) (NAME (value) + i, NAME (value), 8))
LOOP (forall_pointer, NAME (increment) (NAME (cycle), n * SHARE))
LOOP (forall_fields, EACH (q, n * SHARE, &NAME (bodies)[q]) NAME (bodies)[q].x[0] += NAME (bodies)[q].mass)
LOOP (walk_cyclic, DATA (1) double *p = NAME (cycle); for (i = 0; i < n; i++) sum += *p++)
LOOP (walk_local, double *p = (double *) &NAME (x)[0]; for (i = 0; i < n; i++) sum += p[i])

#undef PRODUCT
#undef LOOP

/* ---- What is there to go through ---- */

static DATA (0) struct NAME (node) *
NAME (subtree) (int low, int high)
{
  DATA (0) struct NAME (node) *p;
  int middle = (low + high) / 2;

  if (low >= high)
    return NULL;
  p = ALLOCATE (sizeof *p);
  p->value = middle;
  p->left = NAME (subtree) (low, middle);
  p->right = NAME (subtree) (middle + 1, high);
  p->next = NAME (list);
  NAME (list) = p;
  return p;
}

static void
NAME (fill) (void)
{
  unsigned random = 1;

  NAME (tree) = NAME (subtree) (0, ELEMENTS);
  NAME (keys) = ALLOCATE ((ELEMENTS + 16) * sizeof (int));
  NAME (column) = ALLOCATE (ELEMENTS * sizeof (int));
  NAME (first) = ALLOCATE ((ELEMENTS / 8 + 1) * sizeof (int));
  NAME (value) = ALLOCATE ((ELEMENTS + 8) * sizeof (double));
  NAME (text) = ALLOCATE (ELEMENTS);
  NAME (cloud) = ALLOCATE_ALL (ELEMENTS, sizeof (struct NAME (body)));
  for (int i = 0; i < N; i++)
    NAME (row)[i] = ALLOCATE (N * sizeof (double));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
        NAME (row)[i][j] = NAME (a)[i][j] = NAME (b)[i][j] = NAME (c)[i][j] = 1;
        NAME (wide_a)[i][j] = NAME (wide_b)[i][j] = NAME (wide_c)[i][j] = 1;
      }
  for (int i = 0; i < ELEMENTS; i++)
    {
      NAME (x)[i] = NAME (y)[i] = NAME (cycle)[i] = i % 16;
      NAME (value)[i] = i;
      /* Both halves go up by steps of 0 to 3, in any order. */
      random = random * 1103515245 + 12345;
      NAME (halves)[i] = i % (ELEMENTS / 2) == 0 ? 0 : NAME (halves)[i - 1] + (int) (random >> 30);
      NAME (merged)[i] = NAME (mixed)[i] = (int) (random >> 8) % (4 * ELEMENTS);
      NAME (keys)[i] = i;
      NAME (column)[i] = i * 7919 & (ELEMENTS - 1);
      NAME (text)[i] = i < ELEMENTS - 1 ? 'a' : 0;
      NAME (bodies)[i].mass = NAME (cloud)[i].mass = 1;
    }
  for (int i = 0; i <= ELEMENTS / 8; i++)
    NAME (first)[i] = 8 * i;
}
