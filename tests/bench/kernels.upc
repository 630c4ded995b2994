/* Loops over shared arrays, beside the same loops over private arrays. Thread 0 measures alone. How it is
   compiled (bench.py, KERNELS):

   -DBLOCK=N    elements in a block
   -DPOINTERS   pointers lead to arrays from upc_all_alloc; else they are static
   -DIN_ONE     all loops are in one large function with asm, labels and calls; else in one each
   -DKIND=TEXT  how that is called in the names of the measures */

#include <upc_relaxed.h>

#include "tests/bench/bench.h"

#include <stdlib.h>

/* Elements of each thread; 48 are in whole blocks of most sizes. */
enum { COLUMNS = 48, ROWS = 48, LINES = 12, PLANES = 8, ELEMENTS = 4032 };

static volatile int elements = ELEMENTS, rows = ROWS, planes = PLANES, three = 3;

/* Private in both cases. */
static int column[ELEMENTS], first[ELEMENTS / 8 + 1];
static double value[ELEMENTS];

#define PRODUCT(x1, x2, x3)                                                  \
  KERNEL (product_##x1##x2##x3, "<= 1.15 ref",                               \
          for (x1 = 0; x1 < m; x1++) for (x2 = 0; x2 < m; x2++)              \
            for (x3 = 0; x3 < m; x3++) s[i][j] += t[i][k] * u[k][j])

#define AROUND(g) (g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1])
#define AROUND_3D(g)                                                         \
  (g[i - 1][j][k] + g[i + 1][j][k] + g[i][j - 1][k] + g[i][j + 1][k] + g[i][j][k - 1] + g[i][j][k + 1])

/* KERNEL (NAME, TARGET, LOOP) each. */
#define KERNELS                                                              \
  KERNEL (read, "<= 1.15 ref", for (i = 0; i < n; i++) sum += a[i])          \
  KERNEL (write, "<= 1.15 ref", for (i = 0; i < n; i++) a[i] = i)            \
  KERNEL (update, "<= 1.15 ref", for (i = 0; i < n; i++) a[i] += 3 * b[i])   \
  KERNEL (copy, "<= 1.15 ref", for (i = 0; i < n; i++) a[i] = b[i])          \
  KERNEL (triad, "<= 1.15 ref", for (i = 0; i < n; i++) a[i] = b[i] + scale * c[i]) \
  KERNEL (dot, "<= 1.15 ref", for (i = 0; i < n; i++) sum += a[i] * b[i])    \
  KERNEL (stencil, "<= 1.15 ref", for (i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i + 1]) \
  KERNEL (reverse, "<= 1.15 ref", for (i = 0; i < n; i++) a[i] = b[n - 1 - i]) \
  KERNEL (counters, "<= 1.15 ref", for (i = n - 1, j = 0; i >= 0; i--, j++) a[j] = b[i]) \
  KERNEL (evens, "<= 1.15 ref", k = 0; for (i = 0; i < n; i += 2) a[k++] = b[i]) \
  KERNEL (halves, "<= 1.15 ref", k = 0; for (i = 0; i < n / 2; i++) { b[i] = a[k++]; c[i] = a[k++]; }) \
  KERNEL (pack, "<= 1.15 ref", k = 0; for (i = 0; i < m; i++) for (j = 0; j < COLUMNS; j++) a[k++] = t[i][j]) \
  KERNEL (unpack, "<= 1.15 ref", k = 0; for (i = 0; i < m; i++) for (j = 0; j < COLUMNS; j++) t[i][j] = a[k++]) \
  KERNEL (recurrence, "<= 1.15 ref", for (i = 1; i < n; i++) a[i] = a[i - 1] * 0.5 + b[i]) \
  KERNEL (stride, "<= 1.15 ref", for (i = 0; i < n; i += 3) a[i] += 1)       \
  KERNEL (step, "<= 1.15 ref", for (i = 0; i < n; i += by) a[i] += 1)        \
  KERNEL (search, "<= 1.15 ref", for (i = 0; x[i] != last; i++); sum = i)    \
  KERNEL (forall_number, "<= 1.5 ref", EACH (i, 0, n, i) a[i] += 1)          \
  KERNEL (forall_sum, "<= 1.15 ref", EACH (i, 0, n, &a[i]) sum += a[i])      \
  KERNEL (forall_copy, "<= 1.15 ref", EACH (i, 0, n, &a[i]) a[i] = b[i])     \
  KERNEL (forall_triad, "<= 1.11 ref", EACH (i, 0, n, &a[i]) a[i] = b[i] + scale * c[i]) \
  KERNEL (forall_stencil, "<= 1.15 ref", EACH (i, 1, n - 1, &a[i]) a[i] = b[i - 1] + b[i + 1]) \
  KERNEL (forall_grid, "<= 1.15 ref", EACH (i, 1, m - 1, i) for (j = 1; j < COLUMNS - 1; j++) \
            s[i][j] = AROUND (t) / 4)                                        \
  KERNEL (grid, "<= 1.15 ref", for (i = 1; i < m - 1; i++) for (j = 1; j < COLUMNS - 1; j++) \
            s[i][j] = AROUND (t) / 4)                                        \
  KERNEL (cube, "<= 1.15 ref", for (i = 1; i < planes_ - 1; i++) for (j = 1; j < LINES - 1; j++) \
            for (k = 1; k < COLUMNS - 1; k++) v[i][j][k] = AROUND_3D (w) / 6) \
  KERNEL (cube_sum, "<= 1.15 ref", for (i = 0; i < planes_; i++) for (j = 0; j < LINES; j++) \
            for (k = 0; k < COLUMNS; k++) sum += v[i][j][k])                 \
  KERNEL (transpose, "<= 1.15 ref", for (i = 0; i < m; i++) for (j = 0; j < m; j++) s[i][j] = t[j][i]) \
  KERNEL (columns, "<= 1.15 ref", for (j = 0; j < COLUMNS; j++) for (i = 0; i < m; i++) sum += t[i][j]) \
  KERNEL (columns_update, "<= 1.15 ref", for (j = 0; j < COLUMNS; j++) for (i = 0; i < m; i++) t[i][j] += 1) \
  KERNEL (rows_sum, "<= 1.15 ref", for (i = 0; i < m; i++) for (j = 0; j < COLUMNS; j++) sum += t[i][j]) \
  KERNEL (vector_product, "<= 1.15 ref", for (i = 0; i < m; i++) for (j = 0; j < COLUMNS; j++) a[i] += t[i][j] * b[j]) \
  PRODUCT (i, j, k) PRODUCT (i, k, j) PRODUCT (j, i, k) PRODUCT (j, k, i) PRODUCT (k, i, j) PRODUCT (k, j, i) \
  KERNEL (walk, "<= 1.15 ref", DATA double *p = a; DATA double *e = p + n; for (; p < e; p++) sum += *p) \
  KERNEL (walk_sum, "<= 1.15 ref", DATA double *p = a; for (i = 0; i < n; i++) sum += *p++) \
  KERNEL (walk_copy, "<= 1.15 ref", DATA double *p = a; DATA double *q = b; k = n; while (k--) *q++ = *p++) \
  KERNEL (walk_update, "<= 1.15 ref", DATA double *p = a; for (i = 0; i < n; i++, p++) *p += 3) \
  KERNEL (gather, "<= 1.5 ref", for (i = 0; i < n; i++) sum += a[column[i]]) \
  KERNEL (gather_shared, "<= 1.5 ref", for (i = 0; i < n; i++) sum += a[x[i]]) \
  KERNEL (scatter, "<= 1.5 ref", for (i = 0; i < n; i++) a[column[i]] = value[i]) \
  KERNEL (histogram, "<= 1.5 ref", for (i = 0; i < n; i++) h[column[i]]++)   \
  KERNEL (histogram_shared, "<= 1.5 ref", for (i = 0; i < n; i++) h[x[i]]++) \
  KERNEL (sparse, "<= 1.5 ref", for (i = 0; i < n / 8; i++) for (k = first[i]; k < first[i + 1]; k++) \
            sum += value[k] * a[column[k]])                                  \
  KERNEL (sparse_rows, "<= 1.5 ref", for (i = 0; i < n / 8; i++)             \
            {                                                                \
              double row = 0;                                                \
              for (k = first[i]; k < first[i + 1]; k++)                      \
                row += value[k] * a[column[k]];                              \
              b[i] = row;                                                    \
            })

