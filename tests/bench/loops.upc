/* Loops over shared arrays as programs have them, beside the same loops over private
   arrays: what the translator makes of affine indexes and of upc_forall.

   Thread 0 measures alone. It is measured once with arrays that the second-level cache
   holds, and once with arrays in memory; compiled for any number of threads, and with
   -DFIXED for two. */

#include <upc_relaxed.h>

#include "tests/bench/bench.h"

#ifdef FIXED
#define KIND "-fixed"
#else
#define KIND ""
#endif

/* Elements of each thread. Blocks are no power of two, but for those of BLOCK_16. */
enum { CACHED = 4000, STREAMED = 4000000, BLOCK = 1000, COLUMNS = 200 };

static volatile int cached = CACHED, streamed = STREAMED;

/* The arrays of one size, and the loops over them. A round is a pass over what
   thread 0 visits, N elements. */
#define LOOPS(size, own)                                                                  \
  shared [BLOCK] double a_##size[own * THREADS], b_##size[own * THREADS];                 \
  shared [16] double c_##size[own * THREADS];                                             \
  shared double d_##size[own * THREADS];                                                  \
  shared [COLUMNS] double t_##size[own / COLUMNS * THREADS][COLUMNS], u_##size[own / COLUMNS * THREADS][COLUMNS]; \
  shared [16] double w_##size[own / 16 * THREADS][16], x_##size[own / 16 * THREADS][16];  \
  shared [COLUMNS] double (*tp_##size)[COLUMNS] = t_##size, (*up_##size)[COLUMNS] = u_##size; \
  int col_##size[own];                                                                    \
  shared double *ga_##size, *gb_##size, *gc_##size;                                       \
  shared [4] double *ha_##size, *hb_##size, *hc_##size;                                   \
  double pw_##size[own / 16][16], px_##size[own / 16][16];                                \
  double pa_##size[own], pb_##size[own], pt_##size[own / COLUMNS][COLUMNS], pu_##size[own / COLUMNS][COLUMNS];     \
  double (*volatile ptp_##size)[COLUMNS] = pt_##size, (*volatile pup_##size)[COLUMNS] = pu_##size; \
                                                                                          \
  LOOP (sum_##size, size, double sum = 0; for (i = 0; i < n; i++) sum += a_##size[i]; bench_use (sum)) \
  LOOP (sum_private_##size, size, double sum = 0; for (i = 0; i < n; i++) sum += pa_##size[i]; bench_use (sum)) \
  LOOP (add_##size, size, for (i = 0; i < n; i++) a_##size[i] += 3 * b_##size[i])         \
  LOOP (add_private_##size, size, for (i = 0; i < n; i++) pa_##size[i] += 3 * pb_##size[i]) \
  LOOP (stencil_##size, size, n *= THREADS;                                               \
        upc_forall (i = 1; i < n - 1; i++; &a_##size[i])                                  \
          a_##size[i] = b_##size[i - 1] + b_##size[i + 1])                                \
  LOOP (stencil_private_##size, size, for (i = 1; i < n - 1; i++)                         \
          pa_##size[i] = pb_##size[i - 1] + pb_##size[i + 1])                             \
  LOOP (copy_##size, size, n *= THREADS;                                                  \
        upc_forall (i = 0; i < n; i++; &a_##size[i]) a_##size[i] = b_##size[i])           \
  LOOP (copy_private_##size, size, for (i = 0; i < n; i++) pa_##size[i] = pb_##size[i])   \
  LOOP (blocks_##size, size, double sum = 0; int j;                                       \
        for (i = 0; i < n / 16; i++) for (j = 0; j < 16; j++) sum += c_##size[i * 16 + j]; bench_use (sum)) \
  LOOP (blocks_private_##size, size, double sum = 0; int j;                               \
        for (i = 0; i < n / 16; i++) for (j = 0; j < 16; j++) sum += pa_##size[i * 16 + j]; bench_use (sum)) \
  LOOP (walk_##size, size, double sum = 0; shared [BLOCK] double *p = a_##size, *e = p + n; \
        (void) i; for (; p < e; p++) sum += *p; bench_use (sum))                          \
  LOOP (walk_private_##size, size, double sum = 0; double *p = pa_##size, *e = p + n;     \
        (void) i; for (; p < e; p++) sum += *p; bench_use (sum))                          \
  LOOP (step_##size, size, double sum = 0; shared [BLOCK] double *p = a_##size;           \
        for (i = 0; i < n; i++) sum += *p++; bench_use (sum))                             \
  LOOP (step_private_##size, size, double sum = 0; double *p = pa_##size;                 \
        for (i = 0; i < n; i++) sum += *p++; bench_use (sum))                             \
  LOOP (grid_##size, size, int j; n = n / COLUMNS * THREADS;                                  \
        upc_forall (i = 1; i < n - 1; i++; &t_##size[i][0]) for (j = 1; j < COLUMNS - 1; j++) \
          t_##size[i][j] = (u_##size[i - 1][j] + u_##size[i + 1][j]                       \
                            + u_##size[i][j - 1] + u_##size[i][j + 1]) / 4)               \
  LOOP (grid_private_##size, size, int j; n = n / COLUMNS;                                    \
        for (i = 1; i < n - 1; i++) for (j = 1; j < COLUMNS - 1; j++)                         \
          pt_##size[i][j] = (pu_##size[i - 1][j] + pu_##size[i + 1][j]                    \
                             + pu_##size[i][j - 1] + pu_##size[i][j + 1]) / 4)            \
  LOOP (short_##size, size, int j; n = n / 16 * THREADS;                                      \
        upc_forall (i = 1; i < n - 1; i++; &w_##size[i][0]) for (j = 1; j < 15; j++)      \
          w_##size[i][j] = (x_##size[i - 1][j] + x_##size[i + 1][j]                       \
                            + x_##size[i][j - 1] + x_##size[i][j + 1]) / 4)               \
  LOOP (short_private_##size, size, int j; n = n / 16;                                        \
        for (i = 1; i < n - 1; i++) for (j = 1; j < 15; j++)                                  \
          pw_##size[i][j] = (px_##size[i - 1][j] + px_##size[i + 1][j]                    \
                             + px_##size[i][j - 1] + px_##size[i][j + 1]) / 4)            \
  LOOP (columns_##size, size, double sum = 0; int j; n /= COLUMNS;                            \
        for (j = 0; j < COLUMNS; j++) for (i = 0; i < n; i++) sum += t_##size[i][j]; bench_use (sum)) \
  LOOP (columns_private_##size, size, double sum = 0; int j; n /= COLUMNS;                    \
        for (j = 0; j < COLUMNS; j++) for (i = 0; i < n; i++) sum += pt_##size[i][j]; bench_use (sum)) \
  LOOP (gridp_##size, size, int j; n = n / COLUMNS;                                       \
        shared [COLUMNS] double (*t)[COLUMNS] = tp_##size, (*u)[COLUMNS] = up_##size;     \
        for (i = 1; i < n - 1; i++) for (j = 1; j < COLUMNS - 1; j++)                     \
          t[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4)          \
  LOOP (gridp_private_##size, size, int j; n = n / COLUMNS;                               \
        double (*t)[COLUMNS] = ptp_##size, (*u)[COLUMNS] = pup_##size;                    \
        for (i = 1; i < n - 1; i++) for (j = 1; j < COLUMNS - 1; j++)                     \
          t[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4)          \
  LOOP (sparse_##size, size, double sum = 0; shared [BLOCK] double *x = a_##size;         \
        for (i = 0; i < n; i++) sum += pb_##size[i] * x[col_##size[i]]; bench_use (sum))  \
  LOOP (sparse_private_##size, size, double sum = 0; double *x = pa_##size;               \
        for (i = 0; i < n; i++) sum += pb_##size[i] * x[col_##size[i]]; bench_use (sum))  \
  LOOP (store_##size, size, for (i = 0; i < n; i++) d_##size[i] = i)                       \
  LOOP (store_private_##size, size, for (i = 0; i < n; i++) pa_##size[i] = i)              \
  LOOP (transpose_##size, size, int j; n = n / COLUMNS < COLUMNS ? n / COLUMNS : COLUMNS; \
        for (j = 0; j < n; j++) for (i = 0; i < n; i++) t_##size[i][j] = u_##size[j][i])  \
  LOOP (transpose_private_##size, size, int j; n = n / COLUMNS < COLUMNS ? n / COLUMNS : COLUMNS; \
        for (j = 0; j < n; j++) for (i = 0; i < n; i++) pt_##size[i][j] = pu_##size[j][i]) \
  LOOP (triad1_##size, size, n *= THREADS;                                                \
        upc_forall (i = 0; i < n; i++; &ga_##size[i]) ga_##size[i] = gb_##size[i] + 3 * gc_##size[i]) \
  LOOP (triad1_private_##size, size, double *z = pt_##size[0];                            \
        for (i = 0; i < n; i++) pa_##size[i] = pb_##size[i] + 3 * z[i])                   \
  LOOP (triad4_##size, size, n *= THREADS;                                                \
        upc_forall (i = 0; i < n; i++; &ha_##size[i]) ha_##size[i] = hb_##size[i] + 3 * hc_##size[i]) \
  LOOP (triad4_private_##size, size, double *z = pt_##size[0];                            \
        for (i = 0; i < n; i++) pa_##size[i] = pb_##size[i] + 3 * z[i])                   \
  LOOP (asm_##size, size, double sum = 0; for (i = 0; i < n; i++) sum += a_##size[i]; bench_use (sum); \
        __asm__ volatile ("" : : : "memory"))                                             \
  LOOP (asm_private_##size, size, double sum = 0; for (i = 0; i < n; i++) sum += pa_##size[i]; bench_use (sum); \
        __asm__ volatile ("" : : : "memory"))                                             \
                                                                                          \
  static void fill_##size (void)                                                          \
  {                                                                                       \
    for (int i = 0; i < own * THREADS; i++)                                               \
      ga_##size[i] = gb_##size[i] = gc_##size[i] = ha_##size[i] = hb_##size[i] = hc_##size[i] \
          = a_##size[i] = b_##size[i] = c_##size[i] = w_##size[i / 16][i % 16] = x_##size[i / 16][i % 16] = t_##size[i / COLUMNS][i % COLUMNS] = u_##size[i / COLUMNS][i % COLUMNS] = i; \
    for (int i = 0; i < own; i++)                                                         \
      col_##size[i] = (int) (7919l * i % own);                                            \
    for (int i = 0; i < own; i++)                                                         \
      pa_##size[i] = pb_##size[i] = pw_##size[i / 16][i % 16] = px_##size[i / 16][i % 16] = pt_##size[i / COLUMNS][i % COLUMNS] = pu_##size[i / COLUMNS][i % COLUMNS] = i; \
  }

/* Arrays as programs allocate them, of the pointers by which loops reach them. */
#define ALLOCATE(size, own)                                                               \
  (ga_##size = upc_all_alloc (own * THREADS, sizeof (double)),                            \
   gb_##size = upc_all_alloc (own * THREADS, sizeof (double)),                            \
   gc_##size = upc_all_alloc (own * THREADS, sizeof (double)),                            \
   ha_##size = upc_all_alloc (own / 4 * THREADS, 4 * sizeof (double)),                    \
   hb_##size = upc_all_alloc (own / 4 * THREADS, 4 * sizeof (double)),                    \
   hc_##size = upc_all_alloc (own / 4 * THREADS, 4 * sizeof (double)))

#define LOOP(name, size, ...)                                                             \
  static __attribute__ ((noinline)) void name (long rounds)                               \
  {                                                                                       \
    int i, n;                                                                             \
    while (rounds--)                                                                      \
      {                                                                                   \
        n = size;                                                                         \
        { __VA_ARGS__; }                                                                  \
        bench_use (0);                                                                    \
      }                                                                                   \
  }

LOOPS (cached, CACHED)
LOOPS (streamed, STREAMED)

#define ROWS(size)                                                                        \
  ROW (sum, size), ROW (add, size), ROW (stencil, size), ROW (copy, size), ROW (blocks, size), \
  ROW (walk, size), ROW (step, size), ROW (grid, size), ROW (short, size), ROW (columns, size), \
  ROW (gridp, size), ROW (sparse, size), ROW (store, size), ROW (transpose, size), ROW (triad1, size), ROW (triad4, size), ROW (asm, size)
#define ROW(loop, size)                                                                   \
  BENCH ("loop/" #loop "-" #size KIND, loop##_##size, "private", loop##_private_##size, "<= 1.15 ref")

static const struct bench loops[] = { ROWS (cached), ROWS (streamed) };

int
main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  ALLOCATE (cached, CACHED);
  ALLOCATE (streamed, STREAMED);
  if (MYTHREAD == 0)
    {
      fill_cached ();
      fill_streamed ();
      for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        bench_compare (&loops[i]);
    }
  upc_barrier;
  return 0;
}