enum kernel
{
#define KERNEL(name, target, ...) kernel_##name,
  KERNELS
#undef KERNEL
  kernel_count
};

#define NAME(name) name##_shared
#define DATA shared [BLOCK]
#define EACH(i, from, to, at) upc_forall (i = from; i < (to) * THREADS; i++; at)
#define OWNERS THREADS
#define NEW(count, element) upc_all_alloc (((count) + BLOCK - 1) / BLOCK * THREADS, BLOCK * sizeof (element))
#include "tests/bench/kernels.h"

#undef NAME
#undef DATA
#undef EACH
#undef OWNERS
#undef NEW
#define NAME(name) name##_private
#define DATA
#define EACH(i, from, to, at) for (i = from; i < to; i++)
#define OWNERS 1
#define NEW(count, element) malloc ((count) * sizeof (element))
#include "tests/bench/kernels.h"

#define KERNEL(name, target, ...)                                            \
  BENCH ("loop/" #name "/" KIND, loop_##name##_shared, "private", loop_##name##_private, target),
static const struct bench kernels[] = { KERNELS };

int
main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  allocate_shared ();
  allocate_private ();
  upc_barrier;
  if (MYTHREAD == 0)
    {
      for (int i = 0; i < ELEMENTS; i++)
        {
          column[i] = (int) (7919l * i % ELEMENTS);
          value[i] = i % 7;
        }
      for (int i = 0; i <= ELEMENTS / 8; i++)
        first[i] = 8 * i;
      fill_shared ();
      fill_private ();
      for (int i = 0; i < kernel_count; i++)
        bench_compare (&kernels[i]);
    }
  upc_barrier;
  return 0;
}
